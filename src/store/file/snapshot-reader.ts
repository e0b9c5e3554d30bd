import { join } from 'node:path'
import type { Ledger, Terminal } from '../../domain/model/ledger.ts'
import { enterDelivery } from '../../domain/model/outbox.ts'
import { recountFollowUp } from '../../domain/original-effects.ts'
import { ledgerOf, type State } from '../../domain/state.ts'
import {
  type DamagedLineOf,
  requireHeader,
  requireSequences,
  requireWhole,
  writerOf,
} from './format/checks.ts'
import { type Columns, recordsFrom, wrongColumn } from './format/columns.ts'
import { closeOfToday, transactionOfToday } from './format/earlier-format.ts'
import { firstUnknown, knownMembersOf, type RecordName, unknownIn } from './format/known-members.ts'
import { hasTodaysRecords, type SealedFile } from './format/manifest.ts'
import { withSharedTexts } from './format/shared-texts.ts'
import { DamagedLine, readLines } from './format/state-lines.ts'
import { StoredLine, storedFacts } from './format/stored-line.ts'
import type { ColumnsLine, LedgerLine, OwnedLine, SnapshotLine } from './snapshot.ts'

const ledgerMembers = knownMembersOf<LedgerLine>()(
  'settings sequence registeredAt name trace lastDelivery terminals removed unpaired pairedCodes batches balances holds',
)
const orderMembers = knownMembersOf<State['journalOrder']>()('latest setBack')

/**
 * Fills the state from a snapshot that a manifest names. Errors: DamagedLine; DamagedFile if the file is missing, is
 * another file, or has unknown members.
 */
export function readSnapshot(folder: string, snapshot: SealedFile, state: State): void {
  const path = join(folder, snapshot.name)
  requireWhole(path, snapshot)
  const reader = new SnapshotReader(path, snapshot.id, state)
  const { soundBytes, unfinishedBytes, lines } = readLines<SnapshotLine>(path, {
    take: (value, line, offset, bytes) => reader.take(value, line, offset, bytes),
    bytes: snapshot.bytes,
  })
  if (unfinishedBytes > 0 || reader.finish() !== lines - 1)
    throw new DamagedLine(path, lines + 1, soundBytes, 'its end is missing')
  requireSequences(path, snapshot, state)
}

/** What is wrong with a record of a snapshot, in words; undefined for a valid record. */
export type RecordCheck = (
  name: RecordName | 'ledger' | 'order' | 'end',
  value: unknown,
) => string | undefined

/** The check for files of ours: every member of a record must be known; `unknownBeside` checks the other lines. */
const onlyKnown: RecordCheck = (name, value) =>
  name === 'ledger' || name === 'order' || name === 'end' ? undefined : unknownIn(name, value as object)

/** Returns the valid value. Errors: DamagedLine. */
type RequireSound = <T>(name: Parameters<RecordCheck>[0], value: T) => T

/** Fills a state from the lines of a snapshot; it is whole when the reader has finished. */
export class SnapshotReader {
  #end = -1
  #ledger: Ledger | undefined
  #format: number | undefined
  /** The tillbox version that wrote the file, for errors about unknown members. */
  #writer = ''

  /** `id`: of the file, null for format 1, undefined for any. `check`: absent for a file of ours. */
  constructor(
    readonly path: string,
    readonly id: string | null | undefined,
    readonly state: State,
    readonly check = onlyKnown,
  ) {}

