import { boolean, integer, string } from '@oclif/core/flags'
import { UsageError } from '../../errors/exit-codes.ts'
import { parseAmount } from '../../input/typed-values.ts'
import { summaryOf } from '../../sandbox-command.ts'
import { atTerminal, isAttended, serialArg, TerminalActionCommand } from '../../terminal/terminal-command.ts'

export default class TerminalTip extends TerminalActionCommand {
  static override summary = summaryOf('choose-tip')
  static override description =
    'A percentage on the screen gives the amount shown there; any other percentage is taken from the order amount, ' +
    'rounded half up.'
  static override examples = [
    'tillbox terminal tip TBX-ATTENDED-001 --amount 1.00',
    'tillbox terminal tip TBX-ATTENDED-001 --percent 18',
    'tillbox terminal tip TBX-ATTENDED-001 --none',
  ]
  static override memberFlags = {
    ...TerminalActionCommand.memberFlags,
    tipAmount: ['percent', 'none', 'amount'],
  }
  static override args = serialArg
  static override flags = {
    amount: string({
      description: 'Tip, such as 1.00.',
      exclusive: ['percent', 'none'],
    }),
    percent: integer({ description: 'Tip in percent.', min: 0, max: 1000, exclusive: ['none'] }),
    none: boolean({ description: 'Decline to tip.' }),
    ...TerminalActionCommand.flags,
  }

  async run(): Promise<void> {
    const typed = await this.parse(TerminalTip)
    const { args, flags } = typed
    const { amount, percent = 0, none } = flags
    if (amount === undefined && flags.percent === undefined && !none)
      throw new UsageError('The tip is missing', 'Pass --amount 1.00, --percent 18 or --none', 'amount')
    const { sandbox, serial } = await this.chosenTerminal(args.serial, flags, isAttended)
    const { transaction, tips } = await atTerminal(sandbox, 'screen', serial)
    const offered = tips.find(({ label }) => label === `${percent} %`)?.tipAmount
    const share = offered ?? Math.floor(((transaction?.orderAmount ?? 0) * percent + 50) / 100)
    const { transactionId = 'none', currency = 'USD' } = transaction ?? {} // for no other than this
    const tipAmount = amount === undefined ? share : parseAmount(amount, currency, 'amount')
    await this.act({ ...typed, args: { serial } }, 'choose-tip', { tipAmount, transactionId })
  }
}
