import { resolve } from 'node:path'
import { call, control, ServiceRefusal } from '../../client/client.ts'
import { connectLocal, usualPort, type Warn } from '../../client/discover.ts'
import { ForeignAnswer, send, Unreachable } from '../../client/http.ts'
import { defaultState, NoSandbox } from '../../client/which-sandbox.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { limits } from '../../contract/headers.ts'
import type { MerchantAnswer, TerminalsAnswer } from '../../contract/operations/look-ups.ts'
import { hiddenKey } from '../../contract/sandbox/request-log-answers.ts'
import { isOnLoopback } from '../../contract/sandbox/state-folder.ts'
import { webhookTolerance } from '../../signature/verify-webhook.ts'
import { command } from '../../text/commands.ts'
import { durationInWords } from '../../text/duration-words.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { suggestion } from '../../text/suggest.ts'
import { resolveProfile } from '../connection/profile.ts'
import { addressAt, connectNamed, isTillboxSandbox, onDefaultPort } from '../connection/sandbox-address.ts'
import type { NamedTarget } from '../connection/target.ts'
import { settingOf } from '../settings/effective.ts'
import {
  type Check,
  type DoctorFacts,
  type Finding,
  failed,
  ok,
  requireFact,
  skipped,
  warning,
} from './examination.ts'

/** Checks of the service: that it answers, that its clock agrees, and that it takes the key and the terminal. */

const service: Check<DoctorFacts> = {
  name: 'service',
  needs: ['target', 'approval'],
  run: async (facts) => {
    const named = requireFact(facts.target)
    const { baseUrl, state, space } = named
    const notes: string[] = []
    const note = (text: string) => {
      notes.push(text)
    }
    try {
      facts.sandbox = await (baseUrl === undefined
        ? foundHere(state, note, space)
        : sandboxOr(named, baseUrl.value, note))
      return await reportAnswering(facts, notes)
    } catch (error) {
      if (error instanceof NoSandbox) {
        const where =
          resolve(error.state) === resolve(defaultState) ? '' : ` --state ${shellQuote(error.state)}`
        return failed(error.message, command(`sandbox start${where}`))
      }
      if (baseUrl === undefined && state === undefined) return noneHere(error as Error)
      if (baseUrl !== undefined && error instanceof Unreachable) {
        const { value: url } = baseUrl
        const start = command('sandbox start --port', new URL(url).port || '80')
        return failed(
          error.message,
          isOnLoopback(url) ? start : `curl -I ${url} (check the URL and the network)`,
        )
      }
      throw error
    }
  },
}

/** The sandbox that a command would find, with a note where only the default port led to it. */
async function foundHere(state: string | undefined, note: Warn, space: string | undefined) {
  const found = await connectLocal(state, note, space)
  if (found.elsewhere !== undefined) note(onDefaultPort(found))
  return found
}

async function sandboxOr(named: NamedTarget, baseUrl: string, warn: Warn) {
  const { address } = await addressAt(named, baseUrl, warn)
  return (await isTillboxSandbox(address)) ? connectNamed(named, address) : undefined
}

/** The finding when no sandbox was named, and none was found. */
function noneHere(error: Error): Finding {
  if (error instanceof Unreachable)
    return failed(
      `No sandbox runs on ${defaultState}, and none on port ${usualPort()}`,
      '`tillbox sandbox start`',
    )
  if (error instanceof ForeignAnswer)
    return failed(`No sandbox runs on ${defaultState}: ${error.message}`, '`tillbox sandbox start --port 0`')
  throw error
}

/** Something answers: a sandbox, or the service itself. */
async function reportAnswering({ sandbox, target, version }: DoctorFacts, notes: readonly string[]) {
  if (sandbox === undefined) {
    const { baseUrl, settings } = requireFact(target)
    const money = settings.live ? ', where money is real' : ''
    return ok(`${baseUrl?.value} answers, and is not a tillbox sandbox${money}`)
  }
  const { version: its, pid } = await control(sandbox, 'health')
  const where = `A tillbox sandbox (${its}, process ${pid}) answers at ${sandbox.baseUrl}`
  const [note] = notes
  if (note !== undefined) return warning(`${where}. ${note}`)
  if (its !== version) return warning(`${where}; this is tillbox ${version}`, 'Start the sandbox again')
  return ok(where)
}

