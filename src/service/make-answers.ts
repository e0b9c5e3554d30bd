import type {
  AbortAnswer,
  DirectPaymentAnswer,
  EchoedAmount,
  ExpiredAnswer,
  OnlineRefundAnswer,
  OpenedAnswer,
  SessionAnswer,
  TipAdjustAnswer,
} from '../contract/answers.ts'
import { type Operation, type OperationName, operations } from '../contract/operations.ts'
import type { Reader } from '../contract/records.ts'
import { checkoutPath } from '../contract/sandbox/control-answers.ts'
import { statusLetters } from '../contract/statuses.ts'
import type { OpeningName } from '../domain/model/commands.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { offsetDateTime } from '../domain/model/local-time.ts'
import { amountOf, type Transaction } from '../domain/model/transaction.ts'
import type { OriginalPair } from '../domain/rules/originals.ts'
import { nestedAmount, sdkRecord } from '../records/transaction-record.ts'

/** The original as the request named it: only what it gave. */
function pairOf({ originalTransactionId, originalTransactionRequestId }: OriginalPair) {
  return {
    ...(originalTransactionId != null && { originalTransactionId }),
    ...(originalTransactionRequestId != null && { originalTransactionRequestId }),
  }
}

/**
 * The answer to a request that opened a transaction, the first time and when replayed. What was pushed to a terminal is
 * INITIAL; what the cloud processed is as the cloud left it. Each operation has the members that every SDK accepts.
 */
export function openedAnswer(
  ledger: Ledger,
  operation: OpeningName,
  transaction: Transaction,
  pair: OriginalPair,
  reader: Reader,
): OpenedAnswer {
  const { forbids }: Operation = operations[operation]
  const carriesOrder = forbids?.includes('referenceOrderId') !== true
  const carriesPair = !(operation === 'incremental-auth' && reader === 'strict-sdk')
  return {
    transactionId: transaction.id,
    ...(carriesOrder && transaction.orderId !== null && { referenceOrderId: transaction.orderId }),
    transactionRequestId: transaction.transactionRequestId,
    ...(carriesPair && pairOf(pair)),
    transactionStatus: statusLetters[answeredStatus(ledger, transaction)],
  }
}

function answeredStatus(ledger: Ledger, transaction: Transaction): Transaction['status'] {
  if (!transaction.inCloud) return 'INITIAL'
  return isLate(ledger, transaction) ? 'PROCESSING' : transaction.status
}

/** True when the host took its time, so that the first answer could not tell the result. */
const isLate = ({ catalogue }: Ledger, { outcome }: Transaction): boolean =>
  (catalogue.outcomeNamed(outcome ?? '')?.delay ?? 0) > 0

/** C when the abort came in time; P when the host had been asked, and the outcome stands. */
export const abortAnswer = (transaction: Transaction, pair: OriginalPair): AbortAnswer => ({
  ...pairOf(pair),
  transactionStatus: transaction.status === 'CLOSED' ? 'C' : 'P',
})

/** The new tip. */
export const tipAdjustAnswer = (input: OriginalPair & { readonly tipAmount: number }): TipAdjustAnswer => ({
  ...pairOf(input),
  tipAmount: input.tipAmount,
})

/**
 * The page to send the shopper to, and what it is to pay; `baseUrl`: the public URL, or that by which the caller reached the sandbox.
 * assumption: session-echo
 */
export function sessionAnswer(
  { settings }: Ledger,
  transaction: Transaction,
  baseUrl: string,
): SessionAnswer {
  const { transactionRequestId, orderId, online, expiresAt, description } = transaction
  return {
    checkoutUrl: `${baseUrl}${checkoutPath(online?.sessionId ?? '')}`,
    sessionId: online?.sessionId ?? '',
    expiresAt: offsetDateTime(expiresAt ?? 0, settings.timeZone),
    merchantId: settings.merchantId,
    transactionRequestId,
    ...(orderId !== null && { referenceOrderId: orderId }),
    amount: echoedAmount(transaction),
    ...(description !== null && { description }),
    ...(online?.products.length && { productList: online.products }),
  }
}

/** No more parts than were asked for: an SDK need not know the others here. */
const echoedAmount = ({ currency, order, tax, surcharge, tip, cashback }: Transaction): EchoedAmount => ({
  priceCurrency: currency,
  orderAmount: order,
  ...(tax > 0 && { taxAmount: tax }),
  ...(surcharge > 0 && { surchargeAmount: surcharge }),
  ...(tip > 0 && { tipAmount: tip }),
  ...(cashback > 0 && { cashbackAmount: cashback }),
})

/** What a wallet payment opened. */
export const directPaymentAnswer = ({
  id,
  transactionRequestId,
  orderId,
}: Transaction): DirectPaymentAnswer => ({
  transactionId: id,
  ...(orderId !== null && { referenceOrderId: orderId }),
  transactionRequestId,
})

/** The session that the merchant closed. */
export const expiredAnswer = (
  { settings }: Ledger,
  { id, transactionRequestId, online, completedAt }: Transaction,
): ExpiredAnswer => ({
  sessionId: online?.sessionId ?? '',
  sessionStatus: 'EXPIRED',
  transactionId: id,
  transactionRequestId,
  expiredAt: offsetDateTime(completedAt ?? 0, settings.timeZone),
})

/** An online refund as the cloud left it, the first time and when replayed. */
export function onlineRefundAnswer(ledger: Ledger, transaction: Transaction): OnlineRefundAnswer {
  const record = sdkRecord(ledger, transaction, 'strict-sdk')
  const { completeTime, transactionResultCode, transactionResultMsg } = record
  return {
    transactionId: record.transactionId,
    transactionRequestId: record.transactionRequestId,
    originalTransactionId: transaction.originalId ?? '',
    transactionStatus: statusLetters[answeredStatus(ledger, transaction)],
    transactionType: 'REFUND',
    amount: { ...nestedAmount(transaction), totalAmount: amountOf(transaction) },
    createTime: record.createTime,
    ...(!isLate(ledger, transaction) && { completeTime, transactionResultCode, transactionResultMsg }),
    description: record.description,
  }
}

/** An answer without members that only a sandbox has. assumption: extras */
type Without = (data: object) => object

const without =
  (member: string): Without =>
  (data) => {
    const { [member]: _, ...rest } = data as Record<string, unknown>
    return rest
  }

const withoutExtra: { readonly [N in OperationName]?: Without } = {
  query: without('refundableAmount'),
  'batch-query': (data) => {
    const { batchList } = data as { readonly batchList: readonly object[] }
    return { batchList: batchList.map(without('terminalSn')) }
  },
  'batch-close': without('batchList'),
}

/** The data of an answer without what only a sandbox has. */
export const withoutExtras = (operation: OperationName, data: object): object =>
  withoutExtra[operation]?.(data) ?? data
