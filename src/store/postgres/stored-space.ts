import { crc32 } from 'node:zlib'
import type { JournalEntry, State } from '../../domain/state.ts'
import { JournalReader } from '../file/journal-reader.ts'
import { DamagedLine } from '../file/lines.ts'
import type { RunStatement } from './connection/connection.ts'
import { readSnapshotRows } from './snapshot-rows.ts'

/** Events that one query reads. */
const eventsAtOnce = 1_000

export interface SpaceReading {
  readonly space: string
  /** The URL of the database, for messages. */
  readonly shown: string
  readonly empty: () => State
  /** Sequence of the last event to read. */
  readonly upTo: number
}

/** The content of a space. */
export interface StoredSpace {
  readonly state: State
  /** Sequence of its snapshot; 0 without one. */
  readonly snapshotAt: number
}

/**
 * Reads a space: its latest snapshot, and every event after it. All queries must see the same moment. Errors:
 * DamagedLine, DamagedFile, NewerFormat; as `Run`.
 */
export async function readSpace(run: RunStatement, reading: SpaceReading): Promise<StoredSpace> {
  const { space, shown, empty } = reading
  const state = empty()
  const { rows } = await run('select max(sequence) as latest from snapshots where space = $1', [space])
  const snapshotAt = Number(rows[0]?.latest ?? 0)
  if (rows[0]?.latest != null)
    await readSnapshotRows(
      run,
      space,
      snapshotAt,
      `snapshot ${snapshotAt} of the space ${space} in ${shown}`,
      state,
    )
  await readEvents(run, reading, snapshotAt, state)
  return { state, snapshotAt }
}

/** Numbered like the lines of a journal, whose header is line 1: event 1 is line 2. */
async function readEvents(
  run: RunStatement,
  reading: SpaceReading,
  after: number,
  state: State,
): Promise<void> {
  const { space, shown, upTo } = reading
  const source = `journal of the space ${space} in ${shown}`
  const reader = new JournalReader(source, state)
  let last = after
  while (last < upTo) {
    const { rows } = await run(
      `select sequence, crc, body from events
        where space = $1 and sequence > $2 and sequence <= $3 order by sequence limit ${eventsAtOnce}`,
      [space, last, upTo],
    )
    for (const { sequence, crc, body } of rows) {
      if (Number(sequence) !== last + 1) break
      last += 1
      const line = last + 1
      const damaged = (why: string) => new DamagedLine(source, line, 0, why)
      if (crc32(body ?? '') !== Number(crc)) throw damaged(`the checksum of event ${last} does not match`)
      reader.take(JSON.parse(body ?? '') as JournalEntry, damaged)
    }
    if (Number(rows.at(-1)?.sequence ?? 0) !== last)
      throw new DamagedLine(source, last + 2, 0, `event ${last + 1} is missing, and it was acknowledged`)
  }
}
