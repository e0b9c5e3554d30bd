import { statSync } from 'node:fs'
import * as v from 'valibot'
import {
  followFixtures,
  type LedgerRecord,
  ledgerRecordOf,
  restoreLedger,
} from '../../../domain/ledger-record.ts'
import { isoTimestamp } from '../../../domain/model/kinds.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { enterDelivery } from '../../../domain/model/outbox.ts'
import { missingIn, type RecordCheck, type Records, recordChecks } from '../../../domain/record-checks.ts'
import {
  accessSettings,
  noSettings,
  type Settings,
  settingsSchema,
  snapshotSettings,
} from '../../../domain/settings.ts'
import { countTransactions, type State } from '../../../domain/state.ts'
import { DamagedFile, NewerFormat } from '../../../shared/files/checked-json.ts'
import { checkedAs } from '../../../shared/files/checked-schema.ts'
import { packageVersion } from '../../../shared/package-root.ts'
import { inTurns } from '../../../shared/timers.ts'
import {
  asArray,
  DamagedLine,
  decodeLine,
  encodeLine,
  type FileLine,
  readElements,
  readJoinedElements,
  wrongChecksum,
} from './lines.ts'

/**
 * A file with a whole state: state.json, a snapshot, an export. It is a JSON array with one record a line.
 * The first says what the file is, and has the settings that belong to the state.
 */

/** Format of state.json, journals, snapshots and exports. Files of any other format are not read. */
const stateFormat = 3

/** Most characters of a version. */
const longestVersion = 64

/** First line of each of them. */
export interface FormatLine {
  readonly format: number
  /** The tillbox that wrote it. */
  readonly version: string
}

/** The first line of a new file. */
export const formatLine = (): FormatLine => ({ format: stateFormat, version: packageVersion() })

/** Errors: DamagedLine for another line; NewerFormat with the version that wrote the file. */
export function requireFormat(value: object, line: FileLine): void {
  if (!('format' in value)) throw line.damaged('it should say the format of the file')
  const { format, version } = value as FormatLine
  if (typeof version !== 'string' || version.length > longestVersion)
    throw line.damaged('version: must be a short text')
  if (format !== stateFormat) throw new NewerFormat(line.path, version, format, stateFormat)
}

