import type { Event } from '../../domain/model/events.ts'
import { applyEntry, type JournalEntry, type State } from '../../domain/state.ts'
import { type DamagedLineOf, type Header, requireHeader, writerOf } from './format/checks.ts'
import { entryOfToday } from './format/earlier-format.ts'
import { firstUnknown, knownMembersOf, unknownInEntry } from './format/known-members.ts'
import { DamagedLine } from './format/state-lines.ts'
import type { GroupLine } from './journal.ts'

/** A line of a journal. */
export type JournalLine = JournalEntry | GroupLine | Header

const groupMembers = knownMembersOf<GroupLine & { crc: string }>()('group crc')

/** Applies the entries of one journal file that the state does not hold yet. */
export class JournalReader {
  /** Number of the last entry of each ledger in this file. */
  readonly sequences = new Map<string, number>()
  #group = 0
  #format: number | undefined
  /** The tillbox version that wrote the file, for errors about unknown members. */
  #writer = ''

  /** `id`: of the file, null for format 1, undefined for any. */
  constructor(
    readonly path: string,
    readonly id: string | null | undefined,
    readonly state: State,
  ) {}

  /** Errors: DamagedLine, and then nothing of the line is applied; DamagedFile, NewerFormat for the first line. */
  readonly take = (value: JournalLine, line: number, offset: number): void => {
    const damaged = (why: string) => new DamagedLine(this.path, line, offset, why)
    const odd = (why: string) => damaged(why + this.#writer)
    if (line === 1) {
      this.#format = requireHeader(this.path, value, this.id, damaged)
      this.#writer = writerOf(value)
      return
    }
    if ('group' in value) {
      const unknown = firstUnknown(value, groupMembers, 'group')
      if (unknown !== undefined) throw odd(unknown)
      if (value.group <= this.#group) throw damaged(`group ${value.group} follows group ${this.#group}`)
      this.#group = value.group
      return
    }
    if (!('stream' in value)) throw odd(`its kind ${JSON.stringify(Object.keys(value)[0])} is unknown`)
    const entry = entryOfToday(value, this.#format)
    const unknown = unknownInEntry(entry)
    if (unknown !== undefined) throw odd(unknown)
    this.#apply(entry, damaged)
  }

  #apply(entry: JournalEntry, damaged: DamagedLineOf): void {
    const { stream, sequence, events } = entry
    if (sequence <= (this.sequences.get(stream) ?? 0))
      throw damaged(`entry ${sequence} of ${stream} stands there twice`)
    const ledger = this.state.ledgers.get(stream)
    const applied = ledger?.sequence ?? 0
    if (sequence > applied + 1) throw damaged(`entry ${applied + 1} of ${stream} is missing before it`)
    if (sequence === applied + 1) {
      const missing = missingIn(events, (id) => ledger?.transactions.has(id) === true)
      if (missing !== undefined) throw damaged(`there is no transaction ${missing}`)
      applyEntry(this.state, entry)
    }
    this.sequences.set(stream, sequence)
  }
}

/** The first transaction that an event names, but that neither exists nor was opened by an event before it. */
function missingIn(events: readonly Event[], isThere: (id: string) => boolean): string | undefined {
  let opened: string | undefined
  for (const event of events) {
    if (!('id' in event)) continue
    if (event.type === 'opened') opened = event.id
    else if (event.id !== opened && !isThere(event.id)) return event.id
  }
  return undefined
}
