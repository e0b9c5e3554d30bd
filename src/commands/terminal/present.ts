import { string } from '@oclif/core/flags'
import { BaseCommand } from '../../cli/base-command.ts'
import { actionExitHelp } from '../../cli/errors/exit-codes.ts'
import { cardHelp, outcomeHelp, requireCard, requireOutcome } from '../../cli/input/fixture-names.ts'
import { act, actionFlags, serialArg } from '../../cli/terminal/terminal-request.ts'

export default class TerminalPresent extends BaseCommand {
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
    ...actionFlags,
  }

  async run(): Promise<void> {
    const typed = await this.parse(TerminalPresent)
    const { card, entry, outcome } = typed.flags
    const members = {
      card: requireCard(card),
      ...(entry && { entry }),
      ...(outcome && { outcome: requireOutcome(outcome) }),
    }
    const view = await act(typed, 'present-card', members)
    await this.show(typed.flags.json, view, async () =>
      (await import('../../cli/terminal/render-terminal.ts')).renderAction(view),
    )
  }
}
