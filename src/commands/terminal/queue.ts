import type { Interfaces } from '@oclif/core'
import { string as stringArg } from '@oclif/core/args'
import { boolean, integer, string } from '@oclif/core/flags'
import type { SandboxFlags } from '../../cli/connection/sandbox-address.ts'
import { requireKnownName, UsageError } from '../../cli/errors/exit-codes.ts'
import { outcomeHelp } from '../../cli/input/fixture-names.ts'
import {
  atTerminal,
  requireSerial,
  serialArg,
  TerminalCommand,
  usualSerial,
} from '../../cli/terminal/terminal-command.ts'
import { control } from '../../client/client.ts'
import { controlLimits } from '../../contract/sandbox/control.ts'
import type { ControlAnswer } from '../../contract/sandbox/controls/controls.ts'
import { outcomeSuggestion } from '../../text/suggest.ts'

export default class TerminalQueue extends TerminalCommand {
  static override summary = 'Queue an outcome for the next payments of a terminal.'
  static override description =
    `A queued outcome takes precedence over the terminal's setting and over trigger amounts. decline is do-not-honor, or the outcome with --code. With TILLBOX_TERMINAL_SN set, <serial> can be left out.\n\n${outcomeHelp}`
  static override examples = [
    'tillbox terminal queue TBX-AUTO-001 insufficient-funds --times 2',
    'tillbox terminal queue TBX-AUTO-001 decline --code 051',
    'TILLBOX_TERMINAL_SN=TBX-AUTO-001 tillbox terminal queue decline --code 051',
    'tillbox terminal queue TBX-AUTO-001 --clear',
  ]
  static override args = {
    ...serialArg,
    outcome: stringArg({ description: 'approve, decline, or the name of an outcome.' }),
  }
  static override flags = {
    code: string({ description: 'Result code of the outcome.', helpValue: '<code>' }),
    times: integer({
      description: 'Number of payments that get it.',
      default: 1,
      min: 1,
      max: controlLimits.outcomeTimes,
    }),
    clear: boolean({ description: 'Empty the queue.', exclusive: ['code'] }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalQueue)
    const { serial: typed, outcome } = args
    if (flags.clear && outcome !== undefined) refuseBoth(outcome)
    if (typed === undefined) requireSerial(typed, flags)
    if (typed === undefined && !flags.clear && flags.code === undefined) refuseNoOutcome()
    const sandbox = await this.find(flags)
    const { outcomes } = await control(sandbox, 'outcomes')
    const [serial, name] = namedBy(args, flags, outcomes)
    const order = flags.clear
      ? { outcome: 'approve', times: 0 }
      : { outcome: chosenOutcome(name, flags.code, outcomes), times: flags.times }
    const terminal = await atTerminal(sandbox, 'queue-outcome', serial, order)
    await this.showSettings(terminal)
  }
}

type Outcomes = ControlAnswer<'outcomes'>['outcomes']

/** A single word is the outcome when it names one, or when nothing else does and the terminal is set. */
function namedBy(
  { serial, outcome }: Interfaces.InferredArgs<typeof TerminalQueue.args>,
  flags: Interfaces.InferredFlags<typeof TerminalQueue.flags> & SandboxFlags,
  outcomes: Outcomes,
): [serial: string, outcome: string | undefined] {
  const { clear, code } = flags
  if (serial === undefined || outcome !== undefined) return [requireSerial(serial, flags), outcome]
  const alone = serial === 'decline' || outcomes.some(({ name }) => name === serial)
  if (alone && clear) refuseBoth(serial)
  const only = !clear && code === undefined && usualSerial(flags) !== undefined
  return alone || only ? [requireSerial(undefined, flags), serial] : [serial, undefined]
}

function refuseBoth(outcome: string): never {
  throw new UsageError(`--clear and ${outcome} exclude each other`, 'Remove one of them')
}

function refuseNoOutcome(): never {
  throw new UsageError('<outcome> is missing', 'Name it: approve, decline, or another outcome')
}

/** The name of the outcome to queue. Errors: UsageError. */
function chosenOutcome(name: string | undefined, code: string | undefined, outcomes: Outcomes): string {
  if (code === undefined && name === undefined) refuseNoOutcome()
  const named = (wanted: string): string =>
    requireKnownName('outcome', wanted, outcomes, 'outcome', outcomeSuggestion).name
  if (code === undefined) return name === 'decline' ? name : named(name ?? '')
  const coded = outcomeWithCode(code, outcomes)
  const fits = name === undefined || (name === 'decline' ? coded !== 'approve' : named(name) === coded)
  if (fits) return coded
  const message = `${name} and --code ${code} contradict each other`
  throw new UsageError(message, `Code ${code} belongs to ${coded}; name one of them`, 'code')
}

/** The outcome with that result code, by name; the first where several have it. Errors: UsageError. */
function outcomeWithCode(code: string, outcomes: Outcomes): string {
  const found = outcomes.find((outcome) => outcome.code === code.toUpperCase())
  if (found !== undefined) return found.name
  const codes = new Set(outcomes.map((outcome) => outcome.code))
  throw new UsageError(`No outcome has the code ${code}`, `The codes are ${[...codes].join(', ')}`, 'code')
}
