import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Batch, BatchClose, Ledger, MerchantSettings, Terminal } from '../../domain/ledger.ts'
import { type Delivery, enter as enterDelivery } from '../../domain/outbox.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { type Book, ledgerOf, type RequestMark } from '../book.ts'
import { replaceFile } from './files.ts'
import { DamagedLine, LineBuffer, readLines } from './lines.ts'
import { withSharedTexts } from './shared-texts.ts'

/** Format of the state files. Another number is refused, not guessed at. */
export const format = 1

/** A ledger without its transactions. */
interface LedgerLine {
  readonly settings: MerchantSettings
  readonly sequence: number
  readonly registeredAt: number | null
  readonly trace: number
  readonly lastDelivery: number
  readonly terminals: readonly Terminal[]
  readonly batches: readonly (readonly [string, Batch])[]
  readonly balances: readonly (readonly [string, number])[]
  readonly holds: readonly (readonly [string, number])[]
}

type Line =
  | { readonly format: number }
  | { readonly ledger: LedgerLine }
  | { readonly transaction: Transaction }
  | { readonly close: BatchClose }
  | { readonly delivery: Delivery }
  | { readonly request: RequestMark }
  | { readonly order: Book['order'] }
  | { readonly end: number }

/** Path of the snapshot in a state folder. */
const snapshotPath = (folder: string): string => join(folder, 'snapshot.jsonl')

/** Bytes of the snapshot; 0 when there is none. */
export const snapshotSize = (folder: string): number =>
  statSync(snapshotPath(folder), { throwIfNoEntry: false })?.size ?? 0

/** Bytes that are written at once. */
const blockSize = 256 * 1024

/** Writes the whole book, one transaction a line, beside the old snapshot and renames it. */
export const writeSnapshot = (folder: string, book: Book): void =>
  replaceFile(snapshotPath(folder), blocksOf(book))

function* blocksOf(book: Book): Generator<Uint8Array> {
  const block = new LineBuffer()
  let count = 0
  for (const line of linesOf(book)) {
    count += 1
    if (block.add(line).bytes.length < blockSize) continue
    yield block.bytes
    block.clear()
  }
  yield block.add({ end: count }).bytes
}

function* linesOf(book: Book): Generator<Line> {
  yield { format }
  for (const ledger of book.ledgers.values()) {
    yield { ledger: withoutTransactions(ledger) }
    for (const transaction of ledger.transactions.values()) yield { transaction }
    for (const close of ledger.closes.values()) yield { close }
    for (const delivery of ledger.outbox.deliveries.values()) yield { delivery }
  }
  for (const request of book.requests.values()) yield { request }
  yield { order: book.order }
}

const withoutTransactions = (ledger: Ledger): LedgerLine => ({
  settings: ledger.settings,
  sequence: ledger.sequence,
  registeredAt: ledger.registeredAt,
  trace: ledger.trace,
  lastDelivery: ledger.outbox.last,
  terminals: [...ledger.terminals.values()],
  batches: [...ledger.batches],
  balances: [...ledger.balances],
  holds: [...ledger.holds],
})

/**
 * Fills the book from the snapshot, if there is one.
 * Errors: DamagedLine; an Error for another format or a snapshot without its end.
 */
export function readSnapshot(folder: string, book: Book): void {
  const path = snapshotPath(folder)
  if (!existsSync(path)) return
  let [lines, end] = [0, -1]
  let ledger: Ledger | undefined
  const { wholeBytes } = readLines<Line>(path, (value, line, offset) => {
    if ('format' in value) requireFormat(path, value.format)
    else if ('ledger' in value) ledger = restore(book, value.ledger)
    else if ('request' in value) book.requests.set(value.request.key, value.request)
    else if ('order' in value) Object.assign(book.order, value.order)
    else if ('end' in value) end = value.end
    else if (ledger === undefined) throw new DamagedLine(path, line, offset, 'something without its ledger')
    else if ('delivery' in value) enterDelivery(ledger.outbox, value.delivery)
    else if ('close' in value) ledger.closes.set(value.close.requestId, value.close)
    else enter(ledger, withSharedTexts(value.transaction))
    lines = line
  })
  if (end !== lines - 1) throw new DamagedLine(path, lines, wholeBytes, 'its end is missing')
}

/** A state file of another version. */
class OtherFormat extends Error {
  override readonly name = 'OtherFormat'
  constructor(path: string, found: number) {
    super(`${path} is of format ${found}; this tillbox reads format ${format}`)
  }
}

/** Errors: OtherFormat. */
export function requireFormat(path: string, found: number): void {
  if (found !== format) throw new OtherFormat(path, found)
}

function restore(book: Book, line: LedgerLine): Ledger {
  const ledger = ledgerOf(book, line.settings.appId, line.settings.merchantId)
  book.ledgers.set(line.settings.merchantId, ledger)
  ledger.sequence = line.sequence
  ledger.registeredAt = line.registeredAt
  ledger.trace = line.trace
  ledger.outbox.last = line.lastDelivery
  for (const terminal of line.terminals) ledger.terminals.set(terminal.terminalSn, terminal)
  for (const [key, batch] of line.batches) ledger.batches.set(key, batch)
  for (const [currency, amount] of line.balances) ledger.balances.set(currency, amount)
  for (const [currency, amount] of line.holds) ledger.holds.set(currency, amount)
  return ledger
}

function enter(ledger: Ledger, transaction: Transaction): void {
  ledger.transactions.set(transaction.id, transaction)
  ledger.byRequestId.set(transaction.requestId, transaction)
  if (transaction.online?.sessionId != null) ledger.sessions.set(transaction.online.sessionId, transaction)
}
