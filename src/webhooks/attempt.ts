import type { Retries } from '../contract/sandbox/retries.ts'
import type { DeliveryAttempted } from '../domain/model/events.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { type Delivery, deliveryNumbers } from '../domain/model/outbox.ts'
import type { EngineAccess } from '../engine/engine.ts'
import type { ReadableClock } from '../engine/sandbox-clock.ts'
import type { Signing } from '../signature/signature.ts'
import { sleep } from '../timers.ts'
import type { Attempts, LoggedAttempt } from './attempt-log.ts'
import type { KeptConnections } from './exchange/kept-connections.ts'
import type { DeliveryFaults } from './faults/delivery-faults.ts'
import { faultsFor, type InjectedFaults, namesOf, timesSent } from './faults/drawn-faults.ts'
import type { NextDeliveries, NextDelivery } from './next-delivery.ts'
import { signedRequest } from './notifications/signed-request.ts'
import { type Attempt, type PostLimits, type PostResult, post } from './post.ts'

export interface AttemptOptions {
  readonly engine: EngineAccess
  readonly clock: ReadableClock
  readonly log: Attempts
  readonly retries: Retries
  /** True while deliveries are held. assumption: webhook-hold */
  readonly isHolding: () => boolean
  readonly limits: PostLimits
  /** The current faults of a delivery: of its order, its delay or an attempt. */
  readonly faults: DeliveryFaults
  /** How the webhooks of a merchant are signed. */
  readonly signingOf: (ledger: Ledger) => Signing
  readonly report: (error: Error) => void
}

/** Pause between batches of attempts that share a failed connection, so that payments come first. Milliseconds. */
const shareMs = 5

/** The circumstances of attempts. */
export interface AttemptContext {
  /** The ledger of the deliveries. */
  readonly ledger: Ledger
  /** True to send them although deliveries are held. */
  readonly isReleased: boolean
  /** Connections to the endpoint. */
  readonly connections: KeptConnections
  /** True when another attempt is due at the endpoint. */
  readonly isFollowed: () => boolean
  /** Resolves when the deliveries are durable; to false when they could not be written. */
  readonly isDurable: () => Promise<boolean>
  /** True when the state was replaced meanwhile. */
  readonly isForgotten: () => boolean
  /** Aborts the attempt, which is then not recorded. */
  readonly signal: AbortSignal
  /** The failed connection that the deliveries waited for: they share its result, and no request is sent. */
  readonly unreachable: PostResult | undefined
}

/** How attempts ended. */
export interface AttemptEnd {
  /** False when a delivery may not be durable, or now belongs to another sandbox: no attempt was made. */
  readonly isDurable: boolean
  /** The result, when no connection to the URL could be opened. */
  readonly unreachable?: PostResult | undefined
}

/**
 * Makes one attempt at each delivery and records all attempts together; several deliveries only share a failed
 * connection. It does not wait until the record is durable, so that the next delivery can follow immediately. A crash
 * or a failed write loses at most the records of the last attempts, and those webhooks are sent again in the same
 * order, which "at least once" allows. The notified event is always durable before it is sent.
 */
export async function attemptDeliveries(
  options: AttemptOptions,
  deliveries: NextDeliveries,
  context: AttemptContext,
): Promise<AttemptEnd> {
  const { engine, limits, isHolding } = options
  const { ledger, isReleased, unreachable: failed, isForgotten } = context
  const rounds = deliveries.map(({ delivery }) => delivery.round)
  if (failed !== undefined) await sleep(shareMs)
  if (!(await context.isDurable())) return { isDurable: false }
  await engine.ready()
  if (limits.mayPost?.() === false) return { isDurable: false }
  const isReplaced = engine.state.ledgers.get(ledger.settings.merchantId) !== ledger // the new one is served anew
  if (isReplaced || (isHolding() && !isReleased)) return { isDurable: true }
  if (failed !== undefined) {
    const waited = deliveries.filter(({ delivery }, index) => delivery.round === rounds[index]) // without resent ones
    recordAttempts(options, ledger, shareFailure(options, ledger, waited, failed))
    return { isDurable: true }
  }
  const { result, posted } = await attemptDelivery(options, deliveries[0], context)
  await engine.ready()
  if (result !== undefined && !isForgotten()) recordAttempts(options, ledger, [result])
  return { isDurable: true, unreachable: posted?.unreachable ? posted : undefined }
}

/** The plan of an attempt, with facts of the delivery from its beginning: the delivery may be resent meanwhile. */
interface BegunAttempt extends Pick<Delivery, 'number' | 'round' | 'attempts'> {
  readonly ledger: Ledger
  readonly delivery: Delivery
  readonly injected: InjectedFaults
  /** Names of the faults; null for none. */
  readonly fault: string | null
}

function beginAttempt(
  { faults }: AttemptOptions,
  ledger: Ledger,
  { delivery, timing }: NextDelivery,
): BegunAttempt {
  const { number, round, attempts } = delivery
  const injected = faultsFor(faults(ledger, delivery, 'attempt'), number, attempts)
  return { ledger, delivery, number, round, attempts, injected, fault: namesOf(injected, timing) }
}

