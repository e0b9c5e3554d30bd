import { string } from '@oclif/core/flags'
import type { SandboxFlags } from '../../connection/sandbox-address.ts'
import { UsageError } from '../../errors/exit-codes.ts'
import { canAsk } from '../../input/confirmation.ts'
import { summaryOf } from '../../sandbox-command.ts'
import { isAttended, serialArg, TerminalActionCommand } from '../../terminal/terminal-command.ts'

export default class TerminalPresent extends TerminalActionCommand {
  static override summary = summaryOf('present-card')
  static override description =
    'Chip and contactless cards can be tapped, inserted or swiped; every other card only in its own way. tillbox cards lists the cards, and tillbox outcomes what the host can answer.'
  static override examples = [
    'tillbox terminal present TBX-ATTENDED-001 --card visa-contactless',
    'tillbox terminal present TBX-ATTENDED-001 --card visa-chip-pin --entry swipe',
    'tillbox terminal present TBX-ATTENDED-001 --card amex-chip --outcome insufficient-funds',
  ]
  static override args = serialArg
  static override flags = {
    card: string({
      description: 'Name of the test card; a terminal window asks for it.',
      helpValue: '<name>',
    }),
    entry: string({
      description: 'How to present it; default: the usual way of the card.',
      options: ['tap', 'insert', 'swipe', 'key', 'scan'],
    }),
    outcome: string({
      description: 'Outcome that the host answers; default: by terminal, card and amount.',
      helpValue: '<name>',
    }),
    ...TerminalActionCommand.flags,
  }

  async run(): Promise<void> {
    const typed = await this.parse(TerminalPresent)
    const { args, flags } = typed
    const { entry, outcome } = flags
    const { card, serial } =
      flags.card === undefined ? await this.#asked(args.serial, flags) : { card: flags.card, ...args }
    const members = { card, entry, outcome: outcome || undefined }
    await this.act({ ...typed, args: { serial } }, 'present-card', members)
  }

  /** Asks for the card, and for the terminal where it is not typed. */
  async #asked(typed: string | undefined, flags: SandboxFlags) {
    if (!canAsk())
      throw new UsageError(['--card', 'is missing'], 'Pass --card <name>. Their names: `tillbox cards`')
    const { sandbox, serial } = await this.chosenTerminal(typed, flags, isAttended)
    const { chooseCard } = await import('../../input/choose-listed.ts')
    return { card: await chooseCard(sandbox), serial }
  }
}
