import { string as stringArg } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { control, ServiceRefusal } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import type { TerminalList } from '../../contract/sandbox/answers.ts'
import type { AnsweredControl } from '../../contract/sandbox/controls.ts'
import type { ActAnswer } from '../../contract/sandbox/screens.ts'
import { capitalize } from '../../text/capitalize.ts'
import { suggestion } from '../../text/suggest.ts'
import { stateFlag } from '../base-command.ts'
import { sandboxOf, sandboxUrlFlag } from '../connection/sandbox-address.ts'
import { UsageError } from '../errors/usage-error.ts'

/** Environment variable that stands in for the serial number. */
const serialVariable = 'TILLBOX_TERMINAL_SN'

/** The terminal that a command is about. */
export const serialArg = {
  serial: stringArg({ description: `Serial number of the terminal; default: ${serialVariable}.` }),
}

/** Where the sandbox is. */
export const whereFlags = { ...sandboxUrlFlag, state: stateFlag }

/** Flags of every act of a person. */
export const actionFlags = {
  transaction: string({ description: 'Act only if the terminal shows this transaction.', helpValue: '<id>' }),
  ...whereFlags,
}

/** The terminal that is named, or the one of the environment. Errors: UsageError. */
export function serialOf(typed: string | undefined): string {
  const serial = typed ?? serialFromEnvironment()
  if (serial !== undefined) return serial
  throw new UsageError(
    '<serial> is missing',
    `Name a terminal, such as TBX-ATTENDED-001, or set ${serialVariable}; tillbox terminal list shows all`,
    'serial',
  )
}

/** The terminal of the environment, if there is one. */
export const serialFromEnvironment = (): string | undefined => process.env[serialVariable] || undefined

/** Asks a sandbox about a terminal. Errors: as `control`; an unknown terminal with the one that was probably meant. */
export async function atTerminal<T>(
  address: Pick<SandboxAddress, 'baseUrl' | 'ca'>,
  name: AnsweredControl,
  serial: string,
  members?: Readonly<Record<string, unknown>>,
): Promise<T> {
  try {
    return await control<T>(address, name, members, { names: { sn: serial } })
  } catch (error) {
    if (!(error instanceof ServiceRefusal) || error.envelope.code !== 'SBX_UNREGISTERED') throw error
    const { terminals } = await control<TerminalList>(address, 'terminals')
    const remedy = suggestion(
      serial,
      terminals.map(({ terminalSn }) => terminalSn),
    )
    throw new ServiceRefusal(error.httpStatus, {
      ...error.envelope,
      remedy: `${capitalize(remedy)}${remedy.endsWith('?') ? ' Or' : ', or'} add it: tillbox terminal add ${serial}`,
    })
  }
}

/** What was typed of an act. */
interface ParsedAction {
  readonly args: { readonly serial?: string | undefined }
  readonly flags: {
    readonly transaction?: string | undefined
    readonly 'base-url'?: string | undefined
    readonly state?: string | undefined
  }
}

/** Does what a person does at a terminal; resolves to what it shows then, and what it ended. Errors: UsageError; as `atTerminal`. */
export async function act(
  { args, flags }: ParsedAction,
  name: AnsweredControl,
  members: Readonly<Record<string, unknown>> = {},
): Promise<ActAnswer> {
  const serial = serialOf(args.serial)
  const meant = flags.transaction === undefined ? {} : { transactionId: flags.transaction }
  return atTerminal<ActAnswer>(await sandboxOf(flags), name, serial, { ...members, ...meant })
}
