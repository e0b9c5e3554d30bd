import { userAgents } from '../../contract/headers.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { DeliveryAttempted } from '../../domain/model/events.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Delivery } from '../../domain/model/outbox.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import type { ReadonlyState } from '../../domain/state.ts'
import type { LoggedRequest } from '../request-log/request-log.ts'
import { requestTransactionIds, sentMembers } from '../request-log/request-views.ts'

/** A request of the merchant's code to the payment API. */
export interface RunRequest {
  readonly entry: LoggedRequest
  readonly operation: OperationName
  /** Members of its body or its query; none where they were not kept whole. */
  readonly members: Readonly<Record<string, unknown>>
  /** Transactions that it opened, acts on or asks for. */
  readonly transactionIds: readonly string[]
}

/** A notification of a result, and how its attempts ended, the oldest first. */
export interface RunNotification {
  readonly delivery: Delivery
  readonly attempts: readonly AttemptResult[]
  /** A later notification to the same URL was tried before it. */
  readonly isOvertaken: boolean
}

/** How an attempt to deliver a webhook ended. */
export interface AttemptResult extends Pick<DeliveryAttempted, 'last' | 'copy' | 'fault'> {
  /** Its place among all attempts. */
  readonly turn: number
  /** When it began; wall-clock time in milliseconds. */
  readonly at: number
}

/** What the sandbox knows of a merchant since it was last new. */
export interface Run {
  readonly merchantId: string
  /** In the order in which they began: a late answer is logged after what was sent meanwhile. */
  readonly requests: readonly RunRequest[]
  /** Those that the requests name. */
  readonly transactions: readonly Transaction[]
  readonly notifications: readonly RunNotification[]
}

/** A situation that a run met. */
export interface Meeting {
  /** What the merchant's code left out; null: nothing. */
  readonly gap: string | null
  readonly transactionId: string | null
  /** Of the request in the log where it was met. */
  readonly traceId: string | null
  /** What the request names, for want of a transaction. */
  readonly orderId?: string | undefined
}

/** Where a request met a situation. */
export const ofRequest = (request: RunRequest, gap: string | null): Meeting => ({
  gap,
  transactionId: request.transactionIds[0] ?? null,
  traceId: request.entry.traceId,
  orderId: orderOf(request),
})

/** The order that a request names; undefined: none. */
export const orderOf = ({ members: { referenceOrderId: id } }: RunRequest): string | undefined =>
  typeof id === 'string' ? id : undefined

/** Finds where a run met a situation, and what the merchant's code did then. */
export type Meet = (run: Run) => readonly Meeting[]

/** When it arrived: wall-clock time in milliseconds, to compare with times of notifications. */
export const startOf = ({ entry: { at, durationMs } }: RunRequest): number => at - durationMs

/** When it was decided, by the clock of `started`: that orders requests within a millisecond. */
export const endOf = ({ entry: { started, durationMs } }: RunRequest): number => started + durationMs

/** The key of a delivery's attempts. */
export const attemptKey = (merchantId: string, number: number): string => `${merchantId} ${number}`

/**
 * The runs that led to a state, one a merchant that sent requests. `entries`: the requests since it was last
 * new, the oldest first; `attempts`: by `attemptKey`.
 */
export function runsLeadingTo(
  state: ReadonlyState,
  entries: readonly LoggedRequest[],
  attempts: ReadonlyMap<string, readonly AttemptResult[]>,
): Run[] {
  const logged = entries.flatMap((entry) => merchantRequest(state, entry))
  const all = [...logged, ...logged.flatMap(lastRepeat)].sort(
    (one, other) => one.entry.started - other.entry.started,
  )
  return [...byMerchant(all, state)].map(([ledger, requests]) => {
    const transactions = [...namedIn(requests, ledger)]
    const ids = new Set(transactions.map(({ id }) => id))
    const { merchantId } = ledger.settings
    const notifications = resultNotifications(ledger, ids, attempts)
    return { merchantId, requests, transactions, notifications }
  })
}

