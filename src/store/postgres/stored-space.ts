import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { JournalEntry, State } from '../../domain/state.ts'
import { headerLine } from '../file/format/checks.ts'
import { DamagedLine } from '../file/format/state-lines.ts'
import { JournalReader } from '../file/journal-reader.ts'
import type { RunStatement } from './connection/connection.ts'
import { readSnapshotRows } from './snapshot-rows.ts'

/** Events that one query reads. */
const eventsAtOnce = 1_000

export interface SpaceReading {
  readonly space: string
  /** The URL of the database, for messages. */
  readonly shown: string
  readonly empty: () => State
}

/** The content of a space. */
export interface StoredSpace {
  readonly state: State
  /** Sequence of its snapshot; 0 without one. */
  readonly snapshotAt: number
  /** Sequence of its last event. */
  readonly position: number
}

/**
 * Reads a space: its latest snapshot, and every event after it. All queries must see the same moment. Errors:
 * DamagedLine, DamagedFile, NewerFormat; as `RunStatement`.
 */
export async function readSpace(
  run: RunStatement,
  { space, shown, empty }: SpaceReading,
): Promise<StoredSpace> {
  const state = empty()
  const { rows } = await run('select max(sequence) as latest from snapshots where space = $1', [space])
  const latest = rows[0]?.latest ?? null
  const snapshotAt = Number(latest ?? 0)
  const source = (what: string) => `${what} of the space ${space} in ${shown}`
  if (latest !== null) await readSnapshotRows(run, space, snapshotAt, source(`snapshot ${latest}`), state)
  const position = await readEvents(run, space, { after: snapshotAt, source: source('journal'), state })
  return { state, snapshotAt, position }
}

/**
 * Numbered like the lines of a journal, whose header is line 1: event 1 is line 2. Resolves to the sequence of the last
 * one.
 */
async function readEvents(
  run: RunStatement,
  space: string,
  { after, source, state }: { readonly after: number; readonly source: string; readonly state: State },
): Promise<number> {
  const reader = new JournalReader(source, undefined, state)
  reader.take(headerLine(randomUUID()), 1, 0)
  let last = after
  for (let count = eventsAtOnce; count === eventsAtOnce; ) {
    const { rows } = await run(
      `select sequence, crc, body from events where space = $1 and sequence > $2 order by sequence limit ${eventsAtOnce}`,
      [space, last],
    )
    for (const { sequence, crc, body } of rows) {
      last += 1
      const damaged = (why: string) => new DamagedLine(source, last + 1, 0, why)
      if (Number(sequence) !== last) throw damaged(`event ${last} is missing, and it was acknowledged`)
      if (crc32(body ?? '') !== Number(crc)) throw damaged(`the checksum of event ${last} does not match`)
      reader.take(JSON.parse(body ?? '') as JournalEntry, last + 1, 0)
    }
    count = rows.length
  }
  return last
}
