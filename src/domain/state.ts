import * as v from 'valibot'
import { errorTable } from '../contract/errors.ts'
import { limits } from '../contract/headers.ts'
import { evolve } from './evolve.ts'
import { type Catalogue, type MerchantProfile, plainMerchant } from './fixtures.ts'
import type { Events } from './model/events.ts'
import { count, epochMs, id, maybe, name, nameIn, text } from './model/kinds.ts'
import { createLedger, createTerminal, type Ledger, type RuleSettings, usualRules } from './model/ledger.ts'

export const requestSchema = v.strictObject({
  /** Application and request id. */
  key: name,
  at: epochMs,
  fingerprint: text,
  /** The transaction that it opened or changed, if any. */
  transactionId: maybe(id),
  /** The refusal, if it was refused. */
  refusal: maybe(
    v.strictObject({
      code: nameIn(errorTable),
      field: maybe(text),
      /** Absent: that of the error table. */
      message: maybe(text),
      detail: maybe(text),
      remedy: maybe(text),
    }),
  ),
})
/** The result of a POST, kept for 10 minutes by its X-Client-Request-Id. Times: wall-clock milliseconds. */
export type RequestMark = v.InferOutput<typeof requestSchema>

/** One line of the journal: the effect of one command on one ledger, applied completely or not at all. */
export interface JournalEntry {
  readonly stream: string
  readonly sequence: number
  /** Sandbox time in milliseconds. */
  readonly at: number
  /** As in the stamp; absent: the clock was never set back. */
  readonly setBack?: number | undefined
  readonly request?: RequestMark | undefined
  readonly events: Events
}

export const orderSchema = v.strictObject({
  /** Sandbox time of the latest entry, and the sum by which the clock was set back. */
  latest: count,
  /** Total by which the clock was set back so far. */
  setBack: count,
  /** Highest numbers of merchants that a restore removed: a new merchant begins after them. */
  removed: maybe(v.strictObject({ sequence: count, delivery: count })),
})
/** Orders all events, although the sandbox clock may be set back. Milliseconds. */
type JournalOrder = v.InferOutput<typeof orderSchema>

/** The whole state: a ledger for each merchant, and the request ids of the last 10 minutes. */
export interface State {
  readonly catalogue: Catalogue
  readonly rules: RuleSettings
  readonly ledgers: Map<string, Ledger>
  readonly requests: Map<string, RequestMark>
  /** When expired ones were last looked for: wall-clock time in milliseconds. */
  requestsLookedAt: number
  readonly journalOrder: JournalOrder
}

/** Read access to the state: ledgers can be neither added nor removed, nor their own members changed. */
export interface ReadonlyState extends Pick<State, 'catalogue'> {
  readonly ledgers: ReadonlyMap<string, Readonly<Ledger>>
}

/** Orders an event at that sandbox time after all earlier ones; returns the total set-back so far. */
export function advanceJournalOrder(order: JournalOrder, at: number): number {
  if (at + order.setBack < order.latest) order.setBack = order.latest - at + 1
  order.latest = at + order.setBack
  return order.setBack
}

/** A state with the ledgers of the fixtures' merchants, all empty. */
export function createState(catalogue: Catalogue, rules: RuleSettings = usualRules): State {
  const journalOrder = { latest: 0, setBack: 0 }
  const state: State = {
    catalogue,
    rules,
    ledgers: new Map(),
    requests: new Map(),
    requestsLookedAt: 0,
    journalOrder,
  }
  for (const application of catalogue.applications)
    for (const merchant of application.merchants)
      state.ledgers.set(merchant.merchantId, createLedger(catalogue, application, merchant, rules))
  return state
}

/** Number of transactions of all merchants. */
export const countTransactions = ({ ledgers }: Pick<ReadonlyState, 'ledgers'>): number =>
  [...ledgers.values()].reduce((sum, { transactions }) => sum + transactions.size, 0)

/**
 * The merchant's ledger, or a new one that is not yet part of the state.
 * assumption: parties, added-merchants
 */
export function ledgerOf(state: State, appId: string, merchantId: string): Ledger {
  const { catalogue, rules, ledgers, journalOrder } = state
  const existing = ledgers.get(merchantId)
  if (existing !== undefined) return existing
  const ledger = createLedger(catalogue, { appId }, addedMerchant(state, merchantId), rules)
  const { sequence = 0, delivery = 0 } = journalOrder.removed ?? {}
  ledger.sequence = sequence
  ledger.outbox.lastNumber = delivery
  return ledger
}

/** The fixture's profile of a merchant, or a plain one. */
export const merchantProfileOf = (state: ReadonlyState, merchantId: string): MerchantProfile =>
  state.catalogue.applications
    .flatMap(({ merchants }) => merchants)
    .find((merchant) => merchant.merchantId === merchantId) ?? addedMerchant(state, merchantId)

