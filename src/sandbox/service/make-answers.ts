import { checkoutPath } from '../../contract/control/control-answers.ts'
import type {
  DirectPaymentAnswer,
  EchoedAmount,
  ExpiredAnswer,
  OnlineRefundAnswer,
  SessionAnswer,
} from '../../contract/operations/checkout.ts'
import type { OpenedAnswer } from '../../contract/operations/in-person.ts'
import type { OriginalReference } from '../../contract/operations/request-members.ts'
import { type OperationName, operationRow } from '../../contract/operations.ts'
import type { Reader } from '../../contract/records.ts'
import { statusLetters } from '../../contract/statuses.ts'
import type { OpeningName } from '../../domain/model/commands.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import { offsetDateTime } from '../../domain/model/local-time.ts'
import { amountOf, type Transaction } from '../../domain/model/transaction.ts'
import { nestedAmount, sdkRecord } from '../records/transaction-record.ts'

/** The ids by which the request named its original, without the absent ones. */
export function originalIds({ originalTransactionId, originalTransactionRequestId }: OriginalReference) {
  return {
    ...(originalTransactionId != null && { originalTransactionId }),
    ...(originalTransactionRequestId != null && { originalTransactionRequestId }),
  }
}

/**
 * The answer to a request that opened a transaction, both first and replayed. A transaction on a terminal is
 * INITIAL; one in the cloud has its status, or PROCESSING if its outcome delays the host. Only members that
 * the SDKs accept for the operation.
 */
export function openedAnswer(
  ledger: Ledger,
  operation: OpeningName,
  transaction: Transaction,
  pair: OriginalReference,
  reader: Reader,
): OpenedAnswer {
  const { forbids, sdksRefuseOriginal } = operationRow(operation)
  const carriesOrder = forbids?.includes('referenceOrderId') !== true
  const carriesPair = sdksRefuseOriginal !== true || reader !== 'strict-sdk'
  return {
    transactionId: transaction.id,
    ...(carriesOrder && transaction.orderId !== null && { referenceOrderId: transaction.orderId }),
    transactionRequestId: transaction.transactionRequestId,
    ...(carriesPair && originalIds(pair)),
    transactionStatus: statusLetters[answeredStatus(ledger, transaction)],
  }
}

function answeredStatus(ledger: Ledger, transaction: Transaction): Transaction['status'] {
  if (!transaction.inCloud) return 'INITIAL'
  return isLate(ledger, transaction) ? 'PROCESSING' : transaction.status
}

/** True when the outcome delays the host, so that the first answer comes before the result. */
const isLate = ({ catalogue }: Ledger, { outcome }: Transaction): boolean =>
  (catalogue.outcomeNamed(outcome ?? '')?.delay ?? 0) > 0

/**
 * The URL of the hosted page, and what the request asked for. `baseUrl`: the public URL, else the URL by
 * which the caller reached the sandbox. assumption: checkout
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

/** Parts of zero are left out: an SDK may not know them in this answer. */
const echoedAmount = ({ currency, order, tax, surcharge, tip }: Transaction): EchoedAmount => ({
  priceCurrency: currency,
  orderAmount: order,
  ...(tax > 0 && { taxAmount: tax }),
  ...(surcharge > 0 && { surchargeAmount: surcharge }),
  ...(tip > 0 && { tipAmount: tip }),
})

/** The transaction that a wallet payment opened. */
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

/** An online refund, both first and replayed; without a result if its outcome delays the host. */
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

/** Returns the data of an answer without the sandbox's own members. assumption: extras */
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

/** The data of an answer without the sandbox's own members. */
export const withoutExtras = (operation: OperationName, data: object): object =>
  withoutExtra[operation]?.(data) ?? data
