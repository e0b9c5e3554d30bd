import type { MemberChange, StateDiff } from '../contract/sandbox/snapshot-answers.ts'
import { amountText } from './money.ts'
import { timeText } from './words.ts'

/** Records of a kind that differ between two states. */
interface DiffTable {
  readonly title: string
  /** Heads of the cells. */
  readonly heads: readonly string[]
  readonly rows: readonly DiffRow[]
}

interface DiffRow {
  readonly change: 'added' | 'removed' | 'changed'
  readonly cells: readonly string[]
  /** Its members that changed; of another record, how it is. */
  readonly what: string
}

/** The differences of two states as tables, for pages and commands; a kind of record without differences has none. */
export function diffTables(diff: StateDiff): readonly DiffTable[] {
  const tables: readonly DiffTable[] = [
    {
      title: 'transactions',
      heads: ['transaction', 'type', 'amount'],
      rows: diff.transactions.map(({ change, changes, transactionId, type, amount, currency, status }) => ({
        change,
        cells: [transactionId, type, amountText(amount, currency)],
        what: change === 'changed' ? changesText(changes, currency) : status,
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
            : `${batch.status}, ${batch.count} for ${amountText(batch.net, batch.currency)}`,
      })),
    },
    {
      title: 'terminals',
      heads: ['terminal'],
      rows: diff.terminals.map(({ change, changes, terminalSn }) => ({
        change,
        cells: [terminalSn],
        what: changesText(changes),
      })),
    },
    {
      title: 'webhooks',
      heads: ['transaction', 'event'],
      rows: diff.webhooks.map(({ change, changes, transactionId, event, state, url }) => ({
        change,
        cells: [transactionId, event ?? 'result'],
        what: change === 'changed' ? changesText(changes) : `${state} → ${url}`,
      })),
    },
    {
      title: 'settings',
      heads: [],
      rows: diff.settings.map((one) => ({ change: 'changed', cells: [], what: changesText([one]) })),
    },
  ]
  return tables.filter(({ rows }) => rows.length > 0)
}

/** Members that are amounts in minor units. */
const amounts = new Set(['amount', 'tip', 'net', 'tax', 'surcharge', 'refunded', 'increments'])

const changesText = (changes: readonly MemberChange[], currency?: string): string =>
  changes.map((one) => changeText(one, currency)).join(', ')

function changeText({ member, from, to }: MemberChange, currency?: string): string {
  const text = (value: MemberChange['to']) => {
    if (value === null) return 'none'
    if (currency !== undefined && amounts.has(member)) return amountText(Number(value), currency)
    return member === 'nextAt' ? timeText(String(value)) : String(value)
  }
  const words = member.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words} ${text(from)} → ${text(to)}`
}
