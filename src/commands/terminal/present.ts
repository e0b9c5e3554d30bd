import { string } from '@oclif/core/flags'
import { actionExitHelp } from '../../cli/errors/exit-codes.ts'
import { cardHelp, outcomeHelp } from '../../cli/input/fixture-names.ts'
import { serialArg, TerminalAction } from '../../cli/terminal/terminal-command.ts'

export default class TerminalPresent extends TerminalAction {
  static override summary = 'Present a test card to a terminal.'
  static override description =
    `Chip and contactless cards can be tapped, inserted or swiped; other cards only their own way.\n\n${cardHelp}\n\n${outcomeHelp}\n\n${actionExitHelp}`
  static override examples = [
    '<%= config.bin %> terminal present TBX-ATTENDED-001 --card visa-contactless',
    '<%= config.bin %> terminal present TBX-ATTENDED-001 --card visa-chip-pin --entry swipe',
    '<%= config.bin %> terminal present TBX-ATTENDED-001 --card amex-chip --outcome insufficient-funds',
  ]
  static override args = serialArg
  static override flags = {
    card: string({ description: 'Name of the test card.', helpValue: '<name>', required: true }),
    entry: string({
      description: 'How to present it; default: the usual way of the card.',
      options: ['tap', 'insert', 'swipe', 'key', 'scan'],
    }),
    outcome: string({ description: 'What the host answers; left out, as usual.', helpValue: '<name>' }),
    ...TerminalAction.flags,
  }

  async run(): Promise<void> {
    const typed = await this.parse(TerminalPresent)
    const { card, entry, outcome } = typed.flags
    await this.act(typed, 'present-card', {
      card,
      ...(entry && { entry }),
      ...(outcome && { outcome }),
    })
  }
}
