import * as v from 'valibot'
import { amount, text, word } from '../answer-kinds.ts'
import { fields } from '../fields.ts'
import { wireLetters } from '../statuses.ts'
import { answer, forbids, id, type Operation } from './operation.ts'
import { extras, followUpParties, merchant, money, original, referenceOrderId } from './request-members.ts'

/** Payments on a terminal, and their follow-ups. docs/api.md#service-1 */

const path = '/v1/semi-integration/transaction'
const { transactionRequestId, ownTransactionRequestId, pushToTerminal, description, attach, tipConfig } =
  fields

const opening = v.object({
  ...money,
  transactionRequestId,
  referenceOrderId,
  ...merchant,
  terminalSn: fields.terminalSn,
  ...extras,
  paymentMethod: fields.paymentMethod,
  cardNetworkType: fields.cardNetworkType,
  timeExpire: fields.timeExpire,
  signatureConfig: fields.signatureConfig,
  signatureEntryLocation: fields.signatureEntryLocation,
})

const followUp = v.object({
  ...original,
  ...money,
  transactionRequestId,
  ...followUpParties,
  pushToTerminal,
  ...extras,
})

/** The original as the request named it. */
const namedOriginal = {
  originalTransactionId: v.exactOptional(text),
  originalTransactionRequestId: v.exactOptional(text),
}
const transactionStatus = v.pipe(word(wireLetters), v.nonEmpty('is empty'))

const openedAnswer = answer(
  'OpenedAnswer',
  'Answer of an operation that opens a transaction. Its members per operation come from the public SDKs',
  ['transactionId'],
  {
    transactionId: id,
    transactionRequestId: text,
    transactionStatus,
    referenceOrderId: v.exactOptional(text),
    ...namedOriginal,
  },
)
export type OpenedAnswer = v.InferOutput<typeof openedAnswer>

export const inPerson = {
  sale: {
    command: 'sale',
    number: '1.1',
    method: 'POST',
    path: `${path}/sale`,
    summary: 'Take a payment on a terminal',
    runs: 'terminal',
    opens: 'SALE',
    input: v.object({ ...opening.entries, tipConfig }),
    answer: openedAnswer,
  },
  auth: {
    command: 'auth',
    number: '1.2',
    method: 'POST',
    path: `${path}/auth`,
    summary: 'Pre-authorise an amount on a terminal',
    runs: 'terminal',
    opens: 'AUTH',
    input: opening,
    answer: openedAnswer,
  },
  'forced-auth': {
    command: 'forced-auth',
    number: '1.3',
    method: 'POST',
    path: `${path}/forced-auth`,
    summary: 'Record a payment that the issuer approved elsewhere',
    runs: 'terminal',
    opens: 'FORCED_AUTH',
    input: opening,
    answer: openedAnswer,
  },
  'incremental-auth': {
    command: 'incremental-auth',
    number: '1.4',
    method: 'POST',
    path: `${path}/incremental-auth`,
    summary: 'Raise the amount of a pre-authorisation',
    runs: 'configurable',
    opens: 'INCREMENTAL',
    sdksRefuseOriginal: true,
    argument: 'originalTransactionId',
    forbids,
    input: followUp,
    answer: openedAnswer,
  },
  'post-auth': {
    command: 'post-auth',
    number: '1.5',
    method: 'POST',
    path: `${path}/post-auth`,
    summary: 'Capture a pre-authorisation',
    runs: 'configurable',
    opens: 'POST_AUTH',
    argument: 'originalTransactionId',
    forbids,
    input: v.object({ ...followUp.entries, tipConfig }),
    answer: openedAnswer,
  },
  refund: {
    command: 'refund',
    number: '1.6',
    method: 'POST',
    path: `${path}/refund`,
    summary: 'Refund a payment in full or part, or with no original',
    runs: 'configurable',
    opens: 'REFUND',
    argument: 'originalTransactionId',
    input: v.object({ ...original, ...opening.entries, ...followUpParties, pushToTerminal }),
    answer: openedAnswer,
  },
  void: {
    command: 'void',
    number: '1.7',
    method: 'POST',
    path: `${path}/void`,
    summary: 'Void a transaction of the same day',
    runs: 'configurable',
    opens: 'VOID',
    argument: 'originalTransactionId',
    forbids,
    input: v.object({ ...original, transactionRequestId, ...followUpParties, pushToTerminal, ...extras }),
    answer: openedAnswer,
  },
  abort: {
    command: 'abort',
    number: '1.8',
    method: 'POST',
    path: `${path}/abort`,
    summary: 'Abort a transaction that is not paid yet',
    runs: 'terminal',
    ends: true,
    argument: 'originalTransactionId',
    forbids,
    input: v.object({
      ...original,
      transactionRequestId: ownTransactionRequestId,
      ...followUpParties,
      description,
      attach,
    }),
    answer: answer('AbortAnswer', 'Answer of abort', ['transactionStatus'], {
      transactionStatus,
      ...namedOriginal,
    }),
  },
  'tip-adjust': {
    command: 'tip-adjust',
    number: '1.9',
    method: 'POST',
    path: `${path}/tip-adjust`,
    summary: 'Replace the tip of a completed transaction',
    runs: 'cloud',
    argument: 'originalTransactionId',
    forbids,
    input: v.object({
      ...original,
      tipAmount: fields.tipAmount,
      transactionRequestId: ownTransactionRequestId,
      ...followUpParties,
      attach,
    }),
    answer: answer('TipAdjustAnswer', 'Answer of tip adjust', ['tipAmount'], {
      tipAmount: amount,
      ...namedOriginal,
    }),
  },
} as const satisfies Record<string, Operation>