/** The profile of the fixtures' first merchant, with the name given when the merchant was added. */
function addedMerchant({ catalogue, ledgers }: ReadonlyState, merchantId: string): MerchantProfile {
  const plain = plainMerchant(merchantId, catalogue.applications[0]?.merchants[0])
  const name = ledgers.get(merchantId)?.name ?? null
  return name === null ? plain : { ...plain, details: { ...plain.details, dbaName: name } }
}

/**
 * The state after a reset. Numbering continues, so that no earlier entry can be mistaken for a later one.
 * Merchants and terminal settings are kept: they are the setup of a test, not its results. assumption: reset
 */
export function resetState(state: State, fresh: State): State {
  Object.assign(fresh.journalOrder, state.journalOrder)
  for (const [
    merchantId,
    { settings, name, sequence, registeredAt, outbox, terminals, removed, unpaired, pairedCodes },
  ] of state.ledgers) {
    const ledger = ledgerOf(fresh, settings.appId, merchantId)
    ledger.sequence = sequence
    ledger.registeredAt = registeredAt
    ledger.name = name
    ledger.outbox.lastNumber = outbox.lastNumber
    for (const { terminalSn, profile, asGiven, registeredAt: seenAt } of terminals.values())
      ledger.terminals.set(terminalSn, {
        ...createTerminal(profile, seenAt),
        ...(asGiven !== undefined && { asGiven }),
      })
    for (const { terminalSn, profile, registeredAt: seenAt } of removed.values()) {
      ledger.terminals.delete(terminalSn)
      ledger.removed.set(terminalSn, createTerminal(profile, seenAt))
    }
    for (const [terminalSn, terminal] of unpaired) ledger.unpaired.set(terminalSn, terminal)
    for (const [code, terminalSn] of pairedCodes) ledger.pairedCodes.set(code, terminalSn)
    fresh.ledgers.set(merchantId, ledger)
  }
  return fresh
}

/**
 * A saved state that replaces another one. Numbering continues from the higher of both: the number of a
 * journal entry or a delivery is never used twice. assumption: restore
 */
export function continueNumbering(saved: State, before: State): State {
  const removed = { sequence: 0, delivery: 0, ...before.journalOrder.removed }
  for (const [merchantId, { sequence, outbox }] of before.ledgers) {
    const ledger = saved.ledgers.get(merchantId)
    if (ledger === undefined) {
      removed.sequence = Math.max(removed.sequence, sequence + 1) // no earlier ledger can be taken for a new one
      removed.delivery = Math.max(removed.delivery, outbox.lastNumber)
      continue
    }
    ledger.sequence = Math.max(ledger.sequence, sequence)
    ledger.outbox.lastNumber = Math.max(ledger.outbox.lastNumber, outbox.lastNumber)
  }
  if (removed.sequence > 0) saved.journalOrder.removed = removed
  else delete saved.journalOrder.removed
  return saved
}

/** The greatest transactionId; 0 without one. */
export function greatestIdIn({ ledgers }: State): number {
  let greatest = 0
  for (const { transactions } of ledgers.values())
    greatest = Math.max(greatest, Number(transactions.greatestId))
  return greatest
}

/** Applies an entry from the journal. The state is the fold of the entries, live and after a restart. */
export function applyEntry(state: State, entry: JournalEntry): void {
  const [first] = entry.events
  const ledger = ledgerOf(state, first?.type === 'merchant-registered' ? first.appId : '', entry.stream)
  state.ledgers.set(entry.stream, ledger)
  const { at, setBack = 0 } = entry
  for (const event of entry.events) evolve(ledger, event, at, setBack)
  Object.assign(state.journalOrder, { latest: at + setBack, setBack })
  ledger.sequence = entry.sequence
  if (entry.request !== undefined) rememberRequest(state, entry.request)
}

/** True when the mark is too old. `now`: wall clock. docs/api.md#limit-duplicates. assumption: periods */
export const isMarkExpired = ({ at }: RequestMark, now: number): boolean =>
  now - at > limits.clientRequestIdWindow

/** Forgets expired request marks: no rule needs them. */
export function forgetOldRequests({ requests }: State, now: number): void {
  for (const [key, mark] of requests) if (isMarkExpired(mark, now)) requests.delete(key)
}

/** Shortest time between two looks for expired marks: a map steps over all it lost. Milliseconds. */
const lookEvery = 1_000

function forgetAround(state: State, now: number): void {
  state.requestsLookedAt = now
  for (const [key, { at }] of state.requests) {
    if (Math.abs(now - at) <= limits.clientRequestIdWindow) return
    state.requests.delete(key)
  }
}

/**
 * Records a request's mark and forgets expired ones, and those further ahead than the window: the wall clock
 * may have jumped. docs/api.md#limit-duplicates
 */
export function rememberRequest(state: State, mark: RequestMark): void {
  if (Math.abs(mark.at - state.requestsLookedAt) >= lookEvery) forgetAround(state, mark.at)
  state.requests.delete(mark.key)
  state.requests.set(mark.key, mark)
}
