import * as v from 'valibot'
import { amount, described, list, named, one, shape, text } from '../answer-kinds.ts'
import { fields } from '../fields.ts'
import { answer, id, type Operation } from './operation.ts'
import { batchParties, urls } from './request-members.ts'

/** Batches: list, close and settle them. docs/api.md#service-4 */

export const settlementBase = '/v1/settlement'
const { channelCode } = fields

/** A number in the specification's dialect, text in that of the SDKs. */
const batchNo = v.union([id, v.number()], 'is neither text nor a number')

/** Totals of a batch. Amounts in minor units. */
const totals = {
  batchNo,
  priceCurrency: text,
  netAmount: described(amount, 'Payments less refunds'),
  tipAmount: amount,
  surchargeAmount: amount,
  taxAmount: amount,
}

const batchSummary = named(
  'BatchSummary',
  'An open batch; `startTime` in ISO 8601 with offset. SDKs get no `terminalSn`: they name a terminal',
  {
    ...totals,
    terminalSn: v.exactOptional(text),
    startTime: text,
    channelCode: text,
    totalCount: amount,
  },
)
export type BatchSummary = v.InferOutput<typeof batchSummary>

/** docs/api.md#operation-4-1 */
const batchQueryAnswer = answer(
  'BatchQueryAnswer',
  'Answer of batch query: one entry a terminal, channel and currency',
  ['batchList'],
  { batchList: list(batchSummary) },
)
export type BatchQueryAnswer = v.InferOutput<typeof batchQueryAnswer>

const closed = { ...totals, terminalSn: text, batchTime: text, transactionCount: amount }

/** docs/api.md#operation-4-2 */
const batchCloseAnswer = answer(
  'BatchCloseAnswer',
  'Answer of batch close: the first batch, and the others when several were closed',
  ['batchNo', 'batchList'],
  { ...closed, batchList: v.exactOptional(list(shape({ ...closed, channelCode: text }))) },
)
export type BatchCloseAnswer = v.InferOutput<typeof batchCloseAnswer>

/** A closed batch of the list; `mid` and `tid` are the acquirer's ids of merchant and terminal. */
const settledBatch = shape({
  batchNo,
  batchStatus: described(one(['S']), '`S`: settled'),
  batchTime: described(text, 'When it was closed'),
  totalCount: amount,
  netAmount: described(amount, 'Payments less refunds'),
  priceCurrency: text,
  channelCode: text,
  terminalSn: text,
  mid: text,
  tid: text,
})

const batchCloseListAnswer = answer(
  'BatchCloseListAnswer',
  'Answer of the list of closed batches',
  ['batchCloseList'],
  { batchCloseList: list(settledBatch) },
)
export type BatchCloseListAnswer = v.InferOutput<typeof batchCloseListAnswer>

export const settlement = {
  'batch-query': {
    command: 'batch query',
    number: '4.1',
    method: 'GET',
    otherMethod: 'POST',
    path: `${settlementBase}/batch-query`,
    summary: 'Show the open batches with their totals',
    runs: 'cloud',
    input: v.object(batchParties),
    answer: batchQueryAnswer,
  },
  'batch-close': {
    command: 'batch close',
    number: '4.2',
    method: 'POST',
    path: `${settlementBase}/batch-close`,
    summary: 'Close the open batches and settle them',
    runs: 'cloud',
    ends: true,
    input: v.object({
      transactionRequestId: fields.transactionRequestId,
      ...batchParties,
      channelCode,
      priceCurrency: fields.priceCurrency,
      description: fields.description,
      attach: fields.attach,
      printReceipt: fields.printBatch,
      ...urls,
    }),
    answer: batchCloseAnswer,
  },
  'batch-close-list': {
    command: 'batch list',
    number: null,
    method: 'GET',
    path: `${settlementBase}/batch-close-list`,
    summary: 'List the closed batches',
    runs: 'cloud',
    input: v.object({ ...batchParties, channelCode, startTime: fields.startTime, endTime: fields.endTime }),
    answer: batchCloseListAnswer,
  },
} as const satisfies Record<string, Operation>