/** `result`: absent for an aborted attempt; `posted`: absent when nothing was sent. */
async function attemptDelivery(
  options: AttemptOptions,
  next: NextDelivery,
  { ledger, connections, isFollowed, isForgotten, signal }: AttemptContext,
): Promise<{ readonly result?: DeliveryAttempted; readonly posted?: PostResult }> {
  const { clock, limits } = options
  const { url } = next.delivery
  const begun = beginAttempt(options, ledger, next)
  const times = timesSent(begun.injected)
  if (times === 0) return { result: dropped(begun) }
  const postOnce = async () => {
    const { requestHeaders, requestBody } = requestOf(options, begun)
    const sandboxAt = clock.now()
    const keep = { connections, isLast: !isFollowed() }
    const posted = await post(url, requestHeaders, requestBody, { ...limits, signal }, keep)
    if (!isForgotten()) options.log.add(loggedAttempt(begun, posted.attempt, sandboxAt))
    return posted
  }
  const posted = await postOnce()
  for (let sent = 1; sent < times && !isForgotten(); sent++) await postOnce()
  if (signal.aborted && posted.attempt.status === null) return {}
  return { result: resultOf(options, begun, posted), posted }
}

/** Fails the attempts of deliveries that waited for a failed connection: nothing is sent. */
function shareFailure(
  options: AttemptOptions,
  ledger: Ledger,
  deliveries: readonly NextDelivery[],
  failed: PostResult,
): DeliveryAttempted[] {
  const { clock, log } = options
  const begun = deliveries.map((next) => beginAttempt(options, ledger, next))
  const plain = begun.filter(({ fault }) => fault === null)
  const [first] = plain
  if (first !== undefined)
    log.add({ ...loggedAttempt(first, failed.attempt, clock.now()), ...numbersOf(plain) })
  return [
    ...alike(plain).map((same) => ({ ...resultOf(options, same[0], failed), ...numbersOf(same) })),
    ...begun.filter(({ fault }) => fault !== null).map((each) => failWithFault(options, each, failed)),
  ]
}

const numbersOf = (begun: readonly BegunAttempt[]) => deliveryNumbers(begun.map(({ number }) => number))

/** Groups attempts that have the same record. */
function alike(begun: readonly BegunAttempt[]): [BegunAttempt, ...BegunAttempt[]][] {
  const all: [BegunAttempt, ...BegunAttempt[]][] = []
  for (const each of begun) {
    const same = all.find(([{ round, attempts }]) => round === each.round && attempts === each.attempts)
    if (same === undefined) all.push([each])
    else same.push(each)
  }
  return all
}

/** A failed attempt with an injected fault is stored with its request, which shows the fault. */
function failWithFault(options: AttemptOptions, begun: BegunAttempt, failed: PostResult): DeliveryAttempted {
  const times = timesSent(begun.injected)
  if (times === 0) return dropped(begun)
  const attempt = { ...failed.attempt, ...requestOf(options, begun) }
  const logged = loggedAttempt(begun, attempt, options.clock.now())
  for (let sent = 0; sent < times; sent++) options.log.add(logged)
  return resultOf(options, begun, failed)
}

const requestOf = ({ signingOf, clock }: AttemptOptions, { ledger, delivery, injected }: BegunAttempt) =>
  signedRequest(signingOf(ledger), ledger, delivery, clock.wall(), injected)

const loggedAttempt = (
  { ledger, number, fault }: BegunAttempt,
  attempt: Attempt,
  sandboxAt: number,
): LoggedAttempt => ({
  merchantId: ledger.settings.merchantId,
  number,
  ...attempt,
  fault,
  sandboxAt,
})

const dropped = ({ number, round, fault }: BegunAttempt): DeliveryAttempted => ({
  type: 'delivery-attempted',
  number,
  round,
  last: 'dropped by an injected fault',
  fault,
  delivered: false,
  nextAt: null,
})

function resultOf(
  { retries, clock }: AttemptOptions,
  { number, round, attempts, fault }: BegunAttempt,
  { attempt: { status, error }, refused }: PostResult,
): DeliveryAttempted {
  const delivered = status === 200
  const delay = delivered || refused ? undefined : retries[attempts]
  const nextAt = delay === undefined ? null : clock.now() + delay
  return {
    type: 'delivery-attempted',
    number,
    round,
    last: status ?? error ?? 'no answer',
    fault,
    delivered,
    nextAt,
  }
}

/** Looks up the ledger again, as it may have been reloaded. */
function recordAttempts(
  { engine, report }: AttemptOptions,
  { settings }: Ledger,
  results: readonly DeliveryAttempted[],
): void {
  const ledger = engine.state.ledgers.get(settings.merchantId)
  const command = { type: 'record-attempts', results } as const
  if (ledger !== undefined && results.length > 0)
    engine.run(ledger, command, undefined, () => ({})).catch(report)
}