  /** `bytes`: the line without its newline. Errors: DamagedLine; DamagedFile, NewerFormat for the first line. */
  take(value: SnapshotLine, line: number, offset: number, bytes: Buffer): void {
    const { path, state } = this
    const damaged = (why: string) => new DamagedLine(path, line, offset, why)
    const odd = (why: string) => damaged(why + this.#writer)
    if (line === 1) {
      this.#format = requireHeader(path, value, this.id, damaged)
      this.#writer = writerOf(value)
      return
    }
    const unknown = hasTodaysRecords(this.#format) ? unknownBeside(value) : undefined
    if (unknown !== undefined) throw odd(unknown)
    const checked: RequireSound = (name, record) => {
      const wrong = this.check(name, record)
      if (wrong !== undefined) throw odd(wrong)
      return record
    }
    if ('ledger' in value) this.#ledger = restore(state, checked('ledger', value.ledger), checked)
    else if ('request' in value) state.requests.set(value.request.key, checked('request', value.request))
    else if ('requests' in value)
      for (const request of this.#unpacked('request', value.requests, odd))
        state.requests.set(request.key, request)
    else if ('order' in value) Object.assign(state.journalOrder, checked('order', value.order))
    else if ('end' in value) this.#end = checked('end', value.end)
    else if ('format' in value) throw damaged('it belongs at the beginning')
    else if (this.#ledger === undefined) throw damaged('its ledger is missing before it')
    else this.#takeOwned(value, bytes, this.#ledger, checked, odd)
  }

  /** Skips a ledger whose own line is damaged: the lines after it have no owner. */
  skipLedger(): void {
    this.#ledger = undefined
  }

  /** Ends the reading. Returns the number of lines expected before the last line; -1 when that line was not read. */
  finish(): number {
    return this.#end
  }

  #unpacked<T extends object>(name: RecordName, packed: Columns<T>, odd: DamagedLineOf): T[] {
    this.#requireReadable(name, packed, odd)
    return recordsFrom(packed)
  }

  /** Accepts columns only in files of ours; a portable file has one record a line. Errors: DamagedLine. */
  #requireReadable<T extends object>(name: RecordName, packed: Columns<T>, odd: DamagedLineOf): void {
    const wrong =
      this.check === onlyKnown
        ? (unknownIn(name, packed.columns) ?? wrongColumn(packed))
        : `columns of ${name} are not read here`
    if (wrong !== undefined) throw odd(wrong)
  }

  #takeOwned(
    value: OwnedLine | ColumnsLine,
    bytes: Buffer,
    ledger: Ledger,
    checked: RequireSound,
    odd: DamagedLineOf,
  ): void {
    if ('delivery' in value) enterDelivery(ledger.outbox, checked('delivery', value.delivery))
    else if ('deliveries' in value)
      for (const delivery of this.#unpacked('delivery', value.deliveries, odd))
        enterDelivery(ledger.outbox, delivery)
    else if ('transactions' in value) {
      this.#requireReadable('transaction', value.transactions, odd)
      ledger.transactions.addStored(new StoredLine(Buffer.from(bytes)), storedFacts(value.transactions))
    } else if ('close' in value) {
      const close = checked('close', closeOfToday(value.close, this.#format))
      ledger.closes.set(close.transactionRequestId, close)
    } else if ('usedId' in value) {
      const usedId = checked('usedId', value.usedId)
      ledger.usedIds.set(usedId.transactionRequestId, usedId)
    } else if ('transaction' in value) {
      const transaction = transactionOfToday(value.transaction, this.#format)
      ledger.transactions.add(withSharedTexts(checked('transaction', transaction)))
      if (!hasTodaysRecords(this.#format)) recountFollowUp(ledger, transaction)
    } else throw odd(`its kind ${JSON.stringify(Object.keys(value)[0])} is unknown`)
  }
}

/**
 * A line holds one record and its checksum. Returns any other member, or unknown ones of a ledger and the order, in
 * words.
 */
function unknownBeside(value: SnapshotLine): string | undefined {
  const [kind = '', ...others] = Object.keys(value).filter((member) => member !== 'crc')
  if (others.length > 0) return `the member ${JSON.stringify(others[0])} beside ${kind} is unknown`
  if ('ledger' in value) return firstUnknown(value.ledger, ledgerMembers, 'ledger')
  return 'order' in value ? firstUnknown(value.order, orderMembers, 'order') : undefined
}

function restore(state: State, line: LedgerLine, checked: RequireSound): Ledger {
  const {
    settings,
    terminals,
    removed = [],
    unpaired = [],
    pairedCodes = [],
    batches,
    balances,
    holds,
  } = line
  checked('settings', settings)
  for (const terminal of [...terminals, ...removed]) checked('terminal', terminal)
  for (const [, batch] of batches) checked('batch', batch)
  for (const terminal of unpaired) checked('unpaired', terminal)
  const ledger = ledgerOf(state, settings.appId, settings.merchantId)
  state.ledgers.set(settings.merchantId, ledger)
  ledger.sequence = line.sequence
  ledger.registeredAt = line.registeredAt
  ledger.name = line.name ?? null
  ledger.lastStan = line.trace
  ledger.outbox.lastNumber = line.lastDelivery
  for (const terminal of terminals)
    ledger.terminals.set(
      terminal.terminalSn,
      asFixturesSay(terminal, ledger.terminals.get(terminal.terminalSn)),
    )
  for (const terminal of removed) {
    ledger.terminals.delete(terminal.terminalSn) // the fixtures may contain it
    ledger.removed.set(terminal.terminalSn, terminal)
  }
  for (const terminal of unpaired) {
    ledger.terminals.delete(terminal.profile.terminalSn) // the fixtures may contain it
    ledger.unpaired.set(terminal.profile.terminalSn, terminal)
  }
  for (const [code, terminalSn] of pairedCodes) ledger.pairedCodes.set(code, terminalSn)
  for (const [key, batch] of batches) ledger.batches.set(key, batch)
  for (const [currency, amount] of balances) ledger.balances.set(currency, amount)
  for (const [currency, amount] of holds) ledger.holds.set(currency, amount)
  return ledger
}

/**
 * A terminal whose settings were never changed takes those of the current fixtures; a terminal that they lack is kept.
 */
const asFixturesSay = (stored: Terminal, given: Terminal | undefined): Terminal =>
  stored.asGiven && given !== undefined ? { ...stored, profile: given.profile } : stored
