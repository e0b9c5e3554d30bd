import type { ControlInput } from '../contract/sandbox/controls/controls.ts'
import type { TakenWebhook } from '../contract/sandbox/webhooks.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import type { Delivery } from '../domain/model/outbox.ts'
import type { EngineReader } from '../engine/engine.ts'
import type { ReadableClock } from '../engine/sandbox-clock.ts'
import { type Signing, webhookHeaders } from '../signature/signature.ts'
import type { DeliveryFaults } from './faults/delivery-faults.ts'
import {
  delayFor,
  faultsFor,
  namesOf,
  reorderIndex,
  signedWithFaults,
  timesSent,
} from './faults/drawn-faults.ts'
import type { Announcer } from './notifications/announcer.ts'
import { notificationIn, type PastNotification } from './notifications/past-notifications.ts'

/** Context for choosing a listener's next delivery. */
export interface TakeContext {
  readonly engine: Pick<EngineReader, 'state'>
  readonly clock: ReadableClock
  readonly announcer: Announcer
  readonly deliveryFaults: DeliveryFaults
  readonly signingOf: (ledger: Ledger) => Signing
}

/** A notification that waits at a listener. */
interface Candidate {
  readonly id: string
  readonly ledger: Ledger
  readonly past: PastNotification
  readonly delivery: Delivery
}

/**
 * Chooses which waiting notification a listener sends next, with the faults of the sandbox's own deliveries: order and
 * delay at the first attempt, the others at each. assumption: webhook-faults
 */
export function takeWebhook(context: TakeContext, wanted: ControlInput<'take-webhook'>): TakenWebhook {
  const { url, waiting, attempts, passed } = wanted
  const candidates = waiting.map(({ id, number }) => candidateOf(context, id, number, url, attempts))
  const [first] = candidates
  if (first === undefined) return forgotten(waiting[0]?.id ?? '')
  const index = attempts > 0 ? 0 : indexOfNext(context, first, candidates.length, passed ?? 0)
  const chosen = candidates[index] ?? first
  const { ledger, past, delivery, id } = chosen
  const delay =
    attempts > 0 ? 0 : delayFor(context.deliveryFaults(ledger, delivery, 'delay', url), delivery.number)
  const waitMs = delay === 0 ? 0 : Math.max(0, past.createdAt + delay - context.clock.now())
  if (waitMs > 0) return { ...forgotten(id), waitMs }
  return signed(context, chosen, { delay: delay > 0, reorder: index > 0 })
}

const forgotten = (id: string): TakenWebhook => ({
  id,
  waitMs: 0,
  fault: null,
  drop: false,
  duplicate: false,
  notification: null,
})

function indexOfNext(
  { deliveryFaults }: TakeContext,
  first: Candidate,
  waiting: number,
  passed: number,
): number {
  const faults = deliveryFaults(first.ledger, first.delivery, 'order', first.delivery.url)
  return faults.reorder <= 1 ? 0 : reorderIndex(faults, first.delivery.number, waiting, passed)
}

function signed(
  context: TakeContext,
  { id, ledger, past, delivery }: Candidate,
  timing: { readonly delay: boolean; readonly reorder: boolean },
): TakenWebhook {
  const { number, attempts } = delivery
  const injected = faultsFor(
    context.deliveryFaults(ledger, delivery, 'attempt', delivery.url),
    number,
    attempts,
  )
  const times = timesSent(injected)
  const written = context.announcer.write(context.engine.state, past)
  if (written === undefined) return forgotten(id)
  const facts = { id, at: context.clock.wall(), body: written.body }
  const headers = webhookHeaders(...signedWithFaults(injected, context.signingOf(ledger), facts))
  return {
    id,
    waitMs: 0,
    fault: namesOf(injected, timing),
    drop: times === 0,
    duplicate: times === 2,
    notification: { ...written, headers },
  }
}

/** Undefined for a deleted notification. */
function candidateOf(
  { engine }: TakeContext,
  id: string,
  number: number,
  url: string,
  attempts: number,
): Candidate | undefined {
  const found = notificationIn(engine.state, id)
  if (found === undefined) return undefined
  const { ledger, notification: past } = found
  const { transactionId, event, createdAt, status, tip } = past
  const facts = { transactionId, event, createdAt, status, tip, url, number, attempts }
  return {
    id,
    ledger,
    past,
    delivery: { ...facts, nextAt: null, last: null, fault: null, delivered: false },
  }
}
