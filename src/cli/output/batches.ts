import { objectsIn, shownMembers } from '../../client/tolerant.ts'
import type { OnlineTotals } from '../../contract/control/transaction-list.ts'
import { formatAmount } from '../../contract/currencies.ts'
import type {
  BatchCloseAnswer,
  BatchCloseListAnswer,
  BatchQueryAnswer,
} from '../../contract/operations/settlement.ts'
import { amountText } from '../../contract/presentation/money.ts'
import type { Members } from '../../contract/validate.ts'
import { command } from '../../shared/text/commands.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { counted } from '../../shared/text/words.ts'
import { hintText } from '../hints/hint-text.ts'
import { cleaned } from './clean.ts'
import { timeColumn, timeText } from './render-time.ts'
import { type Column, fittingTable, pairs } from './table.ts'
import { errorTheme, theme } from './theme.ts'

const texts = [
  'batchNo',
  'channelCode',
  'priceCurrency',
  'startTime',
  'batchTime',
  'terminalSn',
  'mid',
  'tid',
] as const
const amounts = ['netAmount', 'tipAmount', 'surchargeAmount', 'taxAmount'] as const

/** A batch for display: its members, with amounts as text. */
function batchRow(members: Members, look = theme) {
  const batch = shownMembers(members, texts, ['totalCount', 'transactionCount', ...amounts])
  const amount = (name: (typeof amounts)[number]) => formatAmount(batch[name], batch.priceCurrency)
  const [net, tip, surcharge, tax] = [look.strong(amount('netAmount')), ...amounts.slice(1).map(amount)]
  return { ...batch, net, tip, surcharge, tax }
}

type BatchRow = ReturnType<typeof batchRow>

const batchColumns = {
  terminal: { head: 'terminal', cell: ({ terminalSn }) => terminalSn },
  batch: { head: 'batch', cell: ({ batchNo }) => batchNo, isNumber: true },
  channel: { head: 'channel', cell: ({ channelCode }) => channelCode, yields: 3 },
  currency: { head: '', cell: ({ priceCurrency }) => priceCurrency },
  open: { head: 'count', cell: ({ totalCount }) => String(totalCount), isNumber: true },
  settled: { head: 'count', cell: ({ transactionCount }) => String(transactionCount), isNumber: true },
  net: { head: 'net', cell: ({ net = '' }) => net, isNumber: true },
  tip: { head: 'tip', cell: ({ tip = '' }) => tip, isNumber: true, yields: 2 },
  surcharge: { head: 'surcharge', cell: ({ surcharge = '' }) => surcharge, isNumber: true, yields: 5 },
  tax: { head: 'tax', cell: ({ tax = '' }) => tax, isNumber: true, yields: 4 },
  since: { ...timeColumn('since', ({ startTime }) => startTime), yields: 1 },
  closed: { ...timeColumn('closed', ({ batchTime }) => batchTime), yields: 1 },
  ids: { head: 'mid, tid', cell: ({ mid, tid }) => theme.faint(`${mid} ${tid}`), yields: 6 },
} satisfies Record<string, Column<BatchRow>>

/** Batches grouped by terminal, in the order of each terminal's first batch. */
function byTerminal(rows: readonly BatchRow[]): BatchRow[] {
  const terminals = [...new Set(rows.map(({ terminalSn }) => terminalSn))]
  return terminals.flatMap((serial) => rows.filter(({ terminalSn }) => terminalSn === serial))
}

/** The open batches. A service may leave an empty list out, and the terminal of a batch. */
export function renderBatches(answer: Partial<BatchQueryAnswer>, look = theme): string {
  const rows = byTerminal(objectsIn(cleaned(answer).batchList).map((each) => batchRow(each, look)))
  if (rows.length === 0) return 'No open batch: no terminal took a payment since the last close.\n'
  const { terminal, batch, channel, currency, open, net, tip, surcharge, tax, since } = batchColumns
  const named = rows.some(({ terminalSn }) => terminalSn !== '') ? [terminal] : []
  const all = [...named, batch, channel, currency, open, net, tip, surcharge, tax, since]
  const next = `\n${theme.faint(hintText('These batches are not settled. Settle them: `tillbox batch close`'))}\n`
  return `${fittingTable(rows, all, look)}\n${look === theme ? next : ''}`
}

/** The online payments that no batch has, on a line; empty for none. assumption: batches */
export function renderOnline(totals: OnlineTotals['totals']): string {
  if (totals.length === 0) return ''
  const sums = totals.map(
    ({ currency, count, net }) =>
      `${counted(count, 'payment or refund', 'payments and refunds')}, ${amountText(net, currency)} net`,
  )
  return `Online: ${sums.join('; ')}. They settle outside of terminal batches.\n`
}

/** The settled batches of a close. */
export function renderClose(answer: BatchCloseAnswer): string {
  const { batchList, ...firstBatch } = cleaned(answer)
  const first = batchRow({ ...firstBatch })
  const rows = [first, ...objectsIn(batchList).map((each) => batchRow(each))]
  const { terminal, batch, currency, settled, net, tip, surcharge, tax } = batchColumns
  const table = fittingTable(rows, [terminal, batch, currency, settled, net, tip, surcharge, tax])
  return `${theme.good('✓ settled')}\n${pairs([['closed', timeText(first.batchTime)]])}\n\n${table}\n`
}

/** Batches that a close left open, and the command that closes them. */
export function renderStillOpen(batches: readonly object[]): string {
  const rows = batches.map((each) => batchRow({ ...cleaned(each) }, errorTheme))
  const [channelCode, ...others] = new Set(rows.map((row) => row.channelCode))
  const only = channelCode && others.length === 0 ? ` --channel-code ${shellQuote(channelCode)}` : ''
  const head = `! ${errorTheme.open(`${counted(batches.length, 'batch', 'batches')} still open`)}, and not settled:`
  const { terminal, batch, channel, currency, open, net } = batchColumns
  const table = fittingTable(rows, [terminal, batch, channel, currency, open, net], errorTheme)
  return `${head}\n${table}\n${hintText(`Close what is left: ${command(`batch close${only}`)}`, errorTheme)}\n`
}

/** The closed batches. */
export function renderClosed(answer: Partial<BatchCloseListAnswer>): string {
  const rows = objectsIn(cleaned(answer).batchCloseList).map((each) => batchRow(each))
  if (rows.length === 0) return 'No batch was closed in this period.\n'
  const { terminal, batch, channel, currency, open, net, closed, ids } = batchColumns
  return `${fittingTable(rows, [terminal, batch, channel, currency, open, net, closed, ids])}\n`
}
