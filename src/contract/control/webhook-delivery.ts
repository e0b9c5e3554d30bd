import type * as v from 'valibot'
import { amount, described, list, named, one } from '../answer-kinds.ts'

/**
 * Order of deliveries to one URL: one at a time, where later ones overtake a failed one (relaxed) or wait
 * until it is delivered or given up (strict); or several at once (concurrent). assumption: webhook-delivery
 */
export const webhookOrders = ['relaxed', 'strict', 'concurrent'] as const
export type WebhookOrder = (typeof webhookOrders)[number]

/** How deliveries go to one URL; `concurrency`: attempts at once with the concurrent order. */
export interface DeliveryOrder {
  readonly order: WebhookOrder
  readonly concurrency: number
}

/** How many attempts to one URL may be under way at once. */
export const concurrencyOf = ({ order, concurrency }: DeliveryOrder): number =>
  order === 'concurrent' ? concurrency : 1

/** Default number of attempts to one URL at once with the concurrent order. */
export const usualConcurrency = 8

/** Maximum of `concurrency`. */
export const mostConcurrency = 50

export const webhookSchedule = named('WebhookSchedule', 'Answer of `webhook-schedule`', {
  retries: described(list(amount), 'Pauses between attempts, in milliseconds'),
  order: one(webhookOrders),
  concurrency: described(amount, 'Attempts to one URL at once, with the concurrent order'),
})
export type WebhookSchedule = v.InferOutput<typeof webhookSchedule>

/** Maximum number of notifications in one release: each may take the time of an attempt. */
export const mostReleased = 100

/** Time limit of an attempt to send a notification; a fault that duplicates it doubles it. Milliseconds. */
const longestAttempt = 30_000

/** Time limit for the answer of a receiver. Milliseconds. assumption: webhook-delivery */
export const receiverTimeout = 10_000

/** Length up to which the body of a receiver's answer is kept. */
export const longestAnswer = 8 * 1024

/** Additional time for the answer to a request that waits. Milliseconds. */
export const answerTime = 10_000

/** How long a client waits for the release of named notifications. Milliseconds. */
export const releaseTimeout = (count: number): number => answerTime + count * longestAttempt
