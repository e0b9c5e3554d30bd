import { control, ServiceRefusal, type Target } from '../../client/client.ts'
import {
  type AnsweredControl,
  type ControlAnswer,
  controls,
} from '../../contract/control/controls/controls.ts'
import { errorTable, Refusal } from '../../contract/errors.ts'
import { unwrap } from '../../contract/member-kinds.ts'
import { type Members, validate } from '../../contract/validate.ts'
import { nearest } from '../../shared/text/suggest.ts'
import { InvalidOption, shownValue } from './options.ts'

/** Where the sandbox is; `apiKey` names the calling application. */
export type Address = Pick<Target, 'baseUrl' | 'ca' | 'token' | 'elsewhere' | 'doubt' | 'apiKey'>

/** Calls the control interface of one sandbox. */
export type CallControl = <N extends AnsweredControl>(
  name: N,
  members?: Members,
  names?: Readonly<Record<string, string>>,
  timeout?: number,
) => Promise<ControlAnswer<N>>

/** Makes a caller. Members that are undefined are not sent. */
export const makeCaller =
  (address: Address): CallControl =>
  (name, members, names = {}, timeout) =>
    control(address, name, members, { names, apiKey: address.apiKey, timeout })

/** As `makeCaller`, for tests: a wrong member is an InvalidOption, before sending where possible. */
export function makeCheckedCaller(address: Address): CallControl {
  const call = makeCaller(address)
  return async (name, members, names, timeout) => {
    const present = Object.entries(members ?? {}).filter(([, value]) => value !== undefined)
    const sent = Object.fromEntries(present)
    try {
      validate(controls[name], sent)
      return await call(name, members && sent, names, timeout)
    } catch (error) {
      throw wrongMember(name, sent, error) ?? error
    }
  }
}

function wrongMember(name: AnsweredControl, sent: Members, error: unknown): InvalidOption | undefined {
  const { code, field, remedy, message = '', detail = message } = refusalMembers(error)
  if (code !== 'C17' || field === undefined) return undefined
  const [member = field] = field.split('.')
  if (!(member in sent) || !(member in controls[name].input.entries)) return new InvalidOption(field, detail)
  const value = sent[member]
  if (error instanceof ServiceRefusal && typeof value !== 'string') return undefined // such as ids not held
  const suggested = typeof value === 'string' ? nearest(value, memberChoices(name, member)) : undefined
  if (suggested !== undefined)
    return new InvalidOption(field, `${shown(value)} is unknown; did you mean ${suggested}?`)
  const isNamed = detail === message || detail.includes(String(value))
  const hint = remedy === errorTable.C17.remedy ? '' : `. ${remedy}`
  return new InvalidOption(field, `${isNamed ? 'is wrong:' : shown(value)} ${detail}${hint}`)
}

/** The fields of a refusal, by this library or by the sandbox. */
function refusalMembers(
  error: unknown,
): Partial<Pick<Refusal, 'field' | 'detail' | 'remedy' | 'message'>> & { readonly code?: string } {
  if (error instanceof ServiceRefusal) return { ...error.envelope, message: error.envelope.msg }
  return error instanceof Refusal ? error : {}
}

/** The allowed values of a member; empty when it is not restricted to a list. */
function memberChoices(name: AnsweredControl, member: string): readonly string[] {
  const entries: Readonly<Record<string, unknown>> = controls[name].input.entries
  const kind = unwrap(entries[member] as Parameters<typeof unwrap>[0])
  return 'options' in kind ? (kind.options as readonly string[]).map(String) : []
}

const shown = (value: unknown): string => {
  const text = shownValue(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** Calls that change shared state for every test of a sandbox, with the member that makes them. */
const changesAll: Partial<Record<AnsweredControl, string>> = {
  'set-clock': 'clock',
  'hold-webhooks': 'webhooks.hold',
  'release-webhooks': 'webhooks.release',
  'save-snapshot': 'snapshot',
  'restore-snapshot': 'restore',
  reset: 'reset',
}

/** As `call`, for a test that shares its sandbox: refuses what affects other tests. Errors: InvalidOption. */
export const sharingCaller =
  (call: CallControl): CallControl =>
  async (name, members, names, timeout) => {
    const member = members?.ids === undefined ? changesAll[name] : undefined
    if (member === undefined) return call(name, members, names, timeout)
    throw new InvalidOption(
      member,
      `acts on the whole sandbox, which other tests use too (connect: 'env'): ` +
        'make a sandbox for this test alone with createSandbox(), or move the test to a file without connect',
    )
  }
