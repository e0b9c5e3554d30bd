import type { Receipt, ReceiptLine } from '../../contract/control/screens.ts'
import { formatAmount } from '../../contract/currencies.ts'
import { reject } from '../../contract/errors.ts'
import { isFinal } from '../../contract/statuses.ts'
import type { MerchantProfile } from '../../domain/fixtures.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import { offsetDateTime } from '../../domain/model/local-time.ts'
import { rrnOf, stanOf, voucherNoOf } from '../../domain/model/record-numbers.ts'
import { hasMoment } from '../../domain/model/timeline.ts'
import { amountOf, type Transaction } from '../../domain/model/transaction.ts'
import { command } from '../../shared/text/commands.ts'

/** Both copies of a receipt. Only the merchant's has a line to sign. */
export function receiptOf(ledger: Ledger, transaction: Transaction, { details }: MerchantProfile): Receipt {
  if (transaction.terminalSn === null)
    reject('SBX_NOT_ALLOWED', {
      field: 'transactionId',
      detail: `${transaction.id} was made online, and only a terminal prints receipts`,
      remedy: `Show it: ${command('query', transaction.id)}`,
    })
  if (!isFinal(transaction.status))
    reject('SBX_NOT_ALLOWED', {
      field: 'transactionId',
      detail: `${transaction.id} is ${transaction.status}; a receipt is printed when a terminal has finished`,
    })
  const head: ReceiptLine[] = [
    { kind: 'title', text: details.dbaName },
    { kind: 'text', text: [details.street, details.cityName, details.zipCode].filter(Boolean).join(', ') },
    { kind: 'rule' },
    { kind: 'strong', text: transaction.type.replaceAll('_', ' ') },
    ...pairs(ledger, transaction),
    { kind: 'rule' },
    ...amounts(transaction),
    { kind: 'rule' },
    ...verdict(transaction),
  ]
  return {
    transactionId: transaction.id,
    merchant: [...head, ...signatureLine(transaction), { kind: 'text', text: 'Merchant copy' }, test],
    customer: [...head, { kind: 'text', text: 'Customer copy' }, test],
  }
}

const test: ReceiptLine = { kind: 'text', text: 'TEST – no money moved' }

const pair = (label: string, value: string | number | null | undefined): ReceiptLine[] =>
  value == null || value === '' ? [] : [{ kind: 'pair', label, value: String(value) }]

function pairs(ledger: Ledger, transaction: Transaction): ReceiptLine[] {
  const { cardRead: card } = transaction
  const at = offsetDateTime(transaction.completedAt ?? transaction.createdAt, ledger.settings.timeZone)
  return [
    ...pair('Date', at.slice(0, 10)),
    ...pair('Time', `${at.slice(11, 19)} ${at.slice(19).replace('+00:00', 'UTC')}`),
    ...pair('Merchant', ledger.settings.merchantId),
    ...pair('Terminal', transaction.terminalSn),
    ...pair('Order', transaction.orderId),
    ...pair('Card', card?.paymentMethod),
    ...pair('Number', card?.maskedPan?.replace(/^.*(?=.{4}$)/, '**** ')),
    ...pair('Entry', card?.entryMode),
    ...pair('Voucher', voucherNoOf(transaction)),
    ...pair('Batch', transaction.batchNo),
    ...pair('STAN', stanOf(transaction)),
    ...pair('RRN', rrnOf(transaction)),
    ...pair('Auth code', transaction.authCode),
  ]
}

function amounts(transaction: Transaction): ReceiptLine[] {
  const { currency, order, tip, tax, surcharge, cashback } = transaction
  const parts = (
    [
      ['Tip', tip],
      ['Tax', tax],
      ['Surcharge', surcharge],
      ['Cashback', cashback],
    ] as const
  )
    .filter(([, amount]) => amount > 0)
    .flatMap(([label, amount]) => pair(label, formatAmount(amount, currency)))
  const total: ReceiptLine = {
    kind: 'total',
    label: `Total ${currency}`,
    value: formatAmount(amountOf(transaction), currency),
  }
  return parts.length === 0 ? [total] : [...pair('Amount', formatAmount(order, currency)), ...parts, total]
}

const verdicts = { SUCCESS: 'APPROVED', FAIL: 'DECLINED', CLOSED: 'CANCELLED' } as const

function verdict({ status, resultCode, resultMsg, id }: Transaction): ReceiptLine[] {
  const word = verdicts[status as keyof typeof verdicts]
  return [
    { kind: 'strong', text: resultCode === null ? word : `${word} ${resultCode}` },
    ...(status === 'FAIL' && resultMsg ? [{ kind: 'text', text: resultMsg } as const] : []),
    { kind: 'text', text: id },
  ]
}

function signatureLine(transaction: Transaction): ReceiptLine[] {
  const signed = hasMoment(transaction, 'signed')
  const { signature } = transaction.instructions ?? {}
  const signs =
    signed ||
    signature === 'ON_RECEIPT' ||
    (signature !== 'NONE' && transaction.cardRead?.authenticationMethod === 'SIGNATURE')
  if (!signs || transaction.status !== 'SUCCESS') return []
  return signed
    ? [{ kind: 'text', text: 'Signed on screen' }]
    : [{ kind: 'space' }, { kind: 'pair', label: 'Signature', value: '....................' }]
}
