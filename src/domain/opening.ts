import type { Opened } from './events.ts'
import type { Ledger, Transaction } from './ledger.ts'

/** Enters an accepted transaction: into the ledger, and in line at its terminal. */
export function open(ledger: Ledger, event: Opened, at: number): Transaction {
  const transaction = transactionFrom(event, at)
  ledger.transactions.set(transaction.id, transaction)
  ledger.byRequestId.set(transaction.requestId, transaction)
  ledger.trace = Number(event.stan)
  const terminal = ledger.terminals.get(event.terminalSn)
  if (terminal !== undefined) {
    terminal.voucherNo = Number(event.voucherNo)
    if (!event.inCloud) terminal.line.push(event.id)
  }
  return transaction
}

const transactionFrom = (event: Opened, at: number): Transaction => ({
  id: event.id,
  requestId: event.requestId,
  orderId: event.orderId,
  type: event.kind,
  status: 'INITIAL',
  fingerprint: event.fingerprint,
  currency: event.currency,
  order: event.order,
  tip: event.tip,
  tax: event.tax,
  surcharge: event.surcharge,
  cashback: event.cashback,
  createdAt: at,
  completedAt: null,
  terminalSn: event.terminalSn,
  inCloud: event.inCloud,
  originalId: event.originalId,
  expiresAt: event.expiresAt,
  description: event.description,
  attach: event.attach,
  notifyUrl: event.notifyUrl,
  terminalEventNotifyUrl: event.terminalEventNotifyUrl,
  wishes: event.wishes,
  stan: event.stan,
  voucherNo: event.voucherNo,
  rrn: event.rrn,
  authCode: null,
  card: null,
  resultCode: null,
  resultMsg: null,
  outcome: null,
  rule: null,
  screen: 'waiting',
  wakeAt: event.wakeAt,
  batchNo: null,
  batchStatus: 'N',
  after: null,
  timeline: [{ at, what: 'opened' }],
})
