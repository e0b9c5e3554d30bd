import type { Interfaces } from '@oclif/core'
import { string } from '@oclif/core/flags'
import { control, ServiceRefusal } from '../../client/client.ts'
import {
  connect,
  connectAgain,
  connectByToken,
  connectLocal,
  type FoundSandbox,
  findByLock,
  type SandboxAddress,
  type Warn,
} from '../../client/discover.ts'
import { ForeignAnswer, Unreachable } from '../../client/http.ts'
import { NoSandbox, requireNamed } from '../../client/which-sandbox.ts'
import { changesSandbox } from '../../contract/control/control.ts'
import { type ControlName, controls } from '../../contract/control/controls/controls.ts'
import { serverUrl } from '../../contract/control/spaces.ts'
import { capitalize } from '../../shared/text/words.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { warn } from '../hints/same-sandbox.ts'
import { printing } from '../output/color.ts'
import { settingOf } from '../settings/effective.ts'
import { tokenFor } from './credentials.ts'
import { type NamedTarget, namedInWords, namedTarget, otherOfProject, TwoTargets } from './target.ts'

/** Which sandbox a command is for: the one at a URL, or the one on a state folder. */
export const sandboxFlags = {
  'base-url': string({
    description:
      'Base URL of the sandbox; default: the running one. Environment: TILLBOX_BASE_URL. TILLBOX_TOKEN is sent only to that ' +
      'or, if it is not set, to this URL.',
    helpGroup: 'CONNECTION',
  }),
  state: string({
    description:
      'State folder of the sandbox; default: the project’s, then the default port. Environment: TILLBOX_STATE.',
    helpGroup: 'CONNECTION',
  }),
  space: string({
    description: 'Space of the sandbox; see tillbox space list. Environment: TILLBOX_SPACE.',
    helpGroup: 'CONNECTION',
    helpValue: '<name>',
  }),
  profile: string({
    description: 'Profile to use; see tillbox profile list. Environment: TILLBOX_PROFILE.',
    helpGroup: 'CONNECTION',
  }),
}

/** The server of a command about spaces: TILLBOX_SPACE does not apply. */
export const serverFlags = {
  'base-url': sandboxFlags['base-url'],
  state: sandboxFlags.state,
  profile: sandboxFlags.profile,
}

/** The sandbox as typed. */
export type SandboxFlags = Readonly<Partial<Interfaces.InferredFlags<typeof sandboxFlags>>>

/** A control operation, or all of them: whoever gets the address and its key may do anything there. */
export type Asked = ControlName | 'everything'

/** What a sandbox is looked for: an operation, and how long each request to a named one takes at most. */
interface Purpose {
  /** What changes the sandbox is refused where nobody named it. Left out: look-ups. */
  readonly asks?: Asked | undefined
  readonly timeout?: number | undefined
}

/** The named sandbox, or the one running here. */
export async function resolveSandbox(flags: SandboxFlags, purpose: Purpose = {}): Promise<FoundSandbox> {
  const named = namedTarget(flags)
  return connectTarget(named, (address) => connectNamed(named, address, purpose.timeout), purpose)
}

/** A server, and the origin at which a reverse proxy serves it. */
export type Server = SandboxAddress & Partial<Pick<FoundSandbox, 'publicUrl'>>

/**
 * The named server, or the one running here, with the paths of its first space. Other facts are those of the
 * token's space; a token that makes spaces has none yet, and one of a viewer may not ask for them.
 */
export async function resolveServer(flags: SandboxFlags, purpose: Purpose = {}): Promise<Server> {
  const { baseUrl, ...named } = namedTarget({ ...flags, space: undefined })
  const ofServer = baseUrl && { ...baseUrl, value: serverUrl(baseUrl.value) }
  const connectTo = async (address: SandboxAddress): Promise<Server> =>
    /^tbx_(spaces|viewer)_/.test(address.token ?? '') ? address : connectByToken(address)
  const server = await connectTarget<Server>(
    { ...named, baseUrl: ofServer, space: undefined },
    connectTo,
    purpose,
  )
  return { ...server, baseUrl: serverUrl(server.baseUrl) }
}

/** Connects to the named sandbox; without a space, a token for one space leads to it. */
export const connectNamed = (
  { settings }: NamedTarget,
  address: SandboxAddress,
  timeout?: number,
): Promise<FoundSandbox> =>
  settingOf(settings, 'space') === undefined ? connectByToken(address, timeout) : connect(address, timeout)

/**
 * How to connect to a named URL; `ours`: the sandbox there that the lock file of the state folder leads to. A
 * token of the environment wins over that of the lock file.
 */
export async function addressAt(named: NamedTarget, baseUrl: string, tell: Warn = warn, timeout?: number) {
  const token = tokenFor(named)
  const found = await findByLock(baseUrl, named.state, tell, timeout)
  const ours = token === undefined ? found : undefined
  const address: SandboxAddress = ours ?? { baseUrl, token, ca: found?.ca }
  return { ours, address }
}

/** Who hears which sandbox is used where nobody said it. `refused`: the command is, and that says it. */
export type Told = 'everybody' | 'people' | 'nobody' | 'refused'

/** A look-up tells people which sandbox it is about; what changes one is refused. */
export const toldBy = (asks: Asked | undefined): Told =>
  asks !== undefined && (asks === 'everything' || changesSandbox(controls[asks])) ? 'refused' : 'people'

