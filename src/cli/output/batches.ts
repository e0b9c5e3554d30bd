import { objectsOf, shownMembers } from '../../client/tolerant.ts'
import type { BatchCloseAnswer, BatchCloseListAnswer, BatchQueryAnswer } from '../../contract/answers.ts'
import { formatAmount } from '../../contract/currencies.ts'
import { counted } from '../../text/counted.ts'
import { hint } from '../hints/same-sandbox.ts'
import { cleaned } from './clean.ts'
import { columns, pairs } from './table.ts'
import { type Theme, themeOf } from './theme.ts'
import { timeText, utcText } from './time.ts'

const numbers = ['batch', 'count', 'net', 'tip', 'surcharge', 'tax']

/** Date and time to the minute, in UTC: the seconds are in the JSON. */
const minuteOf = (time: string): string => utcText(time).slice(0, 16)

type Members = Readonly<Record<string, unknown>>

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

/** A batch as it is shown, and its amounts as text: the net, and what it has of tips, surcharges and tax. */
function batchOf(given: Members, theme: Theme) {
  const batch = shownMembers(given, texts, ['totalCount', 'transactionCount', ...amounts])
  const [net = '', ...parts] = amounts.map((name) => formatAmount(batch[name], batch.priceCurrency))
  return { ...batch, net: theme.strong(net), parts }
}

/** The open batches. A service may leave an empty list out. */
export function renderBatches(
  answer: Partial<BatchQueryAnswer>,
  stream: 'stdout' | 'stderr' = 'stdout',
): string {
  const theme = themeOf(stream)
  const terminals = new Map<string, string[][]>()
  for (const each of objectsOf(cleaned(answer).batchList)) {
    const batch = batchOf(each, theme)
    const { batchNo, channelCode, priceCurrency, totalCount, net, parts, startTime, terminalSn } = batch
    const since = theme.faint(minuteOf(startTime))
    const row = [batchNo, channelCode, priceCurrency, String(totalCount), net, ...parts, since]
    terminals.set(terminalSn, [...(terminals.get(terminalSn) ?? []), row])
  }
  if (terminals.size === 0) return 'No open batch: nothing was paid since the last close.\n'
  const head = ['batch', 'channel', '', 'count', 'net', 'tip', 'surcharge', 'tax', 'since (UTC)']
  const tables = [...terminals].map(([terminalSn, rows]) => {
    const title = terminalSn === '' ? '' : `${theme.strong(terminalSn)}\n`
    return `${title}${columns(head, rows, theme, numbers)}\n`
  })
  const next =
    stream === 'stdout'
      ? `\n${theme.faint(hint('Nothing of this is settled yet. Settle it: tillbox batch close'))}\n`
      : ''
  return `${tables.join('\n')}${next}`
}

/** What a close settled. */
export function renderClose(answer: BatchCloseAnswer): string {
  const { batchList, ...given } = cleaned(answer)
  const theme = themeOf('stdout')
  const first = batchOf({ ...given }, theme)
  const all = [first, ...objectsOf(batchList).map((each) => batchOf(each, theme))]
  const rows = all.map(({ terminalSn, batchNo, priceCurrency, transactionCount, net, parts }) => [
    terminalSn,
    batchNo,
    priceCurrency,
    String(transactionCount),
    net,
    ...parts,
  ])
  const head = ['terminal', 'batch', '', 'count', 'net', 'tip', 'surcharge', 'tax']
  const facts = pairs(theme, [['closed', timeText(first.batchTime)]])
  return `${theme.good('✓ SETTLED')}\n${facts}\n\n${columns(head, rows, theme, numbers)}\n`
}

/** Batches that a close left open, and the command that closes them. */
export function renderStillOpen(left: readonly object[]): string {
  const theme = themeOf('stderr')
  const batches = left.map((each) => batchOf({ ...cleaned(each) }, theme))
  const rows = batches.map(({ terminalSn, batchNo, channelCode, priceCurrency, totalCount, net }) => [
    terminalSn,
    batchNo,
    channelCode,
    priceCurrency,
    String(totalCount),
    net,
  ])
  const [channel, ...others] = new Set(batches.map(({ channelCode }) => channelCode))
  const only = channel && others.length === 0 ? ` --channel-code ${channel}` : ''
  const head = `! ${theme.open(`${counted(left.length, 'batch', 'batches')} still open`)}, and not settled:`
  const table = columns(['terminal', 'batch', 'channel', '', 'count', 'net'], rows, theme, numbers)
  return `${head}\n${table}\n  ${hint(`Close what is left: tillbox batch close${only}`)}\n`
}

/** The closed batches. */
export function renderClosed(answer: Partial<BatchCloseListAnswer>): string {
  const theme = themeOf('stdout')
  const rows = objectsOf(cleaned(answer).batchCloseList).map((each) => {
    const { batchNo, channelCode, priceCurrency, totalCount, net, ...batch } = batchOf(each, theme)
    const [closed, ids] = [theme.faint(minuteOf(batch.batchTime)), theme.faint(`${batch.mid} ${batch.tid}`)]
    return [batch.terminalSn, batchNo, channelCode, priceCurrency, String(totalCount), net, closed, ids]
  })
  if (rows.length === 0) return 'No batch was closed in this period.\n'
  const head = ['terminal', 'batch', 'channel', '', 'count', 'net', 'closed (UTC)', 'mid, tid']
  return `${columns(head, rows, theme, numbers)}\n`
}
