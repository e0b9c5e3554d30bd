import { boolean, integer, string } from '@oclif/core/flags'
import { BaseCommand } from '../../cli/base-command.ts'
import { sandboxOf } from '../../cli/connection/sandbox-address.ts'
import { actionExitHelp } from '../../cli/errors/exit-codes.ts'
import { UsageError } from '../../cli/errors/usage-error.ts'
import { parseAmount } from '../../cli/input/amount.ts'
import { actionFlags, atTerminal, serialArg, serialOf } from '../../cli/terminal/terminal-request.ts'
import type { ActAnswer, ScreenView } from '../../contract/sandbox/screens.ts'

export default class TerminalTip extends BaseCommand {
  static override summary = 'Choose a tip at a terminal, or none.'
  static override description =
    `A percentage on the screen gives the amount shown there; any other is taken of the order amount, rounded half up.\n\n${actionExitHelp}`
  static override examples = [
    '<%= config.bin %> terminal tip TBX-ATTENDED-001 --amount 1.00',
    '<%= config.bin %> terminal tip TBX-ATTENDED-001 --percent 18',
    '<%= config.bin %> terminal tip TBX-ATTENDED-001 --none',
  ]
  static override args = serialArg
  static override flags = {
    amount: string({
      description: 'Tip: minor units (100), or major units with all decimals (1.00).',
      exclusive: ['percent', 'none'],
    }),
    percent: integer({ description: 'Tip in percent.', min: 0, max: 1000, exclusive: ['none'] }),
    none: boolean({ description: 'Decline to tip.' }),
    ...actionFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalTip)
    const { amount, percent, none } = flags
    if (amount === undefined && percent === undefined && !none)
      throw new UsageError('The tip is missing', 'Pass --amount 1.00, --percent 18 or --none', 'amount')
    const serial = serialOf(args.serial)
    const sandbox = await sandboxOf(flags)
    const before = await atTerminal<ScreenView>(sandbox, 'screen', serial)
    const view = await atTerminal<ActAnswer>(sandbox, 'choose-tip', serial, {
      tipAmount: tipAmountOf(flags, before),
      transactionId: flags.transaction ?? before.transaction?.transactionId ?? 'none', // for no other than this
    })
    await this.show(flags.json, view, async () =>
      (await import('../../cli/terminal/render-terminal.ts')).renderAction(view),
    )
  }
}

/** Minor units. Errors: UsageError. */
function tipAmountOf(
  { amount, percent = 0 }: { readonly amount?: string | undefined; readonly percent?: number | undefined },
  { transaction, tips }: ScreenView,
): number {
  if (amount !== undefined) return parseAmount(amount, transaction?.currency ?? 'USD', 'amount')
  const offered = tips.find(({ label }) => label === `${percent} %`)
  return offered?.tipAmount ?? Math.floor(((transaction?.orderAmount ?? 0) * percent + 50) / 100)
}
