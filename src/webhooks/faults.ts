import type { WebhookFaults } from '../contract/sandbox/webhooks.ts'
import { type Delivery, firstOf, type Outbox } from '../domain/model/outbox.ts'
import { randomFrom } from '../faults/seeded-random.ts'
import type { Signed, Signing } from '../signature/signature.ts'

/** Faults injected into one attempt. */
export interface InjectedFaults {
  readonly duplicate: boolean
  readonly drop: boolean
  readonly badSignature: boolean
  readonly stale: boolean
}

/** The same seed, delivery and attempt always come to the same. assumption: webhook-faults */
export function faultsFor(faults: WebhookFaults, number: number, attempt: number): InjectedFaults {
  const next = randomFrom(faults.seed, number, attempt)
  return {
    drop: next() < faults.drop,
    duplicate: next() < faults.duplicate,
    badSignature: next() < faults.badSignature,
    stale: next() < faults.stale,
  }
}

/** How old a stale timestamp is (milliseconds), and what a bad signature is made with. */
const [staleBy, wrongSecret] = [3_600_000, 'whsec_d3JvbmcgZG9uZSBvbiBwdXJwb3Nl']

/** What an attempt signs, and how: correctly, or as the faults say. */
export const signedWithFaults = (
  { badSignature, stale }: InjectedFaults,
  signing: Signing,
  signed: Signed,
): [signing: Signing, signed: Signed] => [
  badSignature ? { ...signing, secrets: [wrongSecret] } : signing,
  stale ? { ...signed, at: signed.at - staleBy } : signed,
]

/** How long the first attempt of a delivery is held back, in milliseconds. */
export function delayFor({ delayMs, seed }: WebhookFaults, number: number): number {
  if (delayMs === null) return 0
  const [least, most] = delayMs
  return Math.round(least + randomFrom(seed, number, -1)() * (most - least))
}

/**
 * Which of those that wait comes next: the first, which has this number, or with `reorder` one of the first few; the
 * first again when so many came before it already. `passed`: how many did.
 */
export function placeFor(
  { reorder, seed }: WebhookFaults,
  number: number,
  waiting: number,
  passed: number,
): number {
  if (passed >= reorder - 1) return 0
  return Math.floor(randomFrom(seed, number, -2 - passed)() * Math.min(reorder, waiting))
}

/** When an attempt came, against when it should have. */
export interface Timing {
  /** Held back; only the first attempt is. */
  readonly delay: boolean
  /** Taken before another that came first. */
  readonly reorder: boolean
}

/** The delivery that comes next: the first that waits, or with a fault one of the first few. */
export function pick(outbox: Outbox, url: string, faults: WebhookFaults): Delivery | undefined {
  const first = firstOf(outbox, url)
  if (first === undefined || faults.reorder <= 1) return first
  const waiting = [...(outbox.queues.get(url) ?? [])].slice(0, faults.reorder)
  const place = placeFor(faults, first.number, waiting.length, passed(outbox, first, faults.reorder))
  return outbox.deliveries.get(waiting[place] ?? first.number)
}

/** How many that were entered after it went out before it, to the same address; no more than `most` are counted. */
function passed({ deliveries, last }: Outbox, { number, url }: Delivery, most: number): number {
  let count = 0
  for (let later = number + 1; later <= last && count < most; later++) {
    const delivery = deliveries.get(later)
    if (delivery?.url === url && delivery.nextAt === null) count += 1
  }
  return count
}

/** Names of the faults of an attempt, for the list; empty without one. */
export const namesOf = (injected: InjectedFaults, timing: Timing): string =>
  Object.entries({ ...injected, ...timing })
    .filter(([, done]) => done)
    .map(([name]) => name)
    .join(', ')
