import { type LedgerRecord, ledgerRecordOf, restoreLedger } from '../../domain/ledger-record.ts'
import type { BatchClose, Ledger, UsedId } from '../../domain/model/ledger.ts'
import { type Delivery, enterDelivery } from '../../domain/model/outbox.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import type { RequestMark, State } from '../../domain/state.ts'
import { NewerFormat } from '../../files/checked-json.ts'
import { packageVersion } from '../../package-root.ts'
import { type DamagedLineOf, encodeLine } from './lines.ts'

/** Format of state.json, journals, checkpoints and exports. Files of any other format are not read. */
const stateFormat = 1

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
export function requireFormat(path: string, line: object, damaged: DamagedLineOf): void {
  if (!('format' in line)) throw damaged('it should say the format of the file')
  const { format, version } = line as FormatLine
  if (typeof version !== 'string' || version.length > longestVersion)
    throw damaged('version: must be a short text')
  if (format !== stateFormat) throw new NewerFormat(path, version, format, stateFormat)
}

/** The records of a state by their kind. Those after a ledger belong to it, up to the requests. */
interface Records {
  readonly ledger: LedgerRecord
  readonly transaction: Transaction
  readonly close: BatchClose
  readonly usedId: UsedId
  readonly delivery: Delivery
  readonly request: RequestMark
  readonly order: State['journalOrder']
  /** The last line: the number of lines before it. */
  readonly end: number
}
type RecordKind = keyof Records

/** A line of a snapshot after its first: one record by its kind. */
export type SnapshotLine = { readonly [K in RecordKind]: { readonly [M in K]: Records[K] } }[RecordKind]

/** A state as lines, one record each. */
export function* snapshotLines(state: State, first: FormatLine): Generator<string> {
  yield encodeLine(first)
  let count = 1
  for (const line of recordsOf(state)) {
    count += 1
    yield encodeLine(line)
  }
  yield encodeLine({ end: count })
}

function* recordsOf({ ledgers, requests, journalOrder }: State): Generator<SnapshotLine> {
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

/** What is wrong with a record, in words; undefined for a valid one. */
export type RecordCheck = (kind: RecordKind, value: unknown) => string | undefined

/** Fills a state from the lines of a snapshot. */
export class SnapshotReader {
  #ledger: Ledger | undefined
  #lines = 0
  #end = -1

  /** `path`: of the file, for errors; `check`: for records that this sandbox may not have written. */
  constructor(
    readonly path: string,
    readonly state: State,
    readonly check: RecordCheck = () => undefined,
  ) {}

  /** True when the last line was read, and no line is missing before it. */
  get isWhole(): boolean {
    return this.#end === this.#lines - 1
  }

  /** Errors: DamagedLine, and then nothing of the line is taken; NewerFormat for the first line. */
  take(line: SnapshotLine | FormatLine, damaged: DamagedLineOf): void {
    this.#lines += 1
    if (this.#lines === 1) return requireFormat(this.path, line, damaged)
    if ('format' in line) throw damaged('it belongs at the beginning')
    const [kind = '', ...others] = Object.keys(line)
    if (others.length > 0) throw damaged(`the member ${JSON.stringify(others[0])} beside ${kind} is unknown`)
    const wrong = this.check(kind as RecordKind, (line as Record<string, unknown>)[kind])
    if (wrong !== undefined) throw damaged(wrong)
    this.#enter(line as SnapshotLine, damaged)
  }

  /** Leaves out a damaged line. `isOwned`: it belongs to the ledger before it; otherwise that may have ended. */
  skip(isOwned: boolean): void {
    this.#lines = Math.max(this.#lines, 1)
    if (!isOwned) this.#ledger = undefined
  }

  #enter(line: SnapshotLine, damaged: DamagedLineOf): void {
    const { state } = this
    if ('ledger' in line) this.#ledger = restoreLedger(state, line.ledger)
    else if ('request' in line) state.requests.set(line.request.key, line.request)
    else if ('order' in line) Object.assign(state.journalOrder, line.order)
    else if ('end' in line) this.#end = line.end
    else if (this.#ledger === undefined) throw damaged('its ledger is missing before it')
    else if ('transaction' in line) this.#ledger.transactions.add(line.transaction)
    else if ('close' in line) this.#ledger.closes.set(line.close.transactionRequestId, line.close)
    else if ('usedId' in line) this.#ledger.usedIds.set(line.usedId.transactionRequestId, line.usedId)
    else if ('delivery' in line) enterDelivery(this.#ledger.outbox, line.delivery)
    else throw damaged(`its kind ${JSON.stringify(Object.keys(line)[0])} is unknown`)
  }
}
