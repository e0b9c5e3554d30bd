import * as v from 'valibot'
import type { OperationName } from './operations.ts'

/**
 * What the answer of each operation must have before anybody acts on it: the ids and states that decide what comes next.
 * Members that are only shown are not asked for: another service may leave them out. assumption: answer-shapes
 */

const id = v.pipe(v.string('is not text'), v.nonEmpty('is empty'))
const idOrNumber = v.union([id, v.number()], 'is neither text nor a number')
const opened = v.looseObject({ transactionId: id })
const list = v.nullish(v.array(v.looseObject({}, 'is not an object'), 'is not a list'))

/** A record in either dialect. Without an amount it tells of no payment. */
const record = v.pipe(
  v.looseObject({ transactionId: id, transactionStatus: id }),
  v.check(
    ({ amount, transactionAmount, orderAmount }) =>
      (typeof amount === 'object' && amount !== null) ||
      typeof transactionAmount === 'number' ||
      typeof orderAmount === 'number',
    'has no amount',
  ),
)

/** The shape of each answer. Unknown members are let pass. */
export const answerShapes = {
  sale: opened,
  auth: opened,
  'forced-auth': opened,
  'incremental-auth': opened,
  'post-auth': opened,
  refund: opened,
  void: opened,
  abort: v.looseObject({ transactionStatus: id }),
  'tip-adjust': v.looseObject({ tipAmount: v.number('is not a number') }),
  'create-session': v.looseObject({ checkoutUrl: id, sessionId: id }),
  'direct-payment': opened,
  'expire-session': v.looseObject({ sessionId: id }),
  'online-refund': opened,
  query: record,
  'batch-query': v.looseObject({ batchList: list }),
  'batch-close': v.looseObject({ batchNo: idOrNumber, batchList: list }),
  'batch-close-list': v.looseObject({ batchCloseList: list }),
  'merchant-query': v.looseObject({ merchantId: id }),
  'merchant-terminals': v.looseObject({ terminals: list, nextToken: v.nullish(v.string('is not text')) }),
} as const satisfies Record<OperationName, v.GenericSchema>
