import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LeftOut } from '../../contract/sandbox/state-folder/state-verdict.ts'
import { lastJournalOrderOf } from '../../domain/model/timeline.ts'
import type { JournalEntry, State } from '../../domain/state.ts'
import { DamagedFile } from '../../files/checked-json.ts'
import { recordsFrom, wrongColumn } from '../file/format/columns.ts'
import { type Files, filesOf, readManifest } from '../file/format/manifest.ts'
import { type DamagedLine, everyLine, type FoundLine } from '../file/format/state-lines.ts'
import { type JournalLine, JournalReader } from '../file/journal-reader.ts'
import type { SnapshotLine } from '../file/snapshot.ts'
import { SnapshotReader } from '../file/snapshot-reader.ts'

/** The state that was saved, and the parts that were not. */
export interface SalvageResult {
  readonly state: State
  readonly leftOut: readonly LeftOut[]
}

/** A file to read, and its number of valid bytes. */
interface SalvagedFile {
  readonly name: string
  readonly bytes?: number
}

/**
 * Fills an empty state with the sound parts: every sound line of the snapshot, then the journal entries up to the first
 * gap. Files are not changed. Errors: an Error of the file system.
 */
export function salvage(folder: string, state: State): SalvageResult {
  const { snapshot, journals } = sourcesOf(folder)
  const leftOut: LeftOut[] = []
  if (snapshot !== undefined) leftOut.push(...readSnapshotLines(folder, snapshot, state))
  let broken = false
  for (const journal of journals) {
    const rest = readJournalLines(folder, journal, state, broken)
    broken ||= rest.length > 0
    leftOut.push(...rest)
  }
  restoreJournalOrder(state)
  return { state, leftOut }
}

/** The line with the order may be lost: the restored order must follow every remaining record. */
function restoreJournalOrder({ ledgers, journalOrder }: State): void {
  for (const { transactions } of ledgers.values())
    for (const transaction of transactions) {
      journalOrder.latest = Math.max(journalOrder.latest, lastJournalOrderOf(transaction))
      journalOrder.setBack = Math.max(journalOrder.setBack, transaction.setBack ?? 0)
    }
}

/** The files of the manifest; without a readable one, the newest whole snapshot and every journal. */
function sourcesOf(folder: string): {
  snapshot: SalvagedFile | undefined
  journals: readonly SalvagedFile[]
} {
  const files = readableManifest(folder)
  if (files === undefined) {
    const snapshots = filesOf(folder, 'snapshot').reverse()
    const name = snapshots.find((each) => isWhole(join(folder, each)))
    const journals = filesOf(folder, 'journal').map((each) => ({ name: each }))
    // A snapshot that a crash cut short claims more than it holds: it counts only when there is no journal.
    const partial = journals.length === 0 ? snapshots[0] : undefined
    return { snapshot: sourceOf(name ?? partial), journals }
  }
  const { snapshot, journals, open } = files
  return { snapshot: snapshot ?? undefined, journals: open === null ? journals : [...journals, open] }
}

const sourceOf = (name: string | undefined): SalvagedFile | undefined =>
  name === undefined ? undefined : { name }

/** True for a snapshot with as many records as its last line says. */
function isWhole(path: string): boolean {
  let end = -1
  let lines = 0
  for (const { value, line } of everyLine<SnapshotLine>(path)) {
    lines = line
    end = value !== undefined && 'end' in value ? value.end : -1
  }
  return end === lines - 1
}

function readableManifest(folder: string): Files | undefined {
  try {
    return readManifest(folder)
  } catch (error) {
    if (error instanceof DamagedFile) return undefined // this is the damage to repair
    throw error
  }
}

/** Reads every sound line. When a ledger's own line is damaged, the lines that belong to it are left out. */
function readSnapshotLines(folder: string, source: SalvagedFile, state: State): LeftOut[] {
  const path = join(folder, source.name)
  if (!existsSync(path)) return [wholeFile(source.name, 'it is missing')]
  const reader = new SnapshotReader(path, undefined, state)
  const leftOut = new LeftOutLines(source.name)
  let lines = 0
  for (const entry of everyLine<SnapshotLine>(path)) {
    lines = entry.line
    const why = whyNot(entry, (value) => reader.take(value, entry.line, entry.offset, entry.bytes))
    if (why === undefined) continue
    if (!isOwned(entry)) reader.skipLedger()
    leftOut.add(entry.line, why, idsIn(entry.value))
  }
  if (reader.finish() === -1) leftOut.add(lines + 1, 'its end is missing', [])
  return leftOut.ranges
}

/**
 * True for a record of the preceding ledger. If the line cannot be identified, it may be the start of the next ledger.
 */
const isOwned = ({ beginning }: FoundLine<SnapshotLine>): boolean =>
  /^\{"(transactions?|delivery|deliveries|close|usedId)":/.test(beginning)

/** Applies entries up to the first that does not follow. `broken`: an earlier journal already had a gap. */
function readJournalLines(folder: string, source: SalvagedFile, state: State, broken: boolean): LeftOut[] {
  const path = join(folder, source.name)
  if (!existsSync(path)) return [wholeFile(source.name, 'it is missing')]
  const reader = new JournalReader(path, undefined, state)
  const leftOut = new LeftOutLines(source.name)
  let first = broken ? 'entries before it are missing' : undefined
  for (const entry of everyLine<JournalLine>(path)) {
    if (entry.offset >= (source.bytes ?? Number.POSITIVE_INFINITY)) break
    first ??= whyNot(entry, (value) => reader.take(value, entry.line, entry.offset))
    if (first !== undefined) leftOut.add(entry.line, first, idsIn(entry.value))
  }
  return leftOut.ranges
}

function whyNot<T>({ value }: FoundLine<T>, take: (value: T) => void): string | undefined {
  if (value === undefined) return 'its checksum does not match'
  try {
    take(value)
    return undefined
  } catch (error) {
    return (error as DamagedLine).why ?? (error as Error).message
  }
}

/** Ids of the transactions that a line opens or contains. */
function idsIn(value: SnapshotLine | JournalLine | undefined): string[] {
  if (value === undefined) return []
  if ('transaction' in value) return [value.transaction.id]
  if ('transactions' in value)
    return wrongColumn(value.transactions) ? [] : recordsFrom(value.transactions).map(({ id }) => id)
  const { events = [] } = value as Partial<JournalEntry>
  return events.flatMap((event) => (event.type === 'opened' ? [event.id] : []))
}

const wholeFile = (file: string, why: string): LeftOut => ({ file, lines: null, why, transactionIds: [] })

/** Lines of one file that are left out; consecutive lines are one entry. */
class LeftOutLines {
  readonly #ranges: { lines: [number, number]; why: string; ids: string[] }[] = []

  constructor(readonly file: string) {}

  add(line: number, why: string, ids: readonly string[]): void {
    const range = this.#ranges.at(-1)
    if (range !== undefined && range.lines[1] === line - 1) {
      range.lines[1] = line
      range.ids.push(...ids)
    } else this.#ranges.push({ lines: [line, line], why, ids: [...ids] })
  }

  get ranges(): LeftOut[] {
    return this.#ranges.map(({ lines, why, ids }) => ({ file: this.file, lines, why, transactionIds: ids }))
  }
}
