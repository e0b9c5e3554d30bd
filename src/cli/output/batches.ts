import { objectsOf, shownMembers } from '../../client/tolerant.ts'
import type { BatchCloseAnswer, BatchCloseListAnswer, BatchQueryAnswer } from '../../contract/answers.ts'
import { formatAmount } from '../../contract/currencies.ts'
import { cleaned } from './clean.ts'
import { columns, pairs } from './table.ts'
import { themeOf } from './theme.ts'
import { timeText } from './time.ts'

const numbers = ['batch', 'count', 'net', 'tip', 'surcharge', 'tax']

/** Date and time to the minute: the seconds and the offset are in the JSON. */
const minuteOf = (time: string): string => timeText(time).slice(0, 16)

/** The open batches of a terminal. A service may leave an empty list out. */
export function renderBatches(
  answer: Partial<BatchQueryAnswer>,
  stream: 'stdout' | 'stderr' = 'stdout',
): string {
  const batchList = objectsOf(cleaned(answer).batchList).map((each) =>
    shownMembers(
      each,
      ['batchNo', 'channelCode', 'priceCurrency', 'startTime'],
      ['totalCount', 'netAmount', 'tipAmount', 'surchargeAmount', 'taxAmount'],
    ),
  )
  const theme = themeOf(stream)
  if (batchList.length === 0) return 'No open batch: nothing was paid since the last close.\n'
  const rows = batchList.map((batch) => {
    const money = (amount: number) => formatAmount(amount, batch.priceCurrency)
    return [
      batch.batchNo,
      batch.channelCode,
      batch.priceCurrency,
      String(batch.totalCount),
      theme.strong(money(batch.netAmount)),
      money(batch.tipAmount),
      money(batch.surchargeAmount),
      money(batch.taxAmount),
      theme.faint(minuteOf(batch.startTime)),
    ]
  })
  const head = ['batch', 'channel', '', 'count', 'net', 'tip', 'surcharge', 'tax', 'since']
  return `${columns(head, rows, theme, numbers)}\n`
}

const closedBatch = (given: Readonly<Record<string, unknown>>) =>
  shownMembers(
    given,
    ['batchNo', 'terminalSn', 'batchTime', 'priceCurrency'],
    ['transactionCount', 'netAmount', 'tipAmount', 'surchargeAmount', 'taxAmount'],
  )

/** What a close settled. */
export function renderClose(answer: BatchCloseAnswer): string {
  const { batchList, ...given } = cleaned(answer)
  const first = closedBatch({ ...given })
  const theme = themeOf('stdout')
  const rows = [first, ...objectsOf(batchList).map(closedBatch)].map((batch) => {
    const money = (amount: number) => formatAmount(amount, batch.priceCurrency)
    return [
      batch.batchNo,
      batch.priceCurrency,
      String(batch.transactionCount),
      theme.strong(money(batch.netAmount)),
      money(batch.tipAmount),
      money(batch.surchargeAmount),
      money(batch.taxAmount),
    ]
  })
  const head = ['batch', '', 'count', 'net', 'tip', 'surcharge', 'tax']
  const facts = pairs(
    [
      ['terminal', first.terminalSn],
      ['closed', timeText(first.batchTime)],
    ],
    theme,
  )
  return `${theme.good('✓ SETTLED')}\n${facts}\n\n${columns(head, rows, theme, numbers)}\n`
}

/** The closed batches of a terminal. */
export function renderClosed(answer: Partial<BatchCloseListAnswer>): string {
  const batchCloseList = objectsOf(cleaned(answer).batchCloseList).map((each) =>
    shownMembers(
      each,
      ['batchNo', 'channelCode', 'priceCurrency', 'batchTime', 'mid', 'tid'],
      ['totalCount', 'netAmount'],
    ),
  )
  const theme = themeOf('stdout')
  if (batchCloseList.length === 0) return 'No batch was closed in this period.\n'
  const rows = batchCloseList.map((batch) => [
    batch.batchNo,
    batch.channelCode,
    batch.priceCurrency,
    String(batch.totalCount),
    theme.strong(formatAmount(batch.netAmount, batch.priceCurrency)),
    theme.faint(minuteOf(batch.batchTime)),
    theme.faint(`${batch.mid} ${batch.tid}`),
  ])
  const head = ['batch', 'channel', '', 'count', 'net', 'closed', 'mid, tid']
  return `${columns(head, rows, theme, numbers)}\n`
}
