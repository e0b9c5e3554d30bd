import type {
  AbsentWhereNull,
  Reader,
  SdkRecord,
  SpecRecord,
  TransactionRecord,
} from '../contract/records.ts'
import { statusLetters } from '../contract/statuses.ts'
import { cardReadOf } from '../domain/model/cards.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { localDateTime } from '../domain/model/local-time.ts'
import { rrnOf, stanOf, voucherNoOf } from '../domain/model/references.ts'
import { batchStatusOf } from '../domain/model/totals.ts'
import { amountOf, type Transaction } from '../domain/model/transaction.ts'
import { relatedStatusOf } from '../domain/originals.ts'

/** The transaction record in the caller's shape. */
export function recordOf(ledger: Ledger, transaction: Transaction, reader: Reader): TransactionRecord {
  return reader === 'spec' ? specRecord(ledger, transaction) : sdkRecord(ledger, transaction, reader)
}

/** All thirty members, null where there is no value. docs/api.md#record */
export function specRecord({ settings }: Ledger, transaction: Transaction): SpecRecord {
  const card = cardReadOf(transaction)
  return {
    transactionId: transaction.id,
    transactionRequestId: transaction.transactionRequestId,
    referenceOrderId: transaction.orderId,
    transactionStatus: statusLetters[transaction.status],
    transactionType: transaction.type,
    createTime: localDateTime(transaction.createdAt, settings.timeZone),
    completeTime:
      transaction.completedAt === null ? null : localDateTime(transaction.completedAt, settings.timeZone),
    priceCurrency: transaction.currency,
    orderAmount: transaction.order,
    transactionAmount: amountOf(transaction),
    taxAmount: transaction.tax,
    surchargeAmount: transaction.surcharge,
    tipAmount: transaction.tip,
    cashbackAmount: transaction.cashback,
    maskedPan: card?.maskedPan ?? null,
    cardNetworkType: card?.cardNetworkType ?? null,
    paymentMethod: card?.paymentMethod ?? null,
    subPaymentMethod: card?.subPaymentMethod ?? null,
    batchNo: transaction.batchNo,
    voucherNo: voucherNoOf(transaction),
    stan: stanOf(transaction),
    rrn: rrnOf(transaction),
    authCode: transaction.authCode,
    entryMode: card?.entryMode ?? null,
    authenticationMethod: card?.authenticationMethod ?? null,
    transactionResultCode: transaction.resultCode,
    transactionResultMsg: transaction.resultMsg,
    terminalSn: transaction.terminalSn,
    description: transaction.description,
    attach: transaction.attach,
  }
}

/** The nested record; the strict reader gets only members that it knows. */
export function sdkRecord(ledger: Ledger, transaction: Transaction, reader: 'sdk' | 'strict-sdk'): SdkRecord {
  const { batchNo, paymentMethod, subPaymentMethod, priceCurrency, transactionAmount, ...record } =
    specRecord(ledger, transaction)
  const { orderAmount, taxAmount, surchargeAmount, tipAmount, cashbackAmount, ...same } = record
  const parts = { orderAmount, taxAmount, surchargeAmount, tipAmount, cashbackAmount }
  const later = {
    relatedTransactionStatus: relatedStatusOf(transaction) ?? undefined,
    transactionBatchStatus: batchStatusOf(ledger, transaction),
  }
  return {
    ...withoutNulls(same),
    amount: { priceCurrency, transAmount: transactionAmount, transactionAmount, ...parts },
    paymentMethodId: paymentMethod ?? undefined,
    subPaymentMethodId: subPaymentMethod ?? undefined,
    batchNo: batchNo === null ? undefined : String(batchNo),
    ...(reader === 'sdk' && later),
  }
}

/** A member without a value is absent. */
const withoutNulls = <T extends object>(members: T): AbsentWhereNull<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as AbsentWhereNull<T>
