import { string as stringArg } from '@oclif/core/args'
import { boolean, integer, string } from '@oclif/core/flags'
import { sandboxFlags, sandboxOf } from '../../cli/connection/sandbox-address.ts'
import { exitHelp } from '../../cli/errors/exit-codes.ts'
import { UsageError } from '../../cli/errors/usage-error.ts'
import { isOutcome, outcomeHelp, outcomeWithCode, requireOutcome } from '../../cli/input/fixture-names.ts'
import {
  atTerminal,
  serialArg,
  serialFromEnvironment,
  serialOf,
  TerminalCommand,
} from '../../cli/terminal/terminal-command.ts'

export default class TerminalQueue extends TerminalCommand {
  static override summary = 'Queue an outcome for the next payments of a terminal.'
  static override description =
    `A queued outcome overrides the one chosen at the terminal and the one of the amount. decline is do-not-honor, or the outcome with --code. With TILLBOX_TERMINAL_SN set, <serial> can be left out.\n\n${outcomeHelp}\n\n${exitHelp}`
  static override examples = [
    '<%= config.bin %> terminal queue TBX-AUTO-001 insufficient-funds --times 2',
    '<%= config.bin %> terminal queue TBX-AUTO-001 decline --code 051',
    'TILLBOX_TERMINAL_SN=TBX-AUTO-001 <%= config.bin %> terminal queue decline --code 051',
    '<%= config.bin %> terminal queue TBX-AUTO-001 --clear',
  ]
  static override args = {
    ...serialArg,
    outcome: stringArg({ description: 'approve, decline, or the name of an outcome.' }),
  }
  static override flags = {
    code: string({ description: 'Result code of the outcome.', helpValue: '<code>' }),
    times: integer({ description: 'Number of payments that get it.', default: 1, min: 1, max: 10_000 }),
    clear: boolean({ description: 'Empty the queue.', exclusive: ['code'] }),
    ...sandboxFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalQueue)
    const [serial, name] = namedBy(args, flags)
    const order = flags.clear
      ? { outcome: 'approve', times: 0 }
      : { outcome: outcomeOf(name, flags.code), times: flags.times }
    const terminal = await atTerminal(await sandboxOf(flags), 'queue-outcome', serial, order)
    await this.showSettings(flags.json, terminal)
  }
}

/** A single word is the outcome when it names one, or when nothing else does and the environment names the terminal. */
function namedBy(
  { serial, outcome }: { readonly serial?: string | undefined; readonly outcome?: string | undefined },
  { clear, code }: { readonly clear: boolean; readonly code?: string | undefined },
): [serial: string, outcome: string | undefined] {
  if (clear && outcome !== undefined)
    throw new UsageError(`--clear and ${outcome} exclude each other`, 'Remove one of them', 'clear')
  if (serial === undefined || outcome !== undefined) return [serialOf(serial), outcome]
  const alone = serial === 'decline' || isOutcome(serial)
  if (alone && clear)
    throw new UsageError(`--clear and ${serial} exclude each other`, 'Remove one of them', 'clear')
  const only = !clear && code === undefined && serialFromEnvironment() !== undefined
  return alone || only ? [serialOf(undefined), serial] : [serial, undefined]
}

/** The outcome that is meant, by name. Errors: UsageError. */
function outcomeOf(name: string | undefined, code: string | undefined): string {
  if (code === undefined && name === undefined)
    throw new UsageError('<outcome> is missing', 'Name it: approve, decline, or another outcome', 'outcome')
  if (code === undefined) return name === 'decline' ? 'do-not-honor' : requireOutcome(name ?? '')
  const coded = outcomeWithCode(code)
  const fits =
    name === undefined || (name === 'decline' ? coded !== 'approve' : requireOutcome(name) === coded)
  if (fits) return coded
  const message = `${name} and --code ${code} contradict each other`
  throw new UsageError(message, `Code ${code} belongs to ${coded}; name one of them`, 'code')
}
