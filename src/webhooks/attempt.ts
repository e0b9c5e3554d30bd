import type { Retries } from '../contract/sandbox/retries.ts'
import { droppedByFault } from '../contract/sandbox/webhooks.ts'
import type { DeliveryAttempted } from '../domain/model/events.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { type Delivery, deliveryNumbers } from '../domain/model/outbox.ts'
import type { ReadableClock } from '../engine/identifiers.ts'
import type { Signing } from '../signature/signature.ts'
import type { Attempts, LoggedAttempt } from './attempt-log.ts'
import { type DeliveryFaults, type InjectedFaults, namesOf, timesSent } from './delivery-faults.ts'
import type { NextDelivery } from './next-delivery.ts'
import { type SignedRequest, signedRequest } from './notifications/notification.ts'
import type { Attempt, PostResult, ReadyAttempt } from './post.ts'

/** What an attempt depends on. */
export interface AttemptOptions {
  readonly clock: ReadableClock
  readonly log: Attempts
  readonly retries: Retries
  readonly faults: DeliveryFaults
  /** How the webhooks of a merchant are signed. */
  readonly signingOf: (ledger: Ledger) => Signing
}

/** The plan of an attempt, with facts of the delivery from its beginning: the delivery may be resent meanwhile. */
export interface BegunAttempt extends Pick<Delivery, 'number' | 'round' | 'attempts'> {
  readonly ledger: Ledger
  readonly delivery: Delivery
  readonly injected: InjectedFaults
  /** Names of the faults; null for none. */
  readonly fault: string | null
  /** How often it is sent: 0 when a fault drops it, 2 when one duplicates it. */
  readonly times: 0 | 1 | 2
  /** Pause before the next attempt if this one fails; null: none follows. */
  readonly retryMs: number | null
  /** Takes back the use of the faults, when the attempt was not made. */
  readonly giveBack: () => void
}

/** Begins an attempt; its faults count as used. `retries`: the pauses of its endpoint, if it has its own. */
export function beginAttempt(
  { faults, retries: usual }: AttemptOptions,
  ledger: Ledger,
  { delivery, timing }: NextDelivery,
  retries: Retries | null,
): BegunAttempt {
  const { number, round, attempts } = delivery
  const { injected, giveBack } = faults(ledger).draw(delivery)
  const fault = namesOf(injected, timing)
  const retryMs = (retries ?? usual)[attempts] ?? null
  const times = timesSent(injected)
  return { ledger, delivery, number, round, attempts, injected, fault, times, retryMs, giveBack }
}

/** The attempt as a transport posts it, signed now; without a request when a fault drops it. */
export const readyAttempt = (options: AttemptOptions, begun: BegunAttempt) => {
  const { ledger, delivery, attempts, fault, retryMs } = begun
  return { ledger, delivery, attempt: attempts + 1, fault, retryMs, request: requestOf(options, begun) }
}

/** A dropped attempt, for an endpoint that shows it. */
export const droppedAttempt = (options: AttemptOptions, begun: BegunAttempt): ReadyAttempt => ({
  ...readyAttempt(options, begun),
  retryMs: null,
  request: null,
})

/** The record of an attempt that was posted. */
export function resultOf(
  { clock }: AttemptOptions,
  { number, round, retryMs, fault }: BegunAttempt,
  { attempt: { status, error }, refused }: PostResult,
): DeliveryAttempted {
  const delivered = status === 200
  const nextAt = delivered || refused || retryMs === null ? null : clock.now() + retryMs
  const last = status ?? error ?? 'no answer'
  return { type: 'delivery-attempted', number, round, last, fault, delivered, nextAt }
}

/** The record of an attempt that a fault dropped. */
export const droppedResult = ({ number, round, fault }: BegunAttempt): DeliveryAttempted => ({
  ...{ type: 'delivery-attempted', number, round, fault },
  ...{ last: droppedByFault, delivered: false, nextAt: null },
})

/** Fails the attempts of deliveries that waited for a failed connection: nothing is sent. */
export function shareFailure(
  options: AttemptOptions,
  begun: readonly BegunAttempt[],
  failed: PostResult,
): DeliveryAttempted[] {
  const plain = begun.filter(({ fault }) => fault === null)
  const [first] = plain
  if (first !== undefined)
    options.log.add({
      ...loggedAttempt(first, failed.attempt, options.clock.now()),
      ...deliveryNumbers(plain.map(({ number }) => number)),
    })
  return [
    ...alike(plain).map((same) => ({
      ...resultOf(options, same[0], failed),
      ...deliveryNumbers(same.map(({ number }) => number)),
    })),
    ...begun.filter(({ fault }) => fault !== null).map((each) => failWithFault(options, each, failed)),
  ]
}

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
  if (begun.times === 0) return droppedResult(begun)
  const attempt = { ...failed.attempt, ...requestOf(options, begun) }
  for (let sent = 0; sent < begun.times; sent++) options.log.add(loggedAttempt(begun, attempt, options.clock.now()))
  return resultOf(options, begun, failed)
}

const requestOf = (
  { signingOf, clock }: AttemptOptions,
  { ledger, delivery, injected }: BegunAttempt,
): SignedRequest => signedRequest(signingOf(ledger), ledger, delivery, clock.wall(), injected)

/** A posted attempt, for display. `sandboxAt`: sandbox time of its beginning. */
export const loggedAttempt = (
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
