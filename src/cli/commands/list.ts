import { integer, string } from '@oclif/core/flags'
import { control } from '../../client/client.ts'
import { mostListed } from '../../contract/control/transaction-list.ts'
import { statusWords, typeWords } from '../../contract/statuses.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { rangeFrom, timeForms } from '../input/typed-values.ts'
import { SandboxCommand } from '../sandbox-command.ts'
import { parseStatusLetters } from '../webhook/notification-filter.ts'

export default class List extends SandboxCommand {
  static override summary = 'List the transactions of the sandbox, newest first.'
  static override description =
    'Filters apply together. A narrow window hides columns; a pipe gets all of them. --json prints an object with the ' +
    'list under transactions.'
  static override examples = [
    'tillbox list',
    'tillbox list --status declined --since 2h',
    'tillbox list --type refund --amount 1.00..50.00 --json',
  ]
  static override listMember = 'transactions'
  static override memberFlags = {
    terminalSn: 'terminal',
    merchantId: 'merchant',
    order: 'reference-order-id',
    last4: 'card',
  }
  static override flags = {
    status: string({
      description: `Only of this status: ${statusWords.join(', ')}, or as on the wire (SUCCESS, S). Several with commas between.`,
      helpValue: '<status>',
    }),
    type: string({ description: `Only of this type: ${typeWords.join(', ')}.`, helpValue: '<type>' }),
    terminal: string({
      description: 'Only on this terminal, by serial number, or online for payments without a terminal.',
      helpValue: '<serial>',
    }),
    'reference-order-id': string({
      description: 'Only of this order.',
      helpValue: '<id>',
    }),
    card: string({ description: 'Only of a card whose number ends so: 1111.', helpValue: '<last-four>' }),
    amount: string({
      description: 'Only of this amount, 10.00, or in a range, 10.00..20.00, 10.00.. or ..20.00.',
      helpValue: '<amount>',
    }),
    since: string({
      description: `Only created since then: ${timeForms}.`,
      helpValue: '<time>',
    }),
    merchant: string({ description: 'Only of this merchant; default: of all.', helpValue: '<id>' }),
    limit: integer({
      description: `Maximum number of transactions, up to ${mostListed.toLocaleString('en')}.`,
      default: 50,
      min: 1,
      max: mostListed,
      helpValue: '<n>',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(List)
    const { status, type, terminal, 'reference-order-id': order, card, amount, merchant } = flags
    if (status !== undefined) parseStatusLetters(status)
    // A whole number is minor units to the sandbox, and major units to many people.
    const bare = amount?.split('..').find((each) => /^\d+$/.test(each))
    if (bare !== undefined) {
      const message = `--amount ${amount} has no decimal point in ${bare}`
      throw new UsageError(message, `Write ${bare}.00; it finds amounts of every currency`, 'amount')
    }
    const now = async () => (await control(await this.find(flags), 'clock')).now
    const filters = {
      status,
      type,
      terminal,
      order,
      last4: card,
      amount,
      merchant,
      ...(await rangeFrom({ since: flags.since }, now)),
    }
    const isFiltered = Object.values(filters).some((value) => value !== undefined)
    const members = { ...filters, limit: flags.limit }
    await this.ask(flags, 'transactions', { members }, async (list) =>
      (await import('../listing/render-transactions.ts')).renderTransactions(list, isFiltered),
    )
  }
}
