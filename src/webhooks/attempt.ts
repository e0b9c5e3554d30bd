import type { Retries } from '../contract/sandbox/retries.ts'
import type { RecordAttempt } from '../domain/model/commands.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import type { Delivery } from '../domain/model/outbox.ts'
import type { ReadableClock } from '../engine/clock.ts'
import type { EngineAccess } from '../engine/engine.ts'
import { type Signing, webhookHeaders } from '../signature/signature.ts'
import { nextTurn } from '../timers.ts'
import type { Attempts } from './attempt-log.ts'
import type { KeptConnections } from './exchange/kept-connections.ts'
import type { DeliveryFaults } from './faults/delivery-faults.ts'
import { faultsFor, type InjectedFaults, namesOf, signedWithFaults } from './faults/faults.ts'
import { notificationBody, notificationId } from './notifications/notification.ts'
import { type PostLimits, type PostResult, post } from './post.ts'
import type { Turn } from './turn.ts'

/** What came of an attempt; `round`: of the delivery, in which the attempt began. */
type AttemptResult = Omit<RecordAttempt, 'type' | 'number'>

export interface AttemptOptions {
  readonly engine: EngineAccess
  readonly clock: ReadableClock
  readonly log: Attempts
  readonly retries: Retries
  /** Whether deliveries are held back now. assumption: webhook-hold */
  readonly isHolding: () => boolean
  readonly limits: PostLimits
  /** The faults that a delivery meets now, in its order, its delay or an attempt. */
  readonly faults: DeliveryFaults
  /** How the webhooks of a merchant are signed. */
  readonly signingOf: (ledger: Ledger) => Signing
  readonly report: (error: Error) => void
}

/** The delivery that an address gets now, and whose it is. */
export interface NextDelivery extends Pick<Turn, 'delivery' | 'timing'> {
  readonly ledger: Ledger
  /** It goes out although deliveries are held back. */
  readonly isReleased: boolean
}

/** What an attempt has to know of the others. */
export interface Surroundings {
  /** Connections to the address. */
  readonly kept: KeptConnections
  /** True when another attempt is due at the address. */
  readonly isFollowed: () => boolean
  /** Resolves when the delivery is durable; to false when it could not be written. */
  readonly isDurable: () => Promise<boolean>
  /** Another state was put in place. */
  readonly isForgotten: () => boolean
  /** Cuts the attempt off, and it is not recorded. */
  readonly signal: AbortSignal
  /** What the connection for which it waited came to, when there was none: no other one is opened. */
  readonly unreachable: PostResult | undefined
}

/** How an attempt ended. */
export interface AttemptEnd {
  /** False when the delivery may not be durable, or is another sandbox's by now: then there was no attempt. */
  readonly isDurable: boolean
  /** What it came to, when there was no connection to the address. */
  readonly unreachable?: PostResult | undefined
}

/**
 * Makes one attempt at a delivery, and records it. It does not wait until the record is durable, so the next delivery
 * follows at once: a crash, or a write that fails, loses at most the records of the last attempts, and those webhooks are
 * sent again in the same order. "At least once" allows that. What an attempt tells of is always durable before it is sent.
 */
export async function attemptDelivery(
  options: AttemptOptions,
  { ledger, delivery, timing, isReleased }: NextDelivery,
  surroundings: Surroundings,
): Promise<AttemptEnd> {
  const { engine, clock, retries, faults, limits, isHolding } = options
  const { kept, isFollowed, isDurable, isForgotten, signal } = surroundings
  const waiting = delivery.round
  if (surroundings.unreachable !== undefined) await nextTurn() // many follow each other
  if (!(await isDurable())) return { isDurable: false }
  await engine.ready()
  if (limits.mayPost?.() === false) return { isDurable: false }
  const isReplaced = engine.state.ledgers.get(ledger.settings.merchantId) !== ledger // what is there now is served anew
  if (isReplaced || (isHolding() && !isReleased)) return { isDurable: true }
  const { number, round, attempts } = delivery // as they are now: meanwhile it may be sent again
  const unreachable = round === waiting ? surroundings.unreachable : undefined
  const injected = faultsFor(faults(ledger, delivery, 'attempt'), number, attempts)
  const fault = namesOf(injected, timing) || null
  const record = async (result: AttemptResult) => {
    await engine.ready()
    if (!isForgotten()) recordAttempt(options, ledger, number, result)
  }
  if (injected.drop) {
    await record({ round, last: 'dropped by an injected fault', fault, delivered: false, nextAt: null })
    return { isDurable: true }
  }
  const postOnce = async () => {
    const { headers, body } = signedRequest(options, ledger, delivery, injected)
    const sandboxAt = clock.now()
    const result = unreachable
      ? { ...unreachable, attempt: { ...unreachable.attempt, requestHeaders: headers, requestBody: body } }
      : await post(delivery.url, headers, body, { ...limits, signal }, { kept, isLast: !isFollowed() })
    if (!isForgotten())
      options.log.add({ ...result.attempt, merchantId: ledger.settings.merchantId, number, fault, sandboxAt })
    return result
  }
  const result = await postOnce()
  if (injected.duplicate && !isForgotten()) await postOnce()
  const { status, error } = result.attempt
  if (signal.aborted && status === null) return { isDurable: true }
  const delivered = status === 200
  const delay = delivered || result.refused ? undefined : retries[attempts]
  const nextAt = delay === undefined ? null : clock.now() + delay
  await record({ round, last: status ?? error ?? 'no answer', fault, delivered, nextAt })
  return { isDurable: true, unreachable: result.unreachable ? result : undefined }
}

/** The ledger is looked up anew, as it may be read back. */
function recordAttempt(
  { engine, report }: AttemptOptions,
  { settings }: Ledger,
  number: number,
  result: AttemptResult,
): void {
  const ledger = engine.state.ledgers.get(settings.merchantId)
  const command = { type: 'record-attempt', number, ...result } as const
  if (ledger !== undefined) engine.run(ledger, command, undefined, () => ({})).catch(report)
}

function signedRequest(
  { clock, signingOf }: AttemptOptions,
  ledger: Ledger,
  delivery: Delivery,
  injected: InjectedFaults,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const id = notificationId(ledger.settings.merchantId, delivery)
  const body = notificationBody(ledger, delivery)
  const signed = { id, at: clock.wall(), body }
  return { headers: webhookHeaders(...signedWithFaults(injected, signingOf(ledger), signed)), body }
}