/**
 * The sandbox of a state folder, else the one on the default port. A person is told which that is: it may be
 * another project's; in a pipe only before something is sent there.
 */
export async function connectHere(named: NamedTarget, told: Told): Promise<FoundSandbox> {
  const { by, state, space } = named
  const doubt = doubtOf(named, told)
  const found = await connectLocal(state, space).then(
    (sandbox) => ({ ...sandbox, doubt }),
    (error) => {
      throw error instanceof NoSandbox && by === 'project'
        ? new NoSandbox(error.state, error.isNode, undefined, true)
        : error
    },
  )
  if (told === 'refused') requireNamed(found)
  if (told === 'everybody' || (told === 'people' && isForPerson())) tellElsewhere(found)
  return found
}

/**
 * Why nothing may be changed at a target: this project's running sandbox is another one. What a variable
 * names is followed, and said; what `profile use` chose is refused to changes. Errors: TwoTargets.
 */
export function doubtOf(named: NamedTarget, told: Told): TwoTargets | undefined {
  const ours = otherOfProject(named)
  if (ours === undefined) return undefined
  const doubt = named.by === 'profile' ? new TwoTargets(named, ours) : undefined
  if (doubt !== undefined && (told === 'refused' || told === 'everybody')) throw doubt
  if (told !== 'nobody' && !printing.isQuiet)
    warn(
      `${capitalize(namedInWords(named))} is used, not the running sandbox of this project, ${ours.baseUrl}`,
    )
  return doubt
}

const isForPerson = (): boolean => !printing.isForPrograms && process.stdout.isTTY === true

function tellElsewhere(found: SandboxAddress): void {
  if (found.elsewhere !== undefined && !printing.isQuiet) warn(onDefaultPort(found))
}

/** Says before something is sent which sandbox gets it, where it was not said to a person. */
export function tellSent(found: SandboxAddress): void {
  if (!isForPerson()) tellElsewhere(found)
}

/** Which sandbox only the default port led to. */
const onDefaultPort = ({ baseUrl, elsewhere }: SandboxAddress): string =>
  `This folder belongs to no project; the sandbox used is the one at ${baseUrl}, state ${elsewhere}`

/** Connects to a target, found like any other; `connectTo`: where no lock file leads to it. */
export async function connectTarget<S>(
  named: NamedTarget,
  connectTo: (address: SandboxAddress) => Promise<S>,
  { asks, timeout }: Purpose = {},
): Promise<S | FoundSandbox> {
  const { baseUrl } = named
  if (baseUrl === undefined) return connectHere(named, toldBy(asks))
  const doubt = doubtOf(named, toldBy(asks))
  const { ours, address } = await addressAt(named, baseUrl.value, warn, timeout)
  return { ...(ours ?? (await connectTo(address).catch(refuseForeign(baseUrl.value)))), doubt }
}

/** Errors: NotSandbox for another service; others unchanged. */
const refuseForeign =
  (url: string) =>
  (error: Error): never => {
    if (error instanceof ForeignAnswer) throw new NotSandbox(url, error.reason)
    if (isRefusedBySandbox(error)) throw error
    throw error instanceof ServiceRefusal ? new NotSandbox(url, error.message) : error
  }

/** Something answers at a URL that was named, and it is not a tillbox sandbox. */
export class NotSandbox extends UsageError {
  constructor(
    baseUrl: string,
    readonly reason: string,
  ) {
    super(`${baseUrl} is not a tillbox sandbox, and this command acts on one only: ${reason}`, startOne)
  }
}

/**
 * How a long-running command finds its sandbox again, the same way as before. Errors: Unreachable while it
 * does not run, or another program answers; UnusableLock.
 */
export const sandboxFinder =
  (flags: SandboxFlags, sandbox: FoundSandbox): (() => Promise<FoundSandbox>) =>
  () =>
    (namedTarget(flags).baseUrl === undefined ? connectAgain(sandbox) : resolveSandbox(flags)).catch(
      (error) => {
        throw error instanceof ForeignAnswer || error instanceof NotSandbox
          ? new Unreachable(sandbox.baseUrl, error.reason)
          : error
      },
    )

/** True when a tillbox sandbox answers there; no key goes with the question. */
export async function isTillboxSandbox({ baseUrl, ca, token }: SandboxAddress): Promise<boolean> {
  try {
    await control({ baseUrl, ca, token }, 'health')
    return true
  } catch (error) {
    if (error instanceof ServiceRefusal) return isRefusedBySandbox(error)
    if (error instanceof ForeignAnswer) return false
    throw error
  }
}

/** True where a sandbox refused a request: no other service has these codes. */
export const isRefusedBySandbox = (error: unknown): error is ServiceRefusal =>
  error instanceof ServiceRefusal && error.envelope.code.startsWith('SBX_')

const startOne = 'Start one: `tillbox sandbox start`; name it with --state, or with --base-url'

/** Refuses what only a sandbox does, before anything is sent to another service. `what`: the subject. */
export async function requireSandbox(
  { isSandbox, target }: { readonly isSandbox: boolean; readonly target: SandboxAddress },
  what: string,
): Promise<void> {
  if (isSandbox || (await isTillboxSandbox(target))) return
  throw new UsageError(`${what} needs a tillbox sandbox, and ${target.baseUrl} is not one`, startOne)
}
