import type { Opened } from './model/events.ts'
import { enterTerminal, type Ledger, newTerminal, plainTerminal, type Terminal } from './model/ledger.ts'
import { openedTimeline } from './model/timeline.ts'
import type { Online, OnlineOrder, Transaction } from './model/transaction.ts'

/** Adds an accepted transaction to the ledger, and to the line of its terminal. */
export function open(ledger: Ledger, event: Opened, at: number, setBack: number): Transaction {
  const original = ledger.transactions.get(event.originalId ?? '')
  const transaction = transactionFrom(event, original, at)
  if (setBack > 0) transaction.setBack = setBack
  ledger.transactions.add(transaction)
  ledger.lastStan = event.stan
  const terminal = terminalNamed(ledger, event, at)
  if (terminal !== undefined) {
    terminal.voucherNo = event.voucherNo
    if (!event.inCloud) terminal.line.push(event.id)
  }
  return transaction
}

/** The terminal with that serial number; a plain one if the fixtures no longer have it. */
function terminalNamed(ledger: Ledger, { terminalSn, inCloud }: Opened, at: number): Terminal | undefined {
  if (terminalSn === undefined) return undefined
  const existing = ledger.terminals.get(terminalSn) ?? (inCloud ? ledger.removed.get(terminalSn) : undefined)
  if (existing !== undefined) return existing
  return enterTerminal(ledger, { ...newTerminal(ledger, plainTerminal(terminalSn), at), asGiven: true })
}

/** A follow-up has its original's card and card data. assumption: cards */
const transactionFrom = (event: Opened, original: Transaction | undefined, at: number): Transaction => ({
  id: event.id,
  transactionRequestId: event.transactionRequestId,
  orderId: event.orderId ?? null,
  type: event.kind,
  status: 'INITIAL',
  fingerprint: event.fingerprint,
  currency: event.currency,
  order: event.order,
  tip: event.tip ?? 0,
  tax: event.tax ?? 0,
  surcharge: event.surcharge ?? 0,
  cashback: event.cashback ?? 0,
  createdAt: at,
  completedAt: null,
  terminalSn: event.terminalSn ?? null,
  inCloud: event.inCloud ?? false,
  originalId: event.originalId ?? null,
  expiresAt: event.expiresAt ?? null,
  description: event.description ?? null,
  attach: event.attach ?? null,
  notifyUrl: event.notifyUrl ?? null,
  terminalEventNotifyUrl: event.terminalEventNotifyUrl ?? null,
  instructions: event.instructions ?? null,
  stan: event.stan,
  voucherNo: event.voucherNo,
  authCode: null,
  card: event.card ?? original?.card ?? null,
  cardRead: event.cardRead ?? original?.cardRead ?? null,
  resultCode: null,
  resultMsg: null,
  outcome: null,
  rule: null,
  screen: 'waiting',
  wakeAt: event.wakeAt ?? at,
  batchNo: null,
  followUps: null,
  online: event.online === undefined ? null : onlineFrom(event.online),
  timeline: openedTimeline(event.traceparent ?? null),
})

/** Copies each member by name: a spread costs more than all the rules. */
const onlineFrom = (order: OnlineOrder): Online => ({
  sessionId: order.sessionId,
  wallet: order.wallet,
  returnUrl: order.returnUrl,
  products: order.products,
  collectsBillingAddress: order.collectsBillingAddress,
  collectsShippingAddress: order.collectsShippingAddress,
  tries: 0,
  declined: null,
})
