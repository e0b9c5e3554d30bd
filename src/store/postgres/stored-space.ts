import { crc32 } from 'node:zlib'
import type { JournalEntry, State } from '../../domain/state.ts'
import { JournalReader } from '../file/journal-reader.ts'
import { DamagedLine, linesOf, wrongChecksum } from '../file/lines.ts'
import { formatLine, SnapshotReader, snapshotLines } from '../file/state-file.ts'
import type { RunStatement } from './connection/connection.ts'

/** Events that one query reads. */
const eventsAtOnce = 1_000

const isMissing = 'it is missing, and it was acknowledged'

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

/** The text of a snapshot: the lines of a state file, each with its checksum. */
export const snapshotText = (state: State): string => [...snapshotLines(state, formatLine())].join('\n')

/**
 * Reads a space: its snapshot, and every event after it. All queries must see the same moment. Errors: DamagedLine,
 * DamagedFile, NewerFormat; as `RunStatement`.
 */
export async function readSpace(
  run: RunStatement,
  { space, shown, empty }: SpaceReading,
): Promise<StoredSpace> {
  const state = empty()
  const { rows } = await run(
    `select (select last from sequences where space = $1) as last, (select sequence from snapshots where space = $1) as sequence,
      (select body from snapshots where space = $1) as body`,
    [space],
  )
  const { last, sequence, body } = rows[0] ?? {}
  const snapshotAt = Number(sequence ?? 0)
  const source = (what: string) => `${what} of the space ${space} in ${shown}`
  if (body != null) readSnapshot(body, source(`snapshot ${snapshotAt}`), state)
  const journal = source('journal')
  const position = await readEvents(run, space, { after: snapshotAt, source: journal, state })
  if (position < Number(last ?? 0)) throw new DamagedLine(journal, position + 1, 0, isMissing)
  return { state, snapshotAt, position }
}

function readSnapshot(text: string, source: string, state: State): void {
  const reader = new SnapshotReader(source, state)
  for (const line of linesOf(source, [Buffer.from(text)])) reader.take(line)
  reader.finish()
}

/** Resolves to the sequence of the last event. */
async function readEvents(
  run: RunStatement,
  space: string,
  { after, source, state }: { readonly after: number; readonly source: string; readonly state: State },
): Promise<number> {
  const reader = new JournalReader(source, state)
  let last = after
  for (let count = eventsAtOnce; count === eventsAtOnce; ) {
    const { rows } = await run(
      `select sequence, crc, body from events where space = $1 and sequence > $2 order by sequence limit ${eventsAtOnce}`,
      [space, last],
    )
    for (const { sequence, crc, body } of rows) {
      last += 1
      const damaged = (why: string) => new DamagedLine(source, last, 0, why)
      if (Number(sequence) !== last) throw damaged(isMissing)
      if (crc32(body ?? '') !== Number(crc)) throw damaged(wrongChecksum)
      reader.take(JSON.parse(body ?? '') as JournalEntry, damaged)
    }
    count = rows.length
  }
  return last
}
