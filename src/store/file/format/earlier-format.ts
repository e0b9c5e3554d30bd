import { join } from 'node:path'
import type { Event } from '../../../domain/model/events.ts'
import type { BatchClose } from '../../../domain/model/ledger.ts'
import { noFollowUps, type Transaction } from '../../../domain/model/transaction.ts'
import type { JournalEntry } from '../../../domain/state.ts'
import { DamagedFile } from '../../../files/checked-json.ts'
import type { Header } from './checks.ts'
import {
  fileNumberOf,
  filesOf,
  hasTodaysRecords,
  type Manifest,
  type SealedFile,
  sizeIn,
  stateFormat,
} from './manifest.ts'
import { everyLine } from './state-lines.ts'

const transactionRequestId = ['requestId', 'transactionRequestId'] as const
const instructions = ['wishes', 'instructions'] as const

/** Members that had another name in formats 1 and 2, by event or record. */
const renamedMembers: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  opened: new Map([transactionRequestId, instructions]),
  'batch-closed': new Map([transactionRequestId]),
  'delivery-posted': new Map([['then', 'facts']]),
  transaction: new Map([transactionRequestId, instructions, ['after', 'followUps']]),
  close: new Map([transactionRequestId]),
}

/** The last format with those other names. */
const lastRenamed = 2

/** The object with the current names. `kind`: an event's type, or the name of the record in a snapshot. */
function inTodaysNames<T extends object>(kind: string, value: T, format = 1): T {
  const names = renamedMembers[kind]
  if (names === undefined || format > lastRenamed) return value
  const members = Object.entries(value).map(([name, member]) => [names.get(name) ?? name, member])
  return Object.fromEntries(members)
}

/** Converts a journal entry to the current format. */
export const entryOfToday = (entry: JournalEntry, format: number | undefined): JournalEntry =>
  hasTodaysRecords(format)
    ? entry
    : { ...entry, events: entry.events.map((event) => eventOfToday(event, format)) }

/** Up to format 3, ORDER_RECEIVED was sent when the transaction was opened. */
function eventOfToday(event: Event, format: number | undefined): Event {
  const named = inTodaysNames(event.type, event, format)
  return named.type === 'opened' ? { ...named, announcedAtOnce: true } : named
}

/** Converts a transaction of a snapshot to the current format; `recountFollowUp` then computes its original's sums. */
export function transactionOfToday(stored: Transaction, format: number | undefined): Transaction {
  if (hasTodaysRecords(format)) return stored
  const transaction = inTodaysNames('transaction', stored, format)
  const { followUps } = transaction
  return {
    ...transaction,
    announcedAtOnce: true,
    followUps: followUps && { ...noFollowUps(), ...namedAlike(followUps, noFollowUps()), ...noSums },
  }
}

/** Converts a batch close of a snapshot to the current format: the terminal was stored twice, also in its batches. */
export function closeOfToday(stored: BatchClose, format: number | undefined): BatchClose {
  if (hasTodaysRecords(format)) return stored
  const { transactionRequestId, fingerprint, closedAt, batches } = inTodaysNames('close', stored, format)
  return { transactionRequestId, fingerprint, closedAt, batches }
}

const noSums = { raised: null, raising: null, refunded: null, refunding: null }

/** The members of `value` that exist in `model`. */
const namedAlike = <T extends object>(value: T, model: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name in model)) as Partial<T>

/**
 * The files of a folder without a manifest: an empty folder, one whose first start was interrupted, or a state of
 * format 1, which had no manifest. Its journals are read in order; the newest may end with a line that was cut off.
 * Errors: DamagedFile if a file needs a manifest.
 */
export function filesWithoutManifest(folder: string): Manifest {
  const [snapshots, journals] = [filesOf(folder, 'snapshot'), filesOf(folder, 'journal')]
  const earlier = journals.filter((name) => !isBegun(folder, name))
  for (const name of [...snapshots, ...earlier]) refuseNewer(folder, name)
  const newest = earlier.at(-1)
  const sealed = (name: string): SealedFile => ({
    name,
    id: null,
    bytes: sizeIn(folder, name) ?? 0,
    sequences: null,
  })
  return {
    number: 0,
    format: snapshots.length + earlier.length === 0 ? stateFormat : 1,
    lastJournal: fileNumberOf(newest ?? ''),
    snapshot: snapshots[0] === undefined ? null : sealed(snapshots[0]),
    journals: earlier.slice(0, -1).map(sealed),
    open: newest === undefined ? null : { name: newest, id: null },
  }
}

/** Most bytes of the first line of a journal. */
const longestHeader = 256

/** True for an empty journal of any format, or one whose header is unfinished: nothing was acknowledged in it. */
function isBegun(folder: string, name: string): boolean {
  if ((sizeIn(folder, name) ?? 0) > longestHeader) return false
  for (const { value } of everyLine<Header>(join(folder, name)))
    if (value !== undefined && !('format' in value)) return false
  return true
}

/** A damaged first line says no format, so the file counts as damaged; any other line says its format. */
function refuseNewer(folder: string, name: string): void {
  for (const { value, line } of everyLine<Header>(join(folder, name)))
    if (line > 1) return
    else if (value !== undefined && value.format !== 1)
      throw new DamagedFile(folder, `its manifest is missing, and ${name} needs one`)
}
