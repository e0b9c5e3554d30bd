import { existsSync } from 'node:fs'
import type { Events } from '../../../domain/model/events.ts'
import type { Settings } from '../../../domain/settings.ts'
import { applyEntry, countTransactions, type JournalEntry, type State } from '../../../domain/state.ts'
import { DamagedFile } from '../../../shared/files/checked-json.ts'
import type { JournalHeader, JournalLine, JournalName } from './journal.ts'
import {
  DamagedLine,
  type DamagedLineOf,
  decodeLine,
  type FileLine,
  readChunks,
  readFileLines,
  wrongChecksum,
} from './lines.ts'
import { requireFormat, settingsFrom } from './state-file.ts'

/** How a journal ended. */
export interface JournalEnd {
  /** True when it changes nothing. */
  readonly isEmpty: boolean
  /** The last settings in it; null: those of the state file apply. */
  readonly settings: Settings | null
  /** An incomplete last group, in words; undefined for none. */
  readonly unfinished: string | undefined
}

/** Applies the lines of a journal to a state. */
export class JournalReader {
  settings: Settings | null = null
  isEmpty = true
  #group = 0

  constructor(
    readonly path: string,
    readonly state: State,
  ) {}

  /** Takes a line after the header. Errors: DamagedLine, with nothing of it applied; DamagedFile. */
  take(line: JournalLine, damaged: DamagedLineOf): void {
    if ('group' in line) {
      if (line.group <= this.#group) throw damaged(`group ${line.group} follows group ${this.#group}`)
      this.#group = line.group
      return
    }
    this.isEmpty = false
    if ('settings' in line) this.settings = settingsFrom(this.path, line.settings)
    else if ('stream' in line) this.#apply(line, damaged)
    else throw damaged(`its kind ${JSON.stringify(Object.keys(line)[0])} is unknown`)
  }

  #apply(entry: JournalEntry, damaged: DamagedLineOf): void {
    const { stream, sequence, events } = entry
    const ledger = this.state.ledgers.get(stream)
    const applied = ledger?.sequence ?? this.state.journalOrder.removed?.sequence ?? 0 // as `ledgerOf` begins one
    if (sequence <= applied) throw damaged(`entry ${sequence} of ${stream} stands there twice`)
    if (sequence > applied + 1) throw damaged(`entry ${applied + 1} of ${stream} is missing before it`)
    const missing = missingIn(events, (id) => ledger?.transactions.has(id) === true)
    if (missing !== undefined) throw damaged(`there is no transaction ${missing}`)
    try {
      applyEntry(this.state, entry)
    } catch (error) {
      throw damaged((error as Error).message)
    }
  }
}

/** The first transaction that an event names, though none is there and no event before opened it. */
function missingIn(events: Events, isThere: (id: string) => boolean): string | undefined {
  let opened: string | undefined
  for (const event of events) {
    if (!('id' in event)) continue
    if (event.type === 'opened') opened = event.id
    else if (event.id !== opened && !isThere(event.id)) return event.id
  }
  return undefined
}

/**
 * Applies a journal to the state of its state file, which names it. An unsound line is left unfinished by a
 * crash, unless a later group proves that it was durable. `bytes`: the durable ones, if known. Errors:
 * DamagedFile, DamagedLine, NewerFormat; an Error of the file system. The file is not changed.
 */
export function readJournal(path: string, { id }: JournalName, state: State, bytes?: number): JournalEnd {
  const reader = new JournalReader(path, state)
  let unsound: FileLine | undefined
  let [lines, end, soundAfter] = [0, 0, 0]
  for (const found of journalLines(path, bytes)) {
    lines += 1
    end = found.offset + found.bytes.length + (found.isEnded ? 1 : 0)
    const value = soundIn(found)
    if (lines === 1) requireHeader(found, id, value)
    else if (unsound === undefined && value !== undefined) reader.take(value, (why) => found.damaged(why))
    else {
      unsound ??= found
      if (endsWithGroup(found.bytes)) throw unsound.damaged(wrongChecksum)
      if (value !== undefined) soundAfter += 1
    }
  }
  if (lines === 0) throw new DamagedLine(path, 1, 0, 'it is empty')
  const { isEmpty, settings } = reader
  return {
    isEmpty,
    settings,
    unfinished: unsound && unfinishedText(unsound, end, soundAfter, countTransactions(state)),
  }
}

/** The lines of a journal that state.json names. Errors: DamagedFile when it is missing. */
export function journalLines(path: string, bytes?: number): Generator<FileLine> {
  if (!existsSync(path)) throw new DamagedFile(path, 'it is missing; state.json names it')
  return readFileLines(path, readChunks(path, bytes))
}

/**
 * The object of a line; undefined when it is not sound. At the end of the file, another byte in place of the
 * newline is none of it.
 */
export const soundIn = ({ bytes, isEnded }: FileLine): JournalLine | undefined =>
  decodeLine(bytes) ?? (isEnded ? undefined : decodeLine(bytes.subarray(0, -1)))

/** True for a group line, also one behind a damaged newline. */
function endsWithGroup(bytes: Buffer): boolean {
  const from = bytes.lastIndexOf('{"group":')
  return from !== -1 && decodeLine(bytes.subarray(from)) !== undefined
}

/** Errors: DamagedLine, DamagedFile, NewerFormat unless it is the first line of the journal with that id. */
function requireHeader(found: FileLine, id: string, value: JournalLine | undefined): void {
  if (value === undefined) throw found.damaged(wrongChecksum)
  requireFormat(value, found)
  const stored = (value as JournalHeader).id
  if (stored !== id)
    throw new DamagedFile(found.path, `it is another file: its id is ${stored}, and state.json names ${id}`)
}

function unfinishedText(
  { path, line, offset }: FileLine,
  end: number,
  soundAfter: number,
  before: number,
): string {
  const sound =
    soundAfter === 0 ? '' : `, with ${soundAfter} whole ${soundAfter === 1 ? 'line' : 'lines'} after it`
  return (
    `${path}: the last group is incomplete from line ${line} on, and left out${sound}: ${end - offset} bytes. ` +
    `Before it are ${before} ${before === 1 ? 'transaction' : 'transactions'}. If a crash left it so, no request in it ` +
    'was acknowledged; if the file was cut or changed later, some may be missing'
  )
}
