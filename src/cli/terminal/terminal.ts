import { string as stringArg } from '@oclif/core/args'
import { integer, string } from '@oclif/core/flags'
import { control, ServiceRefusal } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import type { TerminalList } from '../../contract/sandbox/answers.ts'
import type { AnsweredControl } from '../../contract/sandbox/controls.ts'
import type { ActAnswer } from '../../contract/sandbox/screens.ts'
import { capitalize } from '../../text/capitalize.ts'
import { parseMinorUnits } from '../../text/minor-units.ts'
import { suggestion } from '../../text/suggest.ts'
import { stateFlag } from '../base-command.ts'
import { placeFlag, sandboxOf } from '../connection/place.ts'
import { UsageError } from '../errors/usage-error.ts'
import { requireCard, requireOutcome } from '../input/fixture-names.ts'

/** Environment variable that stands in for the serial number. */
const serialVariable = 'TILLBOX_TERMINAL_SN'

/** The terminal that a command is about. */
export const serialArg = {
  serial: stringArg({ description: `Serial number of the terminal; default: ${serialVariable}.` }),
}

/** Where the sandbox is. */
export const whereFlags = { ...placeFlag, state: stateFlag }

/** Flags of every act of a person. */
export const actFlags = {
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
  place: Pick<SandboxAddress, 'baseUrl' | 'ca'>,
  name: AnsweredControl,
  serial: string,
  members?: Readonly<Record<string, unknown>>,
): Promise<T> {
  try {
    return await control<T>(place, name, members, { names: { sn: serial } })
  } catch (error) {
    if (!(error instanceof ServiceRefusal) || error.envelope.code !== 'SBX_UNREGISTERED') throw error
    const { terminals } = await control<TerminalList>(place, 'terminals')
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
interface TypedAct {
  readonly args: { readonly serial?: string | undefined }
  readonly flags: {
    readonly transaction?: string | undefined
    readonly 'base-url'?: string | undefined
    readonly state?: string | undefined
  }
}

/** Does what a person does at a terminal; resolves to what it shows then, and what it ended. Errors: UsageError; as `atTerminal`. */
export async function act(
  { args, flags }: TypedAct,
  name: AnsweredControl,
  members: Readonly<Record<string, unknown>> = {},
): Promise<ActAnswer> {
  const serial = serialOf(args.serial)
  const meant = flags.transaction === undefined ? {} : { transactionId: flags.transaction }
  return atTerminal<ActAnswer>(await sandboxOf(flags), name, serial, { ...members, ...meant })
}

/** What a terminal can be set to, as flags. */
export const settingFlags = {
  mode: string({ description: 'Whether the terminal acts by itself or waits for a person.', options: ['auto', 'attended'] }),
  busy: string({
    description: 'A payment for a busy terminal waits in line, or is refused.',
    options: ['queue', 'reject'],
  }),
  pace: integer({ description: 'Milliseconds each screen is shown.', min: 0, max: 600_000, helpValue: '<ms>' }),
  'tip-percent': integer({
    description: 'Ask for a tip; an automatic terminal chooses this percentage.',
    min: 0,
    max: 100,
    helpValue: '<percent>',
  }),
  'contactless-limit': string({
    description:
      'Largest contactless amount, in any currency: minor units (10000), or with two decimals (100.00).',
    helpValue: '<amount>',
  }),
  card: string({ description: 'Card that an automatic terminal reads.', helpValue: '<name>' }),
  outcome: string({ description: 'Outcome of every payment.', helpValue: '<name>' }),
}

/** The settings as they were given. */
interface GivenSettings {
  readonly mode?: string | undefined
  readonly busy?: string | undefined
  readonly pace?: number | undefined
  readonly 'tip-percent'?: number | undefined
  readonly 'contactless-limit'?: string | undefined
  readonly card?: string | undefined
  readonly outcome?: string | undefined
}

/** The settings as members of a request; those that are left out are undefined. Errors: UsageError. */
export const settingsOf = (flags: GivenSettings) => ({
  mode: flags.mode,
  busy: flags.busy,
  pace: flags.pace,
  tipPercent: flags['tip-percent'],
  contactlessLimit: limitOf(flags['contactless-limit']),
  card: flags.card === undefined ? undefined : requireCard(flags.card),
  outcome: flags.outcome === undefined ? undefined : requireOutcome(flags.outcome),
})

/** A limit in minor units. It holds for every currency; written as major units it has the two decimals of most. */
function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const limit = parseMinorUnits(text, 2)
  if (typeof limit === 'number') return limit
  throw new UsageError(
    `--contactless-limit ${text} is not an amount`,
    'Use minor units (10000), or two decimals (100.00)',
    'contactless-limit',
  )
}
