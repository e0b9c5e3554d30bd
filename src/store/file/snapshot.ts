import { randomUUID } from 'node:crypto'
import { closeSync, fdatasyncSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type {
  Batch,
  BatchClose,
  Ledger,
  MerchantSettings,
  Terminal,
  UnpairedTerminal,
  UsedId,
} from '../../domain/model/ledger.ts'
import type { Delivery } from '../../domain/model/outbox.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import type { Transactions } from '../../domain/model/transactions.ts'
import type { RequestMark, State } from '../../domain/state.ts'
import { openState, syncFolder, writeWhole } from '../../files/files.ts'
import { type Header, headerLine } from './format/checks.ts'
import { type Columns, toColumns } from './format/columns.ts'
import { dataName, fileNumberOf, filesOf, type SealedFile } from './format/manifest.ts'
import { LineBuffer } from './format/state-lines.ts'
import { StoredLine } from './format/stored-line.ts'

/** A ledger without its transactions. */
export interface LedgerLine {
  readonly settings: MerchantSettings
  readonly sequence: number
  readonly registeredAt: number | null
  /** Absent: it has only its id. */
  readonly name?: string | undefined
  readonly trace: number
  readonly lastDelivery: number
  readonly terminals: readonly Terminal[]
  /** Absent: none. */
  readonly removed?: readonly Terminal[]
  /** Absent: none. */
  readonly unpaired?: readonly UnpairedTerminal[]
  /** Code and serial number; absent: none. */
  readonly pairedCodes?: readonly (readonly [string, string])[]
  readonly batches: readonly (readonly [string, Batch])[]
  readonly balances: readonly (readonly [string, number])[]
  readonly holds: readonly (readonly [string, number])[]
}

/** A line that belongs to the preceding ledger. */
export type OwnedLine =
  | { readonly transaction: Transaction }
  | { readonly close: BatchClose }
  | { readonly usedId: UsedId }
  | { readonly delivery: Delivery }

/** A line with records of one kind, as columns. */
export type ColumnsLine =
  | { readonly transactions: Columns<Transaction> }
  | { readonly deliveries: Columns<Delivery> }
  | { readonly requests: Columns<RequestMark> }

/** A line of a snapshot. */
export type SnapshotLine =
  | Header
  | OwnedLine
  | ColumnsLine
  | { readonly ledger: LedgerLine }
  | { readonly request: RequestMark }
  | { readonly order: State['journalOrder'] }
  | { readonly end: number }

/** Most records in one line of the store's snapshot. */
const recordsTogether = 500

/** Bytes of one write. */
const blockSize = 256 * 1024

/** Writes the whole state as a new, durable snapshot, for a manifest to name. Errors: an Error of the file system. */
export function writeSnapshot(folder: string, state: State): SealedFile {
  const id = randomUUID()
  const name = dataName('snapshot', fileNumberOf(filesOf(folder, 'snapshot').at(-1) ?? '') + 1, id)
  const path = join(folder, name)
  const file = openState(path, 'begin')
  try {
    let bytes = 0
    for (const block of storeBlocks(state, id)) {
      writeWhole(file, block)
      bytes += block.length
    }
    fdatasyncSync(file)
    syncFolder(folder) // its name must be durable before the manifest's
    return { name, id, bytes, sequences: sequencesOf(state) }
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

/** A snapshot of the store in blocks, each valid until the next is requested. `id`: a UUID for the snapshot. */
export const storeBlocks = (state: State, id: string): Generator<Uint8Array> =>
  blocksOf(linesOf(state, headerLine(id), storeLayout))

/** Number of the last entry of each ledger. */
const sequencesOf = ({ ledgers }: State): Record<string, number> =>
  Object.fromEntries([...ledgers].map(([merchantId, { sequence }]) => [merchantId, sequence]))

/** A snapshot with one record a line, in blocks, each valid until the next is requested. */
export const snapshotBlocks = (state: State, header: Header): Generator<Uint8Array> =>
  blocksOf(linesOf(state, header, plainLayout))

function* blocksOf(lines: Iterable<SnapshotLine | StoredLine>): Generator<Uint8Array> {
  const block = new LineBuffer()
  let count = 0
  for (const line of lines) {
    count += 1
    if (line instanceof StoredLine) block.addEncoded(line.bytes)
    else block.add(line)
    if (block.bytes.length < blockSize) continue
    yield block.bytes
    block.clear()
  }
  yield block.add({ end: count }).bytes
}

function* linesOf(state: State, header: Header, layout: Layout): Generator<SnapshotLine | StoredLine> {
  yield header
  for (const ledger of state.ledgers.values()) {
    yield { ledger: withoutTransactions(ledger) }
    yield* layout.transactions(ledger.transactions)
    for (const close of ledger.closes.values()) yield { close }
    for (const usedId of ledger.usedIds.values()) yield { usedId }
    yield* layout.records(
      ledger.outbox.deliveries.values(),
      (delivery) => ({ delivery }),
      (deliveries) => ({ deliveries }),
    )
  }
  yield* layout.records(
    state.requests.values(),
    (request) => ({ request }),
    (requests) => ({ requests }),
  )
  yield { order: state.journalOrder }
}

/** How records are put into lines. */
interface Layout {
  transactions(all: Transactions): Iterable<SnapshotLine | StoredLine>
  records<T extends object>(
    records: Iterable<T>,
    one: (record: T) => SnapshotLine,
    many: (columns: Columns<T>) => SnapshotLine,
  ): Iterable<SnapshotLine>
}

/** One record a line. */
const plainLayout: Layout = {
  *transactions(all) {
    for (const transaction of all) yield { transaction }
  },
  *records(records, one) {
    for (const record of records) yield one(record)
  },
}

/** Columns; an unchanged line is written as it was read. Records that do not fill a line of columns get a line each. */
const storeLayout: Layout = {
  *transactions(all) {
    for (const block of all.stored())
      if (block instanceof StoredLine) yield block
      else yield { transactions: toColumns([...('read' in block ? block.read() : block)]) }
    yield* this.records(
      all.added,
      (transaction) => ({ transaction }),
      (transactions) => ({ transactions }),
    )
  },
  *records<T extends object>(
    records: Iterable<T>,
    one: (record: T) => SnapshotLine,
    many: (columns: Columns<T>) => SnapshotLine,
  ) {
    let block: T[] = []
    for (const record of records) {
      if (block.push(record) < recordsTogether) continue
      yield many(toColumns(block))
      block = []
    }
    for (const record of block) yield one(record)
  },
}

const withoutTransactions = (ledger: Ledger): LedgerLine => ({
  settings: ledger.settings,
  sequence: ledger.sequence,
  registeredAt: ledger.registeredAt,
  ...(ledger.name !== null && { name: ledger.name }),
  trace: ledger.lastStan,
  lastDelivery: ledger.outbox.lastNumber,
  terminals: [...ledger.terminals.values()],
  ...(ledger.removed.size > 0 && { removed: [...ledger.removed.values()] }),
  ...(ledger.unpaired.size > 0 && { unpaired: [...ledger.unpaired.values()] }),
  ...(ledger.pairedCodes.size > 0 && { pairedCodes: [...ledger.pairedCodes] }),
  batches: [...ledger.batches],
  balances: [...ledger.balances],
  holds: [...ledger.holds],
})