const clock: Check<DoctorFacts> = {
  name: 'clock',
  needs: ['service'],
  run: async ({ sandbox, target }) => {
    const { baseUrl, ca } = sandbox ?? { baseUrl: requireFact(requireFact(target).baseUrl).value }
    const sent = Date.now()
    const { headers } = await send({ url: new URL(baseUrl), headers: {}, ca })
    const its = Date.parse(headers.date ?? '')
    if (Number.isNaN(its)) return warning('The service does not tell its time: its answer has no Date header')
    const skew = Math.round(((sent + Date.now()) / 2 - its - 500) / 1000) // Date is in whole seconds
    return skewFinding(skew)
  },
}

/**
 * `skew`: seconds that this machine is ahead of the service. A warning from half of the offset beyond which receivers of
 * webhooks refuse them.
 */
function skewFinding(skew: number): Finding {
  const off = Math.abs(skew) * 1000
  const text = `The clock of this machine is ${durationInWords(off)} ${skew < 0 ? 'behind' : 'ahead of'} the service’s`
  const fix = process.platform === 'darwin' ? 'sudo sntp -sS time.apple.com' : 'sudo timedatectl set-ntp true'
  if (off > limits.timestampDeviation) return failed(`${text}: requests are refused`, fix)
  if (off > webhookTolerance / 2) return warning(text, fix)
  return ok(Math.abs(skew) <= 1 ? 'Agrees with the service’s' : text)
}

const key: Check<DoctorFacts> = {
  name: 'key',
  needs: ['service'],
  run: async (facts) => {
    facts.profile = await resolveProfile(facts.flags, facts.version, true)
    const { target, parties } = facts.profile
    const shown = hiddenKey(target.apiKey)
    try {
      const { merchantId } = await call<MerchantAnswer>(target, 'merchant-query', parties)
      return ok(`${shown} is accepted, for merchant ${merchantId ?? parties.merchantId ?? ''}`.trimEnd())
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error
      return refusedKey(error, shown, facts)
    }
  },
}

/** HTTP 401 and 403 are about the key; any other refusal is of a caller that the service knows. */
function refusedKey({ httpStatus, envelope }: ServiceRefusal, shown: string, { sandbox }: DoctorFacts) {
  if (envelope.code === ('SBX_INJECTED' satisfies ErrorCode))
    return skipped('not checked: an injected fault answered', '`tillbox sandbox fault --clear`')
  const why = envelope.msg || envelope.code
  if (httpStatus === 401 || httpStatus === 403)
    return failed(
      `${shown} is refused: ${why}`,
      sandbox === undefined ? '`tillbox profile set <name> --api-key -`' : '`tillbox sandbox status`',
    )
  return failed(`${shown} is accepted, but the merchant is not: ${why}`, '`tillbox whoami`')
}

const terminals: Check<DoctorFacts> = {
  name: 'terminals',
  needs: ['key'],
  run: async ({ profile, target }) => {
    const { target: service, parties } = requireFact(profile)
    const answer = await call<TerminalsAnswer>(service, 'merchant-terminals', parties)
    const names = (answer.terminals ?? []).map(({ sn }) => String(sn))
    const chosen = settingOf(requireFact(target).settings, 'terminal')
    if (names.length === 0) return warning('The merchant has no terminal', '`tillbox terminal add <serial>`')
    const count = names.length === 1 ? '1 terminal' : `${names.length} terminals`
    if (chosen === undefined) return ok(count)
    if (names.includes(chosen.value)) return ok(`${count}; ${chosen.value} is one of them`)
    const unknown = `${chosen.value}, which ${chosen.origin.name} names, is not a terminal of the merchant`
    if (answer.nextToken) return warning(`${unknown} on the first page of ${names.length}`, listAll)
    return failed(`${unknown}; ${suggestion(chosen.value, names)}`, listAll)
  },
}

const listAll = '`tillbox merchant terminals`'

export const serviceChecks = [service, clock, key, terminals]
