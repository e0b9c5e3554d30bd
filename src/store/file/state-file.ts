import { statSync } from 'node:fs'
import * as v from 'valibot'
import { accessSettings, checkpointSettings, type Settings, settingsSchema } from '../../domain/settings.ts'
import { countTransactions, type State } from '../../domain/state.ts'
import { DamagedFile } from '../../files/checked-json.ts'
import {
  asArray,
  DamagedLine,
  type DamagedLineOf,
  damagedAt,
  elementsOf,
  type FoundObject,
  soundValue,
} from './lines.ts'
import { missingIn, recordChecks } from './record-checks.ts'
import {
  type FormatLine,
  formatLine,
  type RecordCheck,
  requireFormat,
  type SnapshotLine,
  SnapshotReader,
  snapshotLines,
} from './snapshot.ts'

/**
 * A file with a whole state: state.json, a checkpoint, an export. It is a JSON array with one record a line. The first
 * says what the file is, and has the settings that belong to the state.
 */

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const moment = v.pipe(v.string(), v.isoTimestamp())

const facts = v.strictObject({
  /** Of a checkpoint. */
  name: v.nullable(v.string()),
  /** Wall clock and sandbox clock when it was saved. */
  savedAt: moment,
  sandboxTime: moment,
  transactions: count,
  settings: checkpointSettings,
  /** Absent in checkpoints, and in exports without secrets. */
  access: v.exactOptional(accessSettings),
  /** Positions of endpoints that follow; only in state.json. */
  followers: v.exactOptional(settingsSchema.entries.followers),
  /** The journal that follows; only in state.json. */
  journal: v.exactOptional(
    v.strictObject({ name: v.pipe(v.string(), v.regex(/^journal-\d+\.jsonl$/)), id: v.string() }),
  ),
})
/** Facts about a state, in the first line. */
export type StateFacts = Readonly<v.InferOutput<typeof facts>>
/** The facts of a checkpoint or an export. */
export type CheckpointFacts = Omit<StateFacts, 'journal' | 'followers'>

/** The facts that are known without reading the whole file. */
export interface CheckpointHead {
  readonly facts: StateFacts
  readonly format: number
  /** Version of the tillbox that wrote it. */
  readonly version: string
  readonly bytes: number
}

/** A state file that was read completely. */
export interface ReadCheckpoint extends CheckpointHead {
  readonly state: State
}

/** The lines of a state with its facts. */
const stateLines = (state: State, facts: StateFacts): Generator<string> =>
  snapshotLines(state, { ...formatLine(), ...facts })

/** The text of a state file, in pieces. */
export const stateText = (state: State, facts: StateFacts): Generator<string> =>
  asArray(stateLines(state, facts))

/** All settings of a state with these facts. */
export const settingsOf = ({ settings, access, followers = {} }: StateFacts): Settings => ({
  applications: [],
  allowLists: {},
  keys: {},
  secrets: {},
  ...settings,
  ...access,
  followers,
})

/** Checks the settings in a file. Errors: DamagedFile with the first wrong member. */
export function settingsFrom(path: string, data: unknown): Settings {
  const parsed = v.safeParse(settingsSchema, data)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new DamagedFile(path, `${v.getDotPath(issue) ?? 'it'}: ${issue.message}`)
}

/** The facts for settings: those that a checkpoint has, those of access, and positions. */
export function factsOf(all: Settings): Required<Pick<StateFacts, 'settings' | 'access' | 'followers'>> {
  const { applications, allowLists, keys, secrets, followers, ...settings } = all
  return { settings, access: { applications, allowLists, keys, secrets }, followers }
}

/**
 * Fills an empty state from a state file of this sandbox, which its checksums protect. The file is not changed. Errors:
 * DamagedFile, DamagedLine; NewerFormat with the version that wrote it; an Error of the file system.
 */
export function readStateFile(path: string, empty: () => State, check?: RecordCheck): ReadCheckpoint {
  const state = empty()
  const head = takeStateFile(path, state, undefined, check)
  if (head === undefined) throw new DamagedLine(path, 1, 0, 'its end is missing')
  return { ...head, state }
}

/** The kinds of records that belong to the ledger before them. */
const owned = /^\{"(transaction|delivery|close|usedId)":/

/**
 * Fills a state from the sound lines of a state file; returns its head, if that is sound. `leaveOut`: called for each
 * line that is damaged; absent: the first one is an error.
 */
export function takeStateFile(
  path: string,
  state: State,
  leaveOut?: (error: Error, found: FoundObject<object>) => void,
  check?: RecordCheck,
): CheckpointHead | undefined {
  const reader = new SnapshotReader(path, state, check)
  let head: CheckpointHead | undefined
  let last = { line: 0, offset: 0 }
  for (const found of elementsOf<SnapshotLine | FormatLine>(path))
    try {
      last = found
      const value = soundValue(path, found)
      const damaged = damagedAt(path, found)
      if (found.line === 2) head = headOf(path, value, damaged)
      reader.take(value, damaged)
    } catch (error) {
      if (leaveOut === undefined) throw error
      reader.skip(owned.test(found.text.toString('latin1', 0, 16)))
      leaveOut(error as Error, found)
    }
  if (leaveOut === undefined && !reader.isWhole)
    throw new DamagedLine(path, last.line + 1, last.offset, 'its end is missing')
  return head
}

/**
 * As `readStateFile`, for a checkpoint or an import, which may come from anybody: every record is checked against its
 * schema.
 */
export function readCheckpoint(path: string, empty: () => State): ReadCheckpoint {
  readHead(path) // says what it is not, before any record is read
  const read = readStateFile(path, empty, recordChecks())
  const { state, facts } = read
  const count = countTransactions(state)
  if (count !== facts.transactions)
    throw new DamagedFile(path, `it has ${count} transactions, and says ${facts.transactions}`)
  const missing = missingIn(state)
  if (missing !== undefined) throw new DamagedFile(path, missing)
  return read
}

/** The facts of the first line. Errors: as `readStateFile`. */
export function readHead(path: string): CheckpointHead {
  for (const found of elementsOf<FormatLine>(path)) return headOf(path, found.value, damagedAt(path, found))
  return headOf(path, undefined, damagedAt(path, { line: 1, offset: 0 }))
}

/** The facts of a first line. Errors: as `readStateFile`. */
function headOf(path: string, first: object | undefined, damaged: DamagedLineOf): CheckpointHead {
  if (first === undefined)
    throw new DamagedFile(path, 'it is not a checkpoint or export of tillbox, or its first line is damaged')
  requireFormat(path, first, damaged)
  const { format, version, ...others } = first as FormatLine
  const parsed = v.safeParse(facts, others)
  if (parsed.success)
    return {
      facts: parsed.output,
      format,
      version,
      bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    }
  const [issue] = parsed.issues
  throw damaged(`${v.getDotPath(issue) ?? 'it'}: ${issue.message}`)
}
