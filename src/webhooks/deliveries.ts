import { reject } from '../contract/errors.ts'
import type { ControlInput } from '../contract/sandbox/controls.ts'
import type { AttemptView, DeliveryState, DeliveryView, WebhookStory } from '../contract/sandbox/webhooks.ts'
import { statusLetters } from '../contract/statuses.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import type { Delivery } from '../domain/model/outbox.ts'
import { deliveryState } from '../domain/model/outbox.ts'
import type { EngineAccess } from '../engine/engine.ts'
import { hideInAddress } from '../http/hide-addresses.ts'
import { safeHeaders } from '../http/hide-headers.ts'
import type { AttemptLog, LoggedAttempt } from './attempt-log.ts'
import {
  keyOfNotification,
  type Notification,
  type NotificationKey,
  notificationId,
} from './notifications/notification.ts'
import { pastNotification } from './notifications/past-notifications.ts'
import type { Attempt } from './post.ts'

/** What the control interface shows of webhooks. */

const viewOf = ({ settings: { merchantId } }: Ledger, delivery: Delivery): DeliveryView => ({
  id: notificationId(merchantId, delivery),
  kind: delivery.event === null ? 'payment' : 'terminal',
  event: delivery.event,
  merchantId,
  transactionId: delivery.transactionId,
  transactionStatus: statusLetters[delivery.status],
  url: hideInAddress(delivery.url),
  state: deliveryState(delivery),
  attempts: delivery.attempts,
  last: delivery.last,
  fault: delivery.fault,
  createdAt: new Date(delivery.createdAt).toISOString(),
  nextAt: delivery.nextAt === null ? null : new Date(delivery.nextAt).toISOString(),
})

/** How many deliveries stand where. */
export function countByState(ledgers: readonly Ledger[]): Record<DeliveryState, number> {
  const counts = { pending: 0, delivered: 0, failed: 0 }
  for (const { outbox } of ledgers)
    for (const delivery of outbox.deliveries.values()) counts[deliveryState(delivery)] += 1
  return counts
}

/** The deliveries of the state, and the attempts that are kept beside it. */
export interface DeliveryLog {
  readonly engine: Pick<EngineAccess, 'state'>
  readonly attempts: AttemptLog
}

/** A delivery, and whose it is. */
export interface LedgerDelivery {
  readonly ledger: Ledger
  readonly delivery: Delivery
}

/** Every delivery of every merchant. */
export const everyDelivery = ({ engine }: Pick<DeliveryLog, 'engine'>): LedgerDelivery[] =>
  [...engine.state.ledgers.values()].flatMap((ledger) =>
    [...ledger.outbox.deliveries.values()].map((delivery) => ({ ledger, delivery })),
  )

/** How many are listed when nobody says otherwise. */
const usualLimit = 100

/** Deliveries that fit, the newest last. */
export function listDeliveries(
  log: Pick<DeliveryLog, 'engine'>,
  wanted: ControlInput<'webhooks'>,
): { deliveries: DeliveryView[] } {
  const { state, transactionId, since, limit } = wanted
  const from = since == null ? Number.NEGATIVE_INFINITY : Date.parse(since)
  const fitting = everyDelivery(log)
    .filter(
      ({ delivery }) =>
        (state == null || deliveryState(delivery) === state) &&
        (transactionId == null || delivery.transactionId === transactionId) &&
        delivery.createdAt >= from,
    )
    .sort((one, other) => one.delivery.createdAt - other.delivery.createdAt)
  const first = Math.max(0, fitting.length - Number(limit ?? usualLimit))
  return { deliveries: fitting.slice(first).map(({ ledger, delivery }) => viewOf(ledger, delivery)) }
}

/** A notification's deliveries with every attempt. Errors: SBX_WEBHOOK_NONE, SBX_NOBODY_TOLD. */
export async function showWebhook(log: DeliveryLog, id: string): Promise<WebhookStory> {
  const { ledger, notification } = notificationNamed(log, id)
  const own = [...ledger.outbox.deliveries.values()].filter(
    ({ transactionId, event }) =>
      transactionId === notification.transactionId && event === notification.event,
  )
  if (own.length === 0) nobodyTold(notification)
  const numbers = new Set(own.map(({ number }) => number))
  const attempts = await log.attempts.of(ledger.settings.merchantId, numbers)
  return {
    deliveries: own.map((delivery) => ({
      ...viewOf(ledger, delivery),
      tries: attempts.filter(({ number }) => number === delivery.number).map(attemptView),
    })),
  }
}

/** An attempt as it is shown: without the secrets of the receiver's address and headers. */
export const attemptView = (attempt: Attempt & Pick<LoggedAttempt, 'fault'>): AttemptView => ({
  at: new Date(attempt.at).toISOString(),
  url: hideInAddress(attempt.url),
  requestHeaders: Object.fromEntries(safeHeaders(attempt.requestHeaders)),
  requestBody: attempt.requestBody,
  status: attempt.status,
  responseHeaders: Object.fromEntries(safeHeaders(attempt.responseHeaders)),
  responseBody: attempt.responseBody,
  durationMs: attempt.durationMs,
  error: attempt.error,
  fault: attempt.fault,
})

/** The notification of that id, and whose it is. Errors: SBX_WEBHOOK_NONE. */
export function notificationNamed(
  { engine }: Pick<DeliveryLog, 'engine'>,
  id: string,
): { ledger: Ledger; notification: Notification } {
  const notification = keyOfNotification(id)
  for (const ledger of engine.state.ledgers.values())
    if (notification !== undefined && notificationId(ledger.settings.merchantId, notification) === id) {
      const past = pastNotification(ledger, notification)
      if (past !== undefined) return { ledger, notification: past }
    }
  return noWebhook(id)
}

/** It happened, but there was no address to tell. */
function nobodyTold({ transactionId, event }: NotificationKey): never {
  const member = event === null ? 'notifyUrl' : 'terminalEventNotifyUrl'
  const fallback = event === null ? ', and the sandbox was started without --notify-url' : ''
  return reject('SBX_NOBODY_TOLD', {
    field: 'id',
    detail: `the request of transaction ${transactionId} named no ${member}${fallback}`,
  })
}

const noWebhook = (id: string): never =>
  reject('SBX_WEBHOOK_NONE', { field: 'id', detail: `there is no webhook ${id}` })