/**
 * The requests of each merchant. One that names neither it nor a transaction is of the merchant of its
 * caller, or else of the request that follows it.
 */
function byMerchant(requests: readonly RunRequest[], { ledgers }: ReadonlyState): Map<Ledger, RunRequest[]> {
  const all = [...ledgers.values()]
  const ownerOf = ({ members: { merchantId }, transactionIds: [id = ''] }: RunRequest) =>
    (typeof merchantId === 'string' ? ledgers.get(merchantId) : undefined) ??
    all.find(({ transactions }) => transactions.get(id) !== undefined)
  const ofCaller = new Map(
    requests.flatMap((request) => {
      const owner = ownerOf(request)
      return owner === undefined ? [] : [[request.entry.caller, owner] as const]
    }),
  )
  let next = ofCaller.values().next().value ?? all[0]
  const grouped = new Map<Ledger, RunRequest[]>()
  for (const request of requests.toReversed()) {
    next = ownerOf(request) ?? ofCaller.get(request.entry.caller) ?? next
    if (next === undefined) continue
    if (!grouped.has(next)) grouped.set(next, [])
    grouped.get(next)?.push(request)
  }
  return new Map([...grouped].map(([ledger, own]) => [ledger, own.reverse()]))
}

/** The last of equal look-ups, which the log keeps as one. */
function lastRepeat({ entry, ...request }: RunRequest): RunRequest[] {
  const { repeats } = entry
  if (repeats === null) return []
  const started = entry.started + entry.durationMs + repeats.lastAt - entry.at
  return [{ ...request, entry: { ...entry, at: repeats.lastAt, started, durationMs: 0 } }]
}

type AnyLedger = Pick<Ledger, 'transactions' | 'outbox' | 'settings'>

function namedIn(requests: readonly RunRequest[], { transactions }: AnyLedger): ReadonlySet<Transaction> {
  const named = requests.flatMap(({ transactionIds, members: { transactionRequestId } }) => [
    ...transactionIds.map((id) => transactions.get(id)),
    typeof transactionRequestId === 'string'
      ? transactions.withTransactionRequestId(transactionRequestId)
      : undefined,
  ])
  return new Set(named.filter((transaction) => transaction !== undefined))
}

/** The notifications of the results of these transactions, in the order of their events. */
function resultNotifications(
  { outbox, settings: { merchantId } }: AnyLedger,
  ids: ReadonlySet<string>,
  attempts: ReadonlyMap<string, readonly AttemptResult[]>,
): RunNotification[] {
  const all = [...outbox.deliveries.values()]
    .filter(({ event }) => event === null)
    .map((delivery) => ({ delivery, attempts: attempts.get(attemptKey(merchantId, delivery.number)) ?? [] }))
  const firstTurn = ({ attempts: [first] }: (typeof all)[number]) => first?.turn ?? Number.POSITIVE_INFINITY
  /** The earliest attempt of a later notification to each URL. */
  const later = new Map<string, number>()
  return all
    .reverse()
    .map((each) => {
      const { url } = each.delivery
      const earliest = later.get(url) ?? Number.POSITIVE_INFINITY
      later.set(url, Math.min(earliest, firstTurn(each)))
      return { ...each, isOvertaken: Number.isFinite(firstTurn(each)) && earliest < firstTurn(each) }
    })
    .filter(({ delivery }) => ids.has(delivery.transactionId))
    .reverse()
}

function merchantRequest(state: ReadonlyState, entry: LoggedRequest): RunRequest[] {
  const { operation, method, target, body } = entry
  if (operation === null || isFromSandbox(entry)) return []
  const members = sentMembers(method, target, body) ?? {}
  return [{ entry, operation, members, transactionIds: requestTransactionIds({ engine: { state } }, entry) }]
}

/** True for a request of tillbox itself: a page, a command, a helper of tests, an agent. */
function isFromSandbox({ headers }: LoggedRequest): boolean {
  const [, agent = ''] = /^user-agent\n(.*)/im.exec(headers) ?? []
  return Object.values(userAgents).some((ownAgent) => agent.startsWith(ownAgent))
}
