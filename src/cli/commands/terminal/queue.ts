import { string as stringArg } from '@oclif/core/args'
import { boolean, integer, string } from '@oclif/core/flags'
import { control } from '../../../client/client.ts'
import { controlLimits } from '../../../contract/control/control.ts'
import type { ControlAnswer } from '../../../contract/control/controls/controls.ts'
import { UsageError } from '../../errors/exit-codes.ts'
import { summaryOf } from '../../sandbox-command.ts'
import {
  atTerminal,
  requireSerial,
  serialArg,
  TerminalCommand,
  usualSerial,
} from '../../terminal/terminal-command.ts'

export default class TerminalQueue extends TerminalCommand {
  static override summary = summaryOf('queue-outcome')
  static override description =
    `A queued outcome takes precedence over the terminal's setting and over trigger amounts. decline is do-not-honor, or the outcome with --code. With TILLBOX_TERMINAL_SN set, <serial> can be left out. tillbox outcomes lists the outcomes.`
  static override examples = [
    'tillbox terminal queue TBX-AUTO-001 insufficient-funds --times 2',
    'tillbox terminal queue TBX-AUTO-001 decline --code 051',
    'TILLBOX_TERMINAL_SN=TBX-AUTO-001 tillbox terminal queue decline',
    'tillbox terminal queue TBX-AUTO-001 --clear',
  ]
  static override args = {
    ...serialArg,
    outcome: stringArg({ description: 'approve, decline, or the name of an outcome.' }),
  }
  static override flags = {
    times: integer({
      description: 'Number of payments that get it.',
      default: 1,
      min: 1,
      max: controlLimits.outcomeTimes,
    }),
    code: string({ description: 'Result code of the outcome.', helpValue: '<code>' }),
    clear: boolean({ description: 'Empty the queue.', exclusive: ['code'] }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalQueue)
    const { clear, code, times } = flags
    if (clear && args.outcome !== undefined)
      throw new UsageError(['--clear', `and ${args.outcome} exclude each other`], 'Remove one of them')
    if (code !== undefined && (args.outcome ?? 'decline') !== 'decline')
      throw new UsageError(['--code', `and ${args.outcome} exclude each other`], 'Remove one of them')
    const isCoded = code !== undefined && args.serial !== 'decline'
    const isAlone = args.outcome === undefined && !clear && !isCoded // a single word is the outcome
    if (isAlone && (args.serial === undefined || usualSerial(flags) === undefined))
      throw new UsageError(
        ['<serial>', 'or <outcome> is missing'],
        'Name both: `tillbox terminal queue TBX-ATTENDED-001 decline`. Or set TILLBOX_TERMINAL_SN',
      )
    const serial = requireSerial(isAlone ? undefined : args.serial, flags)
    const sandbox = await this.find(flags, 'queue-outcome')
    const named = isAlone ? args.serial : args.outcome
    const outcome = code === undefined ? named : withCode(code, (await control(sandbox, 'outcomes')).outcomes)
    if (code !== undefined && named === 'decline' && outcome === 'approve')
      throw new UsageError(`decline and --code ${code} contradict each other`, 'Remove one of them', 'code')
    const order = clear ? { outcome: 'approve', times: 0 } : { outcome, times }
    await this.showSettings(await atTerminal(sandbox, 'queue-outcome', serial, order))
  }
}

/** The name of the first outcome with that result code. */
function withCode(code: string, outcomes: ControlAnswer<'outcomes'>['outcomes']): string {
  const found = outcomes.find((outcome) => outcome.code === code.toUpperCase())
  if (found !== undefined) return found.name
  const codes = new Set(outcomes.map((outcome) => outcome.code))
  throw new UsageError(`No outcome has the code ${code}`, `The codes are ${[...codes].join(', ')}`, 'code')
}
