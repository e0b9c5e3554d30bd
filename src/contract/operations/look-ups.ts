import * as v from 'valibot'
import { described, list, named, one, shape, text } from '../answer-kinds.ts'
import { fields } from '../fields.ts'
import { transactionRecord } from '../records.ts'
import { answer, atLeast, id, type Operation } from './operation.ts'
import { merchant } from './request-members.ts'

/** Look-ups of transactions, merchants and terminals. docs/api.md#service-3. public: sdk-operations */

/** The record in the dialect of its reader; a client requires of it that it has an amount. */
const recordAnswer = atLeast(
  transactionRecord,
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

const channel = { channelCode: text, channelName: text }

/** docs/api.md#merchants */
const merchantAnswer = answer('MerchantAnswer', 'Answer of the merchant look-up', ['merchantId'], {
  merchantId: id,
  dbaName: described(text, 'Name that customers know'),
  mcc: described(text, 'ISO 18245'),
  country: described(text, 'ISO 3166-1 alpha-3'),
  stateName: described(text, 'State or province'),
  cityName: text,
  street: text,
  detailAddress: text,
  zipCode: text,
  status: one(['Y', 'N']),
  createTime: described(text, "`yyyy-MM-ddTHH:mm:ss` in the merchant's time zone"),
  midList: described(list(shape({ ...channel, mid: text })), 'The acquirer’s ids of the merchant'),
})
export type MerchantAnswer = v.InferOutput<typeof merchantAnswer>

const terminalEntry = named('TerminalEntry', 'A terminal of the look-up', {
  terminalId: text,
  sn: text,
  vendor: text,
  model: text,
  createTime: text,
  tidList: described(list(shape({ ...channel, tid: text })), 'The acquirer’s ids of the terminal'),
})
export type TerminalEntry = v.InferOutput<typeof terminalEntry>

/** Answer of the look-up of terminals: up to 100, and the token of the next page. */
export const terminalsMembers = {
  merchantId: text,
  nextToken: v.exactOptional(text),
  terminals: list(terminalEntry),
}
const terminalsAnswer = answer(
  'TerminalsAnswer',
  'Answer of the look-up of terminals: up to 100, and the token of the next page',
  ['terminals', 'nextToken'],
  terminalsMembers,
)
export type TerminalsAnswer = v.InferOutput<typeof terminalsAnswer>

export const transactionLookUps = {
  query: {
    command: 'query',
    number: '3.1',
    method: 'GET',
    path: '/v1/transaction/query',
    summary: 'Show a transaction of any type',
    runs: 'cloud',
    argument: 'transactionId',
    input: v.object({
      transactionId: fields.transactionId,
      transactionRequestId: fields.queriedTransactionRequestId,
      ...merchant,
    }),
    answer: recordAnswer,
  },
} as const satisfies Record<string, Operation>

export const merchantLookUps = {
  'merchant-query': {
    command: 'merchant show',
    number: null,
    method: 'GET',
    path: '/v1/merchant/query',
    summary: 'Show the merchant’s name, address and acquirer ids',
    runs: 'cloud',
    input: v.object(merchant),
    answer: merchantAnswer,
  },
  'merchant-terminals': {
    command: 'merchant terminals',
    number: null,
    method: 'GET',
    path: '/v1/merchant/terminals/query',
    summary: 'List the terminals of the merchant',
    runs: 'cloud',
    input: v.object({ ...merchant, nextToken: fields.nextToken }),
    answer: terminalsAnswer,
  },
} as const satisfies Record<string, Operation>
