import { crc32 } from 'node:zlib'
import { firstSpace } from '../../../contract/control/spaces.ts'
import { noSettings, type Settings } from '../../../domain/settings.ts'
import type { JournalEntry, State } from '../../../domain/state.ts'
import { Damage } from '../../../shared/files/checked-json.ts'
import { inTurns } from '../../../shared/timers.ts'
import { JournalReader } from '../file/journal-reader.ts'
import { DamagedLine, readFileLines, wrongChecksum } from '../file/lines.ts'
import {
  formatLine,
  readSnapshot,
  type SnapshotHead,
  StateReader,
  settingsFrom,
  stateText,
} from '../file/state-file.ts'
import type { Snapshots } from '../storage.ts'
import type { Database } from './connection/database.ts'
import type { HeldSpace } from './held-space.ts'

/** Events that one query reads. */
const eventsAtOnce = 1_000

const isMissing = 'it is missing, and it was acknowledged'

/** The content of a space. */
export interface StoredSpace {
  readonly state: State
  readonly settings: Settings
  /** API keys that lead to it. */
  readonly keys: readonly string[]
  /** Sequence of its saved state; 0 without one. */
  readonly savedTo: number
  /** Sequence of its last event. */
  readonly position: number
}

/**
 * Reads a space: its settings, its saved state, and every event after it. Nothing of a space changes beside
 * its holder, so it needs no transaction. `empty`: makes an empty state to fill. Errors: DamagedLine,
 * DamagedFile, NewerFormat; as `RunStatement`.
 */
export async function readSpace(database: Database, name: string, empty: () => State): Promise<StoredSpace> {
  try {
    return await readRows(database, name, empty)
  } catch (error) {
    if (error instanceof Damage)
      error.remedy = `Nothing was changed. Bring the database back from a backup${
        name === firstSpace ? '' : '; its other spaces go on' // no node starts without the first one
      }`
    throw error
  }
}

async function readRows(database: Database, name: string, empty: () => State): Promise<StoredSpace> {
  const state = empty()
  const { rows } = await database.runLong<{
    settings: unknown
    keys: string[]
    last: number
    sequence: number
  }>(
    `select settings, keys, coalesce(last, 0)::float8 as last, coalesce(states.sequence, 0)::float8 as sequence
      from spaces left join sequences on sequences.space = name left join states on states.space = name where name = $1`,
    [name],
  )
  const { settings = null, keys = [], last = 0, sequence: savedTo = 0 } = rows[0] ?? {}
  const source = (what: string) => `${what} of the space ${name} in ${database.address.shown}`
  if (savedTo > 0) {
    const saved = source(`saved state ${savedTo}`)
    const reader = new StateReader(saved, state)
    const lines = await storedLines(database, 'states where space = $1', [name])
    await inTurns(readFileLines(saved, lines), (line) => reader.take(line))
    reader.finish()
  }
  const journal = source('journal')
  const position = await readEvents(database, name, { after: savedTo, source: journal, state })
  if (position < last) throw new DamagedLine(journal, position + 1, null, isMissing)
  return {
    state,
    keys,
    savedTo,
    position,
    settings: settings === null ? noSettings() : settingsFrom(source('settings'), settings),
  }
}

/** The lines of a stored text, each from a row of its own: a long message would hold up every other. */
async function storedLines(database: Database, from: string, values: readonly string[]): Promise<Buffer[]> {
  const text = `select string_to_table(body, E'\\n') as line from ${from}`
  const { rows } = await database.runLong<{ line: string }>(text, values)
  const lines: Buffer[] = []
  await inTurns(rows, ({ line }) => line !== '' && lines.push(Buffer.from(`${line}\n`)))
  return lines
}

/** Resolves to the sequence of the last event. */
async function readEvents(
  database: Database,
  space: string,
  { after, source, state }: { readonly after: number; readonly source: string; readonly state: State },
): Promise<number> {
  const reader = new JournalReader(source, state)
  let last = after
  for (let count = eventsAtOnce; count === eventsAtOnce; ) {
    const { rows } = await database.runLong<{ sequence: string; crc: string; body: string }>(
      `select sequence, crc, body::text from events where space = $1 and sequence > $2 order by sequence limit ${eventsAtOnce}`,
      [space, last],
    )
    for (const { sequence, crc, body } of rows) {
      last += 1
      const damaged = (why: string) => new DamagedLine(source, last, null, why)
      if (Number(sequence) !== last) throw damaged(isMissing)
      if (crc32(body) !== Number(crc)) throw damaged(wrongChecksum)
      reader.take(JSON.parse(body) as JournalEntry, damaged)
    }
    count = rows.length
  }
  return last
}

/** The named snapshots of a space, in the database. `empty`: makes an empty state to fill. */
export function spaceSnapshots(held: HeldSpace, empty: () => State): Snapshots {
  const { database, name: space } = held.facts
  return {
    async list() {
      const text = 'select name, head from snapshots where space = $1 order by name collate "C"'
      return (await database.run<{ name: string; head: SnapshotHead }>(text, [space])).rows
    },
    async has(name) {
      const text = 'select from snapshots where space = $1 and name = $2'
      return (await database.run(text, [space, name])).rowCount === 1
    },
    async save(name, state, facts) {
      const pieces: string[] = []
      await inTurns(stateText(state, facts), (piece) => pieces.push(piece))
      const body = pieces.join('')
      const head = { facts, ...formatLine(), bytes: Buffer.byteLength(body) }
      const text = `insert into snapshots (space, name, head, body) values ($1, $2, $3, $4)
        on conflict (space, name) do update set head = excluded.head, body = excluded.body`
      await held.change((run) => run(text, [space, name, JSON.stringify(head), body]))
      return head
    },
    async read(name) {
      const lines = await storedLines(database, 'snapshots where space = $1 and name = $2', [space, name])
      return readSnapshot(`snapshot ${name} of the space ${space} in ${database.address.shown}`, empty, lines)
    },
    async remove(name) {
      const text = 'delete from snapshots where space = $1 and name = $2'
      await held.change((run) => run(text, [space, name]))
    },
  }
}
