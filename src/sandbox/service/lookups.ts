import { rejectField } from '../../contract/errors.ts'
import { limits } from '../../contract/headers.ts'
import type { MerchantAnswer, TerminalsAnswer } from '../../contract/operations/look-ups.ts'
import type {
  BatchCloseAnswer,
  BatchCloseListAnswer,
  BatchQueryAnswer,
} from '../../contract/operations/settlement.ts'
import type { ServiceInput } from '../../contract/operations.ts'
import { batchNoFor, type Reader, readsSpec } from '../../contract/records.ts'
import { channels } from '../../contract/statuses.ts'
import type { MerchantProfile } from '../../domain/fixtures.ts'
import type { Batch, BatchClose, Ledger } from '../../domain/model/ledger.ts'
import { localDateTime, offsetDateTime } from '../../domain/model/local-time.ts'
import { acquirerMid, acquirerTid } from '../../domain/model/totals.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import { requireNamed } from '../../domain/rules/originals.ts'
import { countedBatches, matchesFilter } from '../../domain/rules/settlement.ts'

/** Answers of the service that are read from the ledger. Nothing here changes it. */

/** The named transaction; transactionId wins. docs/api.md#operation-3-1. assumption: named-transactions */
export const requireTransaction = (ledger: Ledger, input: ServiceInput<'query'>): Transaction =>
  requireNamed(ledger, input, 'transactionId', 'transactionRequestId')

const batchAmounts = ({ net, tip, surcharge, tax }: Batch) => ({
  netAmount: net,
  tipAmount: tip,
  surchargeAmount: surcharge,
  taxAmount: tax,
})

/** docs/api.md#operation-4-1. assumption: batches */
export function batchList(
  ledger: Ledger,
  input: ServiceInput<'batch-query'>,
  reader: Reader,
): BatchQueryAnswer {
  const toSummary = (batch: Batch) => {
    const summary = {
      batchNo: batchNoFor(reader, batch.batchNo),
      startTime: offsetDateTime(batch.openedAt, ledger.settings.timeZone),
      channelCode: batch.channelCode,
      priceCurrency: batch.currency,
      totalCount: batch.count,
      ...batchAmounts(batch),
    }
    return readsSpec(reader) ? { terminalSn: batch.terminalSn, ...summary } : summary
  }
  return { batchList: countedBatches(ledger, input).map(toSummary) }
}

/** The first batch, with any others in `batchList` if the reader accepts it. docs/api.md#operation-4-2 */
export function batchCloseAnswer(ledger: Ledger, close: BatchClose, reader: Reader): BatchCloseAnswer {
  const toBatchSummary = (batch: Batch): Omit<BatchCloseAnswer, 'batchList'> => ({
    batchNo: batchNoFor(reader, batch.batchNo),
    terminalSn: batch.terminalSn,
    batchTime: offsetDateTime(close.closedAt, ledger.settings.timeZone),
    transactionCount: batch.count,
    priceCurrency: batch.currency,
    ...batchAmounts(batch),
  })
  const [first, ...others] = close.batches as [Batch, ...Batch[]]
  const answer = toBatchSummary(first)
  if (others.length === 0 || reader === 'strict-sdk') return answer
  return {
    ...answer,
    batchList: others.map((batch) => ({ ...toBatchSummary(batch), channelCode: batch.channelCode })),
  }
}

/** Default period of the list of closed batches, in milliseconds. assumption: close-list */
const usualSpan = 7 * 86_400_000

/** Closed batches, newest last. */
export function batchCloseList(
  ledger: Ledger,
  input: ServiceInput<'batch-close-list'>,
  reader: Reader,
  now: number,
): BatchCloseListAnswer {
  const { merchantId, timeZone } = ledger.settings
  const [from, until] = requestedPeriod(input, now)
  const indexes = new Map([...ledger.terminals.keys()].map((terminalSn, index) => [terminalSn, index]))
  const closes = [...ledger.closes.values()].filter(
    (close) => close.closedAt >= from && close.closedAt <= until,
  )
  return {
    batchCloseList: closes.flatMap(({ batches, closedAt }) =>
      batches
        .filter((batch) => matchesFilter(batch, input))
        .map((batch) => ({
          batchNo: batchNoFor(reader, batch.batchNo),
          batchStatus: 'S',
          batchTime: offsetDateTime(closedAt, timeZone),
          totalCount: batch.count,
          netAmount: batch.net,
          priceCurrency: batch.currency,
          channelCode: batch.channelCode,
          terminalSn: batch.terminalSn,
          mid: acquirerMid(merchantId, batch.channelCode),
          tid: acquirerTid(indexes.get(batch.terminalSn) ?? 0, batch.channelCode),
        })),
    ),
  }
}

function requestedPeriod(
  { startTime, endTime }: ServiceInput<'batch-close-list'>,
  now: number,
): [from: number, until: number] {
  if (startTime == null && endTime == null) return [now - usualSpan, now]
  if (startTime == null) return rejectField('startTime', 'is required together with endTime')
  if (endTime == null) return rejectField('endTime', 'is required together with startTime')
  const [from, until] = [Date.parse(startTime), Date.parse(endTime)]
  if (until < from) rejectField('endTime', 'must not be before startTime')
  if (until - from > limits.closeListSpan) rejectField('endTime', 'must be at most 30 days after startTime')
  return [from, until]
}

/** docs/api.md#service-5. public: merchant-records */
export function merchantRecord(ledger: Ledger, { details }: MerchantProfile, now: number): MerchantAnswer {
  const { merchantId, timeZone } = ledger.settings
  return {
    merchantId,
    ...details,
    status: 'Y',
    createTime: details.createTime || localDateTime(ledger.registeredAt ?? now, timeZone),
    midList: channels.map((channel) => ({ ...channel, mid: acquirerMid(merchantId, channel.channelCode) })),
  }
}

/** Terminals on a page. */
const pageSize = 100

/** docs/api.md#service-5. public: merchant-records */
export function terminalPage(
  ledger: Ledger,
  { nextToken }: ServiceInput<'merchant-terminals'>,
  { details }: MerchantProfile,
): TerminalsAnswer {
  const { merchantId, timeZone } = ledger.settings
  const start = nextToken == null ? 0 : offsetIn(nextToken, ledger.terminals.size)
  const page = [...ledger.terminals.values()].slice(start, start + pageSize)
  const end = start + page.length
  return {
    merchantId,
    ...(end < ledger.terminals.size && { nextToken: tokenForOffset(end) }),
    terminals: page.map(({ terminalSn, registeredAt }, index) => ({
      terminalId: String(start + index + 1).padStart(8, '0'),
      sn: terminalSn,
      vendor: 'Tillbox',
      model: 'Virtual Terminal',
      createTime: registeredAt === null ? details.createTime : localDateTime(registeredAt, timeZone),
      tidList: channels.map((channel) => ({
        ...channel,
        tid: acquirerTid(start + index, channel.channelCode),
      })),
    })),
  }
}

/** An opaque page token: the offset of the next page in the order of the terminals. */
const tokenForOffset = (offset: number): string => Buffer.from(`terminals:${offset}`).toString('base64url')

function offsetIn(token: string, count: number): number {
  const [, offset] = /^terminals:(\d{1,9})$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (offset === undefined || Number(offset) >= count || tokenForOffset(Number(offset)) !== token)
    return rejectField('nextToken', 'must be the nextToken of an answer before')
  return Number(offset)
}
