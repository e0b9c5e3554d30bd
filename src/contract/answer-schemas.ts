import * as v from 'valibot'
import { isObject } from '../is-object.ts'
import type * as answers from './answers.ts'
import type { PlainRecord, SpecRecord } from './records.ts'

/**
 * What clients require of an answer: the ids and states that decide the next step. Members that are only shown are not
 * required: another service may leave them out. assumption: cli-answers
 */

/** A schema that requires less than the whole answer; `T` is the whole answer of this version. */
const atLeast = <T>(schema: v.GenericSchema) => schema as v.GenericSchema<unknown, T>

const id = v.pipe(v.string('is not text'), v.nonEmpty('is empty'))
const list = v.nullish(v.array(v.looseObject({}, 'is not an object'), 'is not a list'))

export const opened = atLeast<answers.OpenedAnswer>(v.looseObject({ transactionId: id }))

export const directlyPaid = atLeast<answers.DirectPaymentAnswer>(v.looseObject({ transactionId: id }))

export const refundedOnline = atLeast<answers.OnlineRefundAnswer>(v.looseObject({ transactionId: id }))

export const aborted = atLeast<answers.AbortAnswer>(v.looseObject({ transactionStatus: id }))

export const tipAdjusted = atLeast<answers.TipAdjustAnswer>(
  v.looseObject({ tipAmount: v.number('is not a number') }),
)

export const session = atLeast<answers.SessionAnswer>(v.looseObject({ checkoutUrl: id, sessionId: id }))

export const expired = atLeast<answers.ExpiredAnswer>(v.looseObject({ sessionId: id }))

/** A record in either dialect; it must have an amount. */
export const record = atLeast<SpecRecord & Partial<PlainRecord>>(
  v.pipe(
    v.looseObject({ transactionId: id, transactionStatus: id }),
    v.check(
      ({ amount, transactionAmount, orderAmount }) =>
        (typeof amount === 'object' && amount !== null) ||
        typeof transactionAmount === 'number' ||
        typeof orderAmount === 'number',
      'has no amount',
    ),
  ),
)

export const openBatches = atLeast<answers.BatchQueryAnswer>(v.looseObject({ batchList: list }))

export const batchClose = atLeast<answers.BatchCloseAnswer>(
  v.looseObject({
    batchNo: v.union([id, v.number()], 'is neither text nor a number'),
    batchList: list,
  }),
)

export const closedBatches = atLeast<answers.BatchCloseListAnswer>(v.looseObject({ batchCloseList: list }))

export const merchant = atLeast<answers.MerchantAnswer>(v.looseObject({ merchantId: id }))

export const terminals = atLeast<answers.TerminalsAnswer>(
  v.looseObject({ terminals: list, nextToken: v.nullish(v.string('is not text')) }),
)

/** The shape of an answer or of an event. */
export type Shape = v.GenericSchema

/** How data differs from a shape: `data.transactionId is missing`; undefined if it matches. */
export function mismatchOf(data: unknown, shape: Shape): string | undefined {
  if (data === undefined) return 'data is missing'
  if (!isObject(data)) return 'data is not an object'
  const [issue] = v.safeParse(shape, data, { abortEarly: true }).issues ?? []
  if (issue === undefined) return undefined
  return `data.${v.getDotPath(issue) ?? ''} ${issue.input === undefined ? 'is missing' : issue.message}`
}
