import { type BatchStatus, type ChannelCode, channels, moneyDirection } from '../../contract/statuses.ts'
import type { BatchClosed } from './events.ts'
import { type Batch, batchKey, type Ledger } from './ledger.ts'
import { amountOf, type Transaction } from './transaction.ts'

/**
 * Running totals: the merchant's balance and the open batches, kept as transactions come and go. One open
 * batch per terminal, channel and currency; AUTH, INCREMENTAL and VOID join none. assumption: batches,
 * refunds
 */

/** The amount that the merchant can still refund in that currency, in minor units. */
export const availableBalance = (ledger: Ledger, currency: string): number =>
  ledger.settings.reserve + (ledger.balances.get(currency) ?? 0) - (ledger.holds.get(currency) ?? 0)

/** Adds a successful transaction to the balance and to its open batch. */
export function enterTotals(ledger: Ledger, transaction: Transaction, at: number): void {
  const sign = moneyDirection[transaction.type]
  if (sign === 0) return
  addBalance(ledger, transaction.currency, sign * amountOf(transaction))
  if (transaction.terminalSn === null) return
  const batch = openBatch(ledger, transaction, transaction.terminalSn, at)
  if (batch.count === 0 || at < batch.openedAt) batch.openedAt = at // the clock may be set back
  transaction.batchNo = batch.batchNo
  count(batch, transaction, sign)
  batch.count += 1
}

/** Removes a voided transaction from balance and batch; its record keeps the batch number. */
export function leaveTotals(ledger: Ledger, transaction: Transaction): void {
  const batch = findOpenBatch(ledger, transaction)
  if (batch === undefined) return
  const sign = moneyDirection[transaction.type] === 1 ? -1 : 1
  addBalance(ledger, transaction.currency, sign * amountOf(transaction))
  count(batch, transaction, sign)
  batch.count -= 1
}

/** Replaces the tip, and updates amounts and totals. docs/api.md#operation-1-9 */
export function adjustTotals(ledger: Ledger, transaction: Transaction, tip: number): void {
  const batch = findOpenBatch(ledger, transaction)
  const difference = tip - transaction.tip
  transaction.tip = tip
  addBalance(ledger, transaction.currency, difference)
  if (batch === undefined) return
  batch.net += difference
  batch.tip += difference
}

const transactionBatchKey = (transaction: Transaction): string =>
  batchKey(transaction.terminalSn ?? '', settlementChannel(transaction), transaction.currency)

/** The open batch that counts the transaction; undefined once it is closed. */
function findOpenBatch(ledger: Ledger, transaction: Transaction): Batch | undefined {
  if (transaction.batchNo === null) return undefined
  const batch = ledger.batches.get(transactionBatchKey(transaction))
  return batch?.batchNo === transaction.batchNo ? batch : undefined
}

/** N: in no batch, U: in an open batch, C: in a closed one. */
export function batchStatusOf(ledger: Ledger, transaction: Transaction): BatchStatus {
  if (transaction.batchNo === null) return 'N'
  return findOpenBatch(ledger, transaction) === undefined ? 'C' : 'U'
}

/** Open batches of a terminal, in their order. */
const openBatches = (ledger: Ledger, terminalSn: string): Batch[] =>
  [...ledger.batches.values()].filter((batch) => batch.terminalSn === terminalSn)

/** Closes batches for good; their net amount is paid out of the balance. assumption: batch-close */
export function closeBatches(
  ledger: Ledger,
  { transactionRequestId, fingerprint, terminalSn, batchNos }: BatchClosed,
  at: number,
): void {
  const batches = openBatches(ledger, terminalSn).filter(({ batchNo }) => batchNos.includes(batchNo))
  for (const { channelCode, currency, net } of batches) {
    ledger.batches.delete(batchKey(terminalSn, channelCode, currency))
    addBalance(ledger, currency, -net)
  }
  const { batches: others = [] } = ledger.closes.get(transactionRequestId) ?? {} // of other terminals, by one request
  const close = { transactionRequestId, fingerprint, closedAt: at, batches: [...others, ...batches] }
  ledger.closes.set(transactionRequestId, close)
}

function openBatch(ledger: Ledger, transaction: Transaction, terminalSn: string, at: number): Batch {
  const found = ledger.batches.get(transactionBatchKey(transaction))
  if (found !== undefined) return found
  const terminal = ledger.terminals.get(terminalSn) ?? ledger.removed.get(terminalSn)
  const batchNo = (terminal?.batchNo ?? 0) + 1
  if (terminal !== undefined) terminal.batchNo = batchNo
  const batch: Batch = {
    batchNo,
    terminalSn,
    channelCode: settlementChannel(transaction),
    currency: transaction.currency,
    openedAt: at,
    count: 0,
    net: 0,
    tip: 0,
    surcharge: 0,
    tax: 0,
  }
  ledger.batches.set(transactionBatchKey(transaction), batch)
  return batch
}

function count(batch: Batch, transaction: Transaction, sign: 1 | -1): void {
  batch.net += sign * amountOf(transaction)
  batch.tip += sign * transaction.tip
  batch.surcharge += sign * transaction.surcharge
  batch.tax += sign * transaction.tax
}

function addBalance(ledger: Ledger, currency: string, amount: number): void {
  ledger.balances.set(currency, (ledger.balances.get(currency) ?? 0) + amount)
}

/** Settlement channel of a transaction, by its payment method. */
export function settlementChannel({ cardRead }: Transaction): ChannelCode {
  if (cardRead?.cardNetworkType === 'EBT') return 'SBX-EBT'
  return cardRead?.entryMode === null ? 'SBX-QR' : 'SBX-CARD'
}

const ordinal = (channelCode: string): number =>
  channels.findIndex((channel) => channel.channelCode === channelCode) + 1

/** The acquirer's id of a merchant on a channel: 15 digits. assumption: identifiers */
export const acquirerMid = (merchantId: string, channelCode: string): string =>
  `${merchantId.replace(/\D/g, '').padStart(13, '0').slice(-13)}${String(ordinal(channelCode)).padStart(2, '0')}`

/** The acquirer's id of a terminal on a channel: 8 digits. `index`: among the merchant's, from 0. */
export const acquirerTid = (index: number, channelCode: string): string =>
  `${String(index + 1).padStart(6, '0')}${String(ordinal(channelCode)).padStart(2, '0')}`
