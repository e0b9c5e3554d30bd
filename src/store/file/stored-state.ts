import { dirname, join } from 'node:path'
import type { Adapter } from 'lowdb'
import type { State } from '../../domain/state.ts'
import { DamagedFile } from '../../files/checked-json.ts'
import { requireSequences, requireWhole } from './format/checks.ts'
import { type Files, type OpenFile, type SealedFile, sizeIn } from './format/manifest.ts'
import { countSoundAfter, DamagedLine, type FileEnd, readLines } from './format/state-lines.ts'
import { type JournalLine, JournalReader } from './journal-reader.ts'
import { writeSnapshot } from './snapshot.ts'
import { readSnapshot } from './snapshot-reader.ts'

/** How the open journal ended. */
export interface OpenEnding extends FileEnd {
  readonly path: string
  /** The file as it would be sealed now. */
  readonly sealed: SealedFile
  readonly isEmpty: boolean
}

/**
 * lowdb's adapter for the state. Reads the manifest's snapshot and every journal entry after it; writes a new snapshot,
 * for the next manifest to name. Journal appends the entries.
 */
export class StoredState implements Adapter<State> {
  /** How the open journal ended, after `read`; null when there is no open journal. */
  ending: OpenEnding | null = null
  /** The new snapshot, after `write`. */
  snapshot: SealedFile | null = null

  /** `openBytes`: how much of the open journal to read; absent: all sound lines. */
  constructor(
    readonly folder: string,
    readonly files: Files,
    readonly empty: () => State,
    readonly openBytes?: number,
  ) {}

  /** Reads the state; changes nothing. Errors: DamagedLine, DamagedFile, NewerFormat, an Error of the file system. */
  async read(): Promise<State> {
    const state = this.empty()
    const { snapshot, journals, open } = this.files
    if (snapshot !== null) readSnapshot(this.folder, snapshot, state)
    for (const journal of journals) readSealed(join(this.folder, journal.name), journal, state)
    if (open !== null) this.ending = readOpen(join(this.folder, open.name), open, state, this.openBytes)
    return state
  }

  async write(state: State): Promise<void> {
    this.snapshot = writeSnapshot(this.folder, state)
  }
}

function readSealed(path: string, journal: SealedFile, state: State): void {
  requireWhole(path, journal)
  const reader = new JournalReader(path, journal.id, state)
  const { soundBytes, lines } = readLines(path, { take: reader.take, bytes: journal.bytes })
  if (soundBytes < journal.bytes)
    throw new DamagedLine(path, lines + 1, soundBytes, 'it is cut off, and it was acknowledged')
  requireSequences(path, journal, state)
}

function readOpen(path: string, { name, id }: OpenFile, state: State, bytes?: number): OpenEnding {
  if (sizeIn(dirname(path), name) === undefined)
    throw new DamagedFile(path, 'it is missing; the manifest names it')
  const reader = new JournalReader(path, id, state)
  const provesDurable = id === null ? undefined : (value: JournalLine) => 'group' in value
  const ending = readLines(path, { take: reader.take, bytes, ...(provesDurable && { provesDurable }) })
  if (ending.lines === 0 && id !== null) throw new DamagedLine(path, 1, 0, 'it is not what was written')
  const sealed = { name, id, bytes: ending.soundBytes, sequences: Object.fromEntries(reader.sequences) }
  return { ...ending, path, sealed, isEmpty: reader.sequences.size === 0 }
}

/** The unfinished end of the journal after a crash, in words. */
export function unfinishedText({ path, lines, soundBytes, unfinishedBytes }: OpenEnding): string {
  const after = countSoundAfter(path, soundBytes)
  const sound = after === 0 ? '' : `, with ${after} whole ${after === 1 ? 'line' : 'lines'} after it`
  return (
    `${path}: line ${lines + 1} was not written to its end and is left out${sound}: ${unfinishedBytes} bytes; ` +
    'no request in it was acknowledged'
  )
}