const facts = v.strictObject({
  /** Of a snapshot. */
  name: v.nullable(v.string()),
  /** Wall clock and sandbox clock when it was saved. */
  savedAt: isoTimestamp,
  sandboxTime: isoTimestamp,
  transactions: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  settings: snapshotSettings,
  /** Absent in snapshots, and in exports without secrets. */
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
/** The facts of a snapshot or an export. */
export type SnapshotFacts = Omit<StateFacts, 'journal' | 'followers'>

/** The facts that are known without reading the whole file. */
export interface SnapshotHead {
  readonly facts: StateFacts
  readonly format: number
  /** Version of the tillbox that wrote it. */
  readonly version: string
  readonly bytes: number
}

/** A state file that was read completely. */
export interface ReadSnapshot extends SnapshotHead {
  readonly state: State
}

/** All settings of a state with these facts. */
export const settingsFromFacts = ({ settings, access, followers = {} }: StateFacts): Settings => ({
  ...noSettings(),
  ...settings,
  ...access,
  followers,
})

/** The facts for settings: those that a snapshot has, those of access, and positions. */
export function factsFromSettings(
  all: Settings,
): Required<Pick<StateFacts, 'settings' | 'access' | 'followers'>> {
  const { applications, allowLists, keys, secrets, followers, ...settings } = all
  return { settings, access: { applications, allowLists, keys, secrets }, followers }
}

/** Checks the settings in a file. Errors: DamagedFile with the first wrong member. */
export const settingsFrom = (path: string, data: unknown): Settings => checkedAs(path, settingsSchema, data)

/** A line of a state file after its first: one record by its kind. */
type StateLine = {
  readonly [K in keyof Records]: { readonly [M in K]: Records[K] }
}[keyof Records]

/** A state as lines, one record each. */
export function* stateLines(state: State, first: FormatLine): Generator<string> {
  yield encodeLine(first)
  let count = 1
  for (const line of stateRecords(state)) {
    count += 1
    yield encodeLine(line)
  }
  yield encodeLine({ end: count })
}

/** The text of a state file, in pieces. */
export const stateText = (state: State, stateFacts: StateFacts): Generator<string> =>
  asArray(stateLines(state, { ...formatLine(), ...stateFacts }))

function* stateRecords({ ledgers, requests, journalOrder }: State): Generator<StateLine> {
  for (const ledger of ledgers.values()) {
    yield { ledger: ledgerRecordOf(ledger) }
    for (const transaction of ledger.transactions) yield { transaction }
    for (const close of ledger.closes.values()) yield { close }
    for (const usedId of ledger.usedIds.values()) yield { usedId }
    for (const delivery of ledger.outbox.deliveries.values()) yield { delivery }
  }
  for (const request of requests.values()) yield { request }
  yield { order: journalOrder }
}

/** The kinds of records that belong to the ledger before them. */
const owned = /^\{"(transaction|delivery|close|usedId)":/

/** Fills a state from the lines of a state file. */
export class StateReader {
  #ledger: Ledger | undefined
  /** Applies changed fixtures to the payments of the ledger, once they are read. */
  #follow = (): void => undefined
  #lines = 0
  #end: number | undefined
  #last = { line: 0, offset: 0 }

  /** `path`: of the file, for errors; `check`: for records that this sandbox may not have written. */
  constructor(
    readonly path: string,
    readonly state: State,
    readonly check: RecordCheck = () => undefined,
  ) {}

  /** Errors: DamagedLine, and then nothing of the line is taken; NewerFormat for the first line. */
  take(found: FileLine): void {
    this.#last = found
    this.#lines += 1
    const value = decodeLine<StateLine | FormatLine>(found.bytes)
    if (value === undefined) {
      if (!owned.test(found.bytes.toString('latin1', 0, 16))) this.#ledger = undefined // it may have been a ledger
      throw found.damaged(wrongChecksum)
    }
    if (this.#lines === 1) return requireFormat(value, found)
    if ('format' in value) throw found.damaged('it belongs at the beginning')
    const [kind = '', ...others] = Object.keys(value)
    if (others.length > 0)
      throw found.damaged(`the member ${JSON.stringify(others[0])} beside ${kind} is unknown`)
    const wrong = this.check(kind, (value as Record<string, unknown>)[kind])
    if (wrong !== undefined) throw found.damaged(wrong)
    this.#enter(value, found)
  }

  /** Errors: DamagedLine when a line is missing. */
  finish(): void {
    const { line, offset } = this.#last
    if (this.#end !== this.#lines - 1)
      throw new DamagedLine(this.path, line + 1, offset, 'its end is missing')
    this.#follow()
  }

  #enterLedger(record: LedgerRecord): void {
    this.#follow()
    const ledger = restoreLedger(this.state, record)
    this.#ledger = ledger
    this.#follow = () => followFixtures(ledger, record)
  }

  #enter(line: StateLine, found: FileLine): void {
    const { state } = this
    if ('ledger' in line) this.#enterLedger(line.ledger)
    else if ('request' in line) state.requests.set(line.request.key, line.request)
    else if ('order' in line) Object.assign(state.journalOrder, line.order)
    else if ('end' in line) this.#end = line.end
    else if (this.#ledger === undefined) throw found.damaged('its ledger is missing before it')
    else if ('transaction' in line) this.#ledger.transactions.add(line.transaction)
    else if ('close' in line) this.#ledger.closes.set(line.close.transactionRequestId, line.close)
    else if ('usedId' in line) this.#ledger.usedIds.set(line.usedId.transactionRequestId, line.usedId)
    else if ('delivery' in line) enterDelivery(this.#ledger.outbox, line.delivery)
    else throw found.damaged(`its kind ${JSON.stringify(Object.keys(line)[0])} is unknown`)
  }
}

/**
 * Fills an empty state from a state file of this sandbox, which its checksums protect; returns its head,
 * undefined when that was left out. The file is not changed. `leaveOut`: called for each line that is
 * damaged; absent: the first one is an error. Errors: DamagedFile, DamagedLine; NewerFormat with the version
 * that wrote it; an Error of the file system.
 */
export function readStateFile(
  path: string,
  state: State,
  leaveOut?: (error: Error, line: FileLine) => void,
): SnapshotHead | undefined {
  const reader = new StateReader(path, state)
  let head: SnapshotHead | undefined
  for (const line of leaveOut === undefined ? readJoinedElements(path) : readElements(path))
    try {
      reader.take(line)
      if (line.line === 2) head = parseHead(line)
    } catch (error) {
      if (leaveOut === undefined) throw error
      leaveOut(error as Error, line)
    }
  if (leaveOut === undefined) reader.finish()
  return head
}

/**
 * As `readStateFile`, for a snapshot or an import, which may come from anybody: every record is checked
 * against its schema. `chunks`: the bytes of the file; absent: they are read.
 */
export async function readSnapshot(
  path: string,
  empty: () => State,
  chunks?: readonly Buffer[],
): Promise<ReadSnapshot> {
  const head = readHead(path, chunks) // says what it is not, before any record is read
  const state = empty()
  const reader = new StateReader(path, state, recordChecks())
  await inTurns(readJoinedElements(path, chunks), (line) => reader.take(line))
  reader.finish()
  const count = countTransactions(state)
  if (count !== head.facts.transactions)
    throw new DamagedFile(path, `it has ${count} transactions, and says ${head.facts.transactions}`)
  const missing = missingIn(state)
  if (missing !== undefined) throw new DamagedFile(path, missing)
  return { ...head, state }
}

/** The facts of the first line. */
export function readHead(path: string, chunks?: readonly Buffer[]): SnapshotHead {
  for (const line of readElements(path, chunks))
    if (decodeLine(line.bytes) !== undefined) return parseHead(line, chunks)
    else break
  throw new DamagedFile(path, 'it is not a snapshot or export of tillbox, or its first line is damaged')
}

/** The facts of a first line. */
function parseHead(line: FileLine, chunks?: readonly Buffer[]): SnapshotHead {
  const first = line.sound<object>()
  requireFormat(first, line)
  const { format, version, ...others } = first as FormatLine
  const parsed = v.safeParse(facts, others)
  if (parsed.success) {
    const bytes = chunks?.reduce((sum, { length }) => sum + length, 0) ?? statSync(line.path).size
    return { facts: parsed.output, format, version, bytes }
  }
  const [issue] = parsed.issues
  throw line.damaged(`${v.getDotPath(issue) ?? 'it'}: ${issue.message}`)
}
