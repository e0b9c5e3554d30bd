import {
  isShared,
  type NestedAmount,
  type PlainRecord,
  type Reader,
  type SdkRecord,
  type SharedMembers,
  type SpecRecord,
  type TransactionRecord,
} from '../../contract/records.ts'
import { statusLetters } from '../../contract/statuses.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import { localDateTime } from '../../domain/model/local-time.ts'
import { authorisedAmount, isInEffect, leftToRefund } from '../../domain/model/parts.ts'
import { rrnOf, stanOf, voucherNoOf } from '../../domain/model/record-numbers.ts'
import { hasMoment } from '../../domain/model/timeline.ts'
import { batchStatusOf } from '../../domain/model/totals.ts'
import { amountOf, type Transaction } from '../../domain/model/transaction.ts'
import { relatedStatusOf } from '../../domain/original-effects.ts'

/** The transaction record in the caller's shape. */
export function recordForReader(ledger: Ledger, transaction: Transaction, reader: Reader): TransactionRecord {
  if (reader === 'plain') return plainRecord(ledger, transaction)
  return reader === 'spec' ? specRecord(ledger, transaction) : sdkRecord(ledger, transaction, reader)
}

/** All thirty members, null where there is no value. docs/api.md#record. assumption: terminal-screens */
export function specRecord(ledger: Ledger, transaction: Transaction): SpecRecord {
  const { settings } = ledger
  const { cardRead: card } = transaction
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
    authenticationMethod: verifiedBy(transaction),
    transactionResultCode: transaction.resultCode,
    transactionResultMsg: transaction.resultMsg,
    terminalSn: transaction.terminalSn,
    description: transaction.description,
    attach: transaction.attach,
  }
}

/** SIGNATURE only once somebody signed. assumption: terminal-screens */
function verifiedBy(transaction: Transaction): string | null {
  if (hasMoment(transaction, 'signed')) return 'SIGNATURE'
  const method = transaction.cardRead?.authenticationMethod ?? null
  return method === 'SIGNATURE' ? 'NOT_AUTHENTICATED' : method
}

/** The specification's record with the SDKs' members, for a plain client. A spread is four times slower. */
function plainRecord(ledger: Ledger, transaction: Transaction): PlainRecord {
  const record = specRecord(ledger, transaction)
  return Object.assign(record, {
    amount: nestedAmount(transaction),
    paymentMethodId: record.paymentMethod ?? undefined,
    subPaymentMethodId: record.subPaymentMethod ?? undefined,
    totalAuthorizedAmount: totalAuthorized(transaction),
    refundableAmount: leftToRefund(transaction) ?? undefined,
  })
}

/** The parts of a transaction's amount and their sum. */
export const nestedAmount = (transaction: Transaction): NestedAmount => {
  const total = amountOf(transaction)
  return {
    priceCurrency: transaction.currency,
    transAmount: total,
    transactionAmount: total,
    orderAmount: transaction.order,
    taxAmount: transaction.tax,
    surchargeAmount: transaction.surcharge,
    tipAmount: transaction.tip,
    cashbackAmount: transaction.cashback,
  }
}

/**
 * The authorised total of an AUTH in effect; otherwise absent, because nothing is authorised.
 * assumption: dialect
 */
const totalAuthorized = (transaction: Transaction): number | undefined =>
  transaction.type === 'AUTH' && isInEffect(transaction) ? authorisedAmount(transaction) : undefined

/** The SDKs' record, with nested amounts; the strict reader gets only members that it knows. */
export function sdkRecord(ledger: Ledger, transaction: Transaction, reader: 'sdk' | 'strict-sdk'): SdkRecord {
  const record = specRecord(ledger, transaction)
  const later = {
    relatedTransactionStatus: relatedStatusOf(transaction) ?? undefined,
    transactionBatchStatus: batchStatusOf(ledger, transaction),
    totalAuthorizedAmount: totalAuthorized(transaction),
    refundableAmount: leftToRefund(transaction) ?? undefined,
  }
  return Object.assign(sharedMembers(record), {
    amount: nestedAmount(transaction),
    paymentMethodId: record.paymentMethod ?? undefined,
    subPaymentMethodId: record.subPaymentMethod ?? undefined,
    batchNo: record.batchNo === null ? undefined : String(record.batchNo),
    ...(reader === 'sdk' && later),
  })
}

/** The members that both records have, absent where there is no value. */
const sharedMembers = (record: SpecRecord): SharedMembers =>
  Object.fromEntries(
    Object.entries(record).filter(([member, value]) => value !== null && isShared(member)),
  ) as SharedMembers
