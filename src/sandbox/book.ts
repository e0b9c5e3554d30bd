import type { ErrorCode } from '../api/errors.ts'
import { limits } from '../api/headers.ts'
import type { Event } from '../domain/events.ts'
import { evolve } from '../domain/evolve.ts'
import { createLedger, type Ledger } from '../domain/ledger.ts'
import type { ApplicationProfile, MerchantProfile } from '../fixtures.ts'

/** What became of a POST, kept for 10 minutes under its X-Client-Request-Id. Times are wall-clock milliseconds. */
export interface RequestMark {
  /** Application and request id. */
  readonly key: string
  readonly at: number
  readonly fingerprint: string
  /** The transaction it opened or acted on, if any. */
  transactionId?: string
  /** Why it was refused, when it was. */
  refusal?: { readonly code: ErrorCode; readonly field?: string; readonly detail?: string }
}

/** One line of the journal: what one command did to one ledger, whole or not at all. */
export interface Entry {
  readonly stream: string
  readonly sequence: number
  /** Sandbox time in milliseconds. */
  readonly at: number
  readonly request?: RequestMark | undefined
  readonly events: readonly Event[]
}

/** The whole state: a ledger for each merchant, and the request ids of the last 10 minutes. */
export interface Book {
  readonly applications: readonly ApplicationProfile[]
  /** Milliseconds a screen of automatic terminals without a pace of their own. */
  readonly pace: number
  /** Where results are sent when a request does not say; null: nowhere. */
  readonly notifyUrl: string | null
  readonly ledgers: Map<string, Ledger>
  readonly requests: Map<string, RequestMark>
}

/** A book with the ledgers of the fixtures' merchants, all empty. */
export function createBook(
  applications: readonly ApplicationProfile[],
  pace: number,
  notifyUrl: string | null = null,
): Book {
  const book: Book = { applications, pace, notifyUrl, ledgers: new Map(), requests: new Map() }
  for (const application of applications)
    for (const merchant of application.merchants)
      book.ledgers.set(merchant.merchantId, createLedger(application, merchant, pace, notifyUrl))
  return book
}

/** The merchant's ledger, or a new one that is not in the book yet. assumption: register-on-first-sight */
export function ledgerOf(book: Book, appId: string, merchantId: string): Ledger {
  return (
    book.ledgers.get(merchantId) ??
    createLedger({ appId }, plainMerchant(book, merchantId), book.pace, book.notifyUrl)
  )
}

/** Details of a merchant that nobody described. assumption: register-on-first-sight */
const unknownDetails = {
  mcc: '5999',
  country: 'USA',
  stateName: '',
  cityName: '',
  street: '',
  detailAddress: '',
  zipCode: '',
  createTime: '',
}

/** The fixture's profile of a merchant, or a plain one. */
export const profileOf = (book: Book, merchantId: string): MerchantProfile =>
  book.applications
    .flatMap(({ merchants }) => merchants)
    .find((merchant) => merchant.merchantId === merchantId) ?? plainMerchant(book, merchantId)

function plainMerchant(book: Book, merchantId: string): MerchantProfile {
  const model = book.applications[0]?.merchants[0]
  return {
    merchantId,
    details: { ...unknownDetails, dbaName: merchantId },
    timeZone: model?.timeZone ?? 'UTC',
    reserve: model?.reserve ?? 0,
    terminals: [],
  }
}

/** Applies an entry that was read back. The state is the fold of the entries, live and after a restart. */
export function applyEntry(book: Book, entry: Entry): void {
  const [first] = entry.events
  const ledger = ledgerOf(book, first?.type === 'merchant-registered' ? first.appId : '', entry.stream)
  book.ledgers.set(entry.stream, ledger)
  for (const event of entry.events) evolve(ledger, event, entry.at)
  ledger.sequence = entry.sequence
  if (entry.request !== undefined) remember(book, entry.request)
}

/** Keeps a request's mark and forgets those that left the window. spec: Limits, Duplicate window for request id */
export function remember(book: Book, mark: RequestMark): void {
  for (const [key, { at }] of book.requests) {
    if (mark.at - at < limits.requestIdWindow) break
    book.requests.delete(key)
  }
  book.requests.delete(mark.key)
  book.requests.set(mark.key, mark)
}
