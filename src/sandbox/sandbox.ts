import type { Low } from 'lowdb'
import { applications } from '../fixtures.ts'
import { type Book, createBook, ledgerOf } from './book.ts'
import { SandboxClock } from './clock.ts'
import type { Dialect } from './dialect.ts'
import { Directory } from './directory.ts'
import type { DuplicateMode } from './duplicates.ts'
import { Engine } from './engine.ts'
import type { HttpStatusMode } from './envelope.ts'
import { createIdentifiers, type Identifiers } from './identifiers.ts'
import { type LoggedRequest, RequestLog } from './request-log.ts'
import { openSettings, type Settings } from './settings.ts'
import { FileStore } from './store/store.ts'

/** How a sandbox behaves. Every default is an assumption of docs/assumptions.md. */
export interface SandboxOptions {
  /** State folder. */
  readonly state: string
  readonly apiKey?: string
  /** Milliseconds a screen of automatic terminals. */
  readonly pace: number
  readonly strict: boolean
  readonly duplicates: DuplicateMode
  readonly httpStatus: HttpStatusMode
  readonly dialect: Dialect
  /** Wall clock in milliseconds. */
  readonly wall: () => number
  /** Something that a person should know: one line. */
  readonly report: (message: string) => void
  /** Called for each handled request. */
  readonly onRequest: ((entry: LoggedRequest) => void) | null
  /** Bytes from which a journal is folded into the snapshot. */
  readonly journalLimit?: number
}

const defaults = {
  pace: 0,
  strict: false,
  duplicates: 'reject',
  httpStatus: 'sdk',
  dialect: 'auto',
  wall: Date.now,
  report: () => undefined,
  onRequest: null,
} as const satisfies Omit<SandboxOptions, 'state'>

/** A running sandbox without its server: state, clock, keys, engine and log. */
export interface Sandbox {
  readonly options: SandboxOptions
  readonly clock: SandboxClock
  readonly settings: Low<Settings>
  readonly directory: Directory
  readonly engine: Engine
  readonly identifiers: Identifiers
  readonly log: RequestLog
  readonly startedAt: number
  /** True once the sandbox stops: from then on an answer closes its connection. */
  stopping: boolean
  /** Requests that are being handled. */
  running: number
  /** An empty book that carries on the numbering of the ledgers. */
  emptyBook(): Book
  close(): Promise<void>
}

/**
 * Opens the state folder and everything that lives on it.
 * Errors: DamagedLine for damaged state; an Error of the file system or for another format.
 */
export async function openSandbox(
  given: Partial<SandboxOptions> & { readonly state: string },
): Promise<Sandbox> {
  const options: SandboxOptions = { ...defaults, ...given }
  const empty = () => createBook(applications, options.pace)
  const opened: { engine?: Engine } = {}
  const { store, book } = await FileStore.open({
    folder: options.state,
    empty,
    failed: () => opened.engine?.recover(),
    report: options.report,
    ...(options.journalLimit !== undefined && { journalLimit: options.journalLimit }),
  })
  const settings = await openSettings(options.state)
  const clock = new SandboxClock(options.wall, settings.data.clock)
  const identifiers = createIdentifiers(options.wall, greatestId(book))
  const report = (error: Error) => options.report(error.message)
  const engine = new Engine({ book, store, clock, identifiers, report })
  opened.engine = engine
  return {
    options,
    clock,
    settings,
    directory: new Directory(applications, settings.data, options.apiKey),
    engine,
    identifiers,
    log: new RequestLog(1000, options.onRequest),
    startedAt: options.wall(),
    stopping: false,
    running: 0,
    emptyBook: () => emptied(engine.book, empty()),
    close: () => engine.close(),
  }
}

function greatestId(book: Book): number {
  let greatest = 0
  for (const { transactions } of book.ledgers.values())
    for (const id of transactions.keys()) if (Number(id) > greatest) greatest = Number(id)
  return greatest
}

/**
 * The numbering goes on, so that no entry from before a reset can ever be taken for a later one; a merchant that was
 * registered on first sight stays registered.
 */
function emptied(book: Book, fresh: Book): Book {
  for (const [merchantId, { settings, sequence, registeredAt }] of book.ledgers) {
    const ledger = ledgerOf(fresh, settings.appId, merchantId)
    ledger.sequence = sequence
    ledger.registeredAt = registeredAt
    fresh.ledgers.set(merchantId, ledger)
  }
  return fresh
}
