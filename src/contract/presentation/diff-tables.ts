import { memberInWords } from '../../shared/text/words.ts'
import type { MemberChange, StateDiff } from '../control/snapshot-answers.ts'
import { statuses, statusWordOf } from '../statuses.ts'
import { amountText } from './money.ts'
import { typeInWords } from './status.ts'
import { timeText } from './words.ts'

/** Records of a kind that differ between two states. */
interface DiffTable {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly DiffRow[]
}

export interface DiffRow {
  readonly change: 'added' | 'removed' | 'changed'
  readonly cells: readonly string[]
  /** Its members that changed; of another record, how it is. */
  readonly what: string
}

/**
 * The differences of two states as tables, for pages and commands; a kind of record without differences has
 * none. `amountAs`: writes minor units of a currency.
 */
export function diffTables(diff: StateDiff, amountAs = amountText): readonly DiffTable[] {
  const changesText = (changes: readonly MemberChange[], currency?: string): string =>
    changes.map((one) => `${memberInWords(one.member)} ${changeText(one, currency)}`).join(', ')
  const changeText = ({ member, from, to }: MemberChange, currency?: string): string => {
    const text = (value: MemberChange['to']) => {
      if (value === null) return 'none'
      if (currency !== undefined && amounts.has(member)) return amountAs(Number(value), currency)
      return statusTexts[member]?.[String(value)] ?? String(value).replace(isoTime, timeText)
    }
    return `${text(from)} → ${text(to)}`
  }
  const tables: readonly DiffTable[] = [
    {
      title: 'transactions',
      heads: ['transaction', 'type', 'amount'],
      rows: diff.transactions.map(({ change, changes, transactionId, type, amount, currency, status }) => ({
        change,
        cells: [transactionId, typeInWords(type), amountAs(amount, currency)],
        what:
          change === 'changed' ? changesText(changes, currency) : (statusTexts.status?.[status] ?? status),
      })),
    },
    {
      title: 'batches',
      heads: ['terminal', 'batch', 'channel'],
      rows: diff.batches.map(({ change, changes, terminalSn, batchNo, channel, ...batch }) => ({
        change,
        cells: [terminalSn, String(batchNo), channel],
        what:
          change === 'changed'
            ? changesText(changes, batch.currency)
            : `${batch.status}, ${batch.count} for ${amountAs(batch.net, batch.currency)}`,
      })),
    },
    {
      title: 'terminals',
      heads: ['terminal'],
      rows: diff.terminals.flatMap(({ change, changes, terminalSn, merchantId }): readonly DiffRow[] => {
        const other = diff.terminals.find((one) => one.terminalSn === terminalSn && one.change !== change)
        if (change === 'removed' && other !== undefined) return [] // the row of the other says both
        const cells = [terminalSn]
        if (change === 'changed') return [{ change, cells, what: changesText(changes) }]
        const pairing = pairingText(merchantId)
        return other === undefined
          ? [{ change, cells, what: pairing }]
          : [{ change: 'changed', cells, what: `${pairingText(other.merchantId)} → ${pairing}` }]
      }),
    },
    {
      title: 'webhooks',
      heads: ['transaction', 'event'],
      rows: diff.webhooks.map(({ change, changes, transactionId, event, state, url }) => ({
        change,
        cells: [transactionId, event ?? 'result'],
        what: change === 'changed' ? changesText(changes) : `${state}, to ${url}`,
      })),
    },
    {
      title: 'settings',
      heads: ['setting'],
      rows: diff.settings.map((one) => ({
        change: 'changed',
        cells: [memberInWords(one.member)],
        what: changeText(one),
      })),
    },
  ]
  return tables.filter(({ rows }) => rows.length > 0)
}

const pairingText = (merchantId: string | null): string =>
  merchantId === null ? 'not paired' : `paired with ${merchantId}`

/** Members that are amounts in minor units. */
const amounts = new Set(['amount', 'tip', 'net', 'tax', 'surcharge', 'refunded', 'increments'])

const isoTime = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** Values of members that are statuses, as a person reads them. */
const statusTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: {
    ...Object.fromEntries(statuses.map((status) => [status, statusWordOf(status)])),
    PROCESSING: 'processing',
  },
  batchStatus: { U: 'open', C: 'closed' },
}
