import type { TransactionDelivery } from '../../contract/control/control-answers.ts'
import type { ControlInput } from '../../contract/control/controls/controls.ts'
import type {
  AttemptView,
  DeliveryState,
  DeliveryView,
  WebhookStory,
} from '../../contract/control/webhooks.ts'
import { reject, rejectField } from '../../contract/errors.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import { localDateTime } from '../../domain/model/local-time.ts'
import { attemptsInAll, type Delivery, deliveryState, isFailing } from '../../domain/model/outbox.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import type { State } from '../../domain/state.ts'
import { inTurns } from '../../shared/timers.ts'
import type { EngineReader } from '../engine/engine.ts'
import { hideInAddress, safeHeaders } from '../http/hide-addresses.ts'
import type { AttemptRecord, LoggedAttempt } from '../store/storage.ts'
import type { Courier } from './courier.ts'
import { type NotificationKey, notificationView, webhookId } from './notifications/notification.ts'
import {
  notificationIn,
  type PastNotification,
  pastNotification,
} from './notifications/past-notifications.ts'
import type { Attempt } from './post.ts'

/** A delivery for a list, without the secrets in its URL. */
export const toDeliveryView = (ledger: Ledger, delivery: Delivery, held = false): DeliveryView => ({
  ...notificationView(ledger, delivery),
  url: hideInAddress(delivery.url),
  listener: delivery.listener !== undefined,
  state: deliveryState(delivery),
  held,
  attempts: delivery.attempts,
  totalAttempts: attemptsInAll(delivery),
  last: delivery.last,
  fault: delivery.fault,
  createdAt: new Date(delivery.createdAt).toISOString(),
  nextAt: delivery.nextAt === null ? null : new Date(delivery.nextAt).toISOString(),
})

/** The number of deliveries in each state. */
export function countByState(all: readonly LedgerDelivery[]): Record<DeliveryState, number> {
  const counts = { pending: 0, delivered: 0, failed: 0 }
  for (const { delivery } of all) counts[deliveryState(delivery)] += 1
  return counts
}

/** The deliveries of the state, and their separately stored attempts. */
export interface DeliveryLog {
  readonly engine: Pick<EngineReader, 'state'>
  readonly attempts: Pick<AttemptRecord, 'of'>
  readonly courier: Pick<Courier, 'isHeld'>
}

/** A delivery and its ledger. */
export interface LedgerDelivery {
  readonly ledger: Ledger
  readonly delivery: Delivery
}

/** Every delivery of the sandbox, of all merchants. */
export const everyDelivery = ({ engine }: Pick<DeliveryLog, 'engine'>): LedgerDelivery[] =>
  [...engine.state.ledgers.values()].flatMap((ledger) =>
    [...ledger.outbox.deliveries.values()].map((delivery) => ({ ledger, delivery })),
  )

/** The deliveries of a notification, one to each of its endpoints. */
export const deliveriesFor = (ledger: Ledger, { transactionId, event }: NotificationKey): Delivery[] =>
  [...ledger.outbox.deliveries.values()].filter(
    (delivery) => delivery.transactionId === transactionId && delivery.event === event,
  )

/** Deliveries that are still pending. */
export const waitingDeliveries = ({ ledgers }: State): LedgerDelivery[] =>
  [...ledgers.values()].flatMap((ledger) =>
    [...ledger.outbox.queues.values()]
      .flatMap((queue) => queue.numbers())
      .flatMap((number) => {
        const delivery = ledger.outbox.deliveries.get(number)
        return delivery === undefined ? [] : [{ ledger, delivery }]
      }),
  )

/** Whether a delivery happened from `since` on, before `until`. */
export function happenedIn({ since, until }: Pick<ControlInput<'webhooks'>, 'since' | 'until'>) {
  const from = since == null ? Number.NEGATIVE_INFINITY : Date.parse(since)
  const end = until == null ? Number.POSITIVE_INFINITY : Date.parse(until)
  if (from >= end) rejectField('until', 'must be later than since')
  return ({ delivery: { createdAt } }: LedgerDelivery) => createdAt >= from && createdAt < end
}

/** A delivery for a list, with its current hold. */
export const shownDelivery = (
  { courier }: Pick<DeliveryLog, 'courier'>,
  { ledger, delivery }: LedgerDelivery,
): DeliveryView => toDeliveryView(ledger, delivery, courier.isHeld(ledger, delivery))

/** Default length of a list. */
const usualLimit = 100

/** Matching deliveries, newest last by the order of notifications: the clock may have been set back. */
export async function listDeliveries(
  log: Omit<DeliveryLog, 'attempts'>,
  wanted: ControlInput<'webhooks'>,
): Promise<{ deliveries: DeliveryView[] }> {
  const { state, transactionId, order: orderId, merchant, limit } = wanted
  const fitting: (LedgerDelivery & { readonly order: number })[] = []
  const wantedOnes = everyDelivery(log)
    .filter(happenedIn(wanted))
    .filter(
      ({ ledger, delivery }) =>
        (state == null || (state === 'failing' ? isFailing(delivery) : deliveryState(delivery) === state)) &&
        (transactionId == null || delivery.transactionId === transactionId) &&
        (merchant == null || ledger.settings.merchantId === merchant) &&
        (orderId == null || ledger.transactions.get(delivery.transactionId)?.orderId === orderId),
    )
  await inTurns(wantedOnes, (each) =>
    fitting.push({ ...each, order: pastNotification(each.ledger, each.delivery)?.journalOrder ?? 0 }),
  )
  fitting.sort((one, other) => one.order - other.order)
  const first = Math.max(0, fitting.length - Number(limit ?? usualLimit))
  return { deliveries: fitting.slice(first).map((each) => shownDelivery(log, each)) }
}

/** A notification's deliveries with every attempt. */
export async function showWebhook(log: DeliveryLog, id: string): Promise<WebhookStory> {
  const { ledger, notification } = notificationNamed(log, id)
  const deliveries = deliveriesFor(ledger, notification)
  if (deliveries.length === 0) refuseMissingEndpoint(notification)
  const attempts = await readAttempts(log, ledger, deliveries)
  return {
    deliveries: deliveries.map((delivery) => ({
      ...shownDelivery(log, { ledger, delivery }),
      tries: attempts.filter(({ number }) => number === delivery.number).map(attemptView),
    })),
  }
}

/** Attempts of these deliveries of a ledger, those of each delivery in order. */
async function readAttempts(
  { attempts }: Pick<DeliveryLog, 'attempts'>,
  { settings: { merchantId } }: Ledger,
  deliveries: readonly Delivery[],
): Promise<LoggedAttempt[]> {
  if (deliveries.length === 0) return []
  return attempts.of(merchantId, new Set(deliveries.map(({ number }) => number)))
}

/** An attempt for display: without the secrets of URL and headers. */
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

/** The deliveries of a transaction's notifications, in order. */
export const transactionDeliveries = (ledger: Ledger, transaction: Transaction): TransactionDelivery[] =>
  deliveriesOfTransaction(ledger, transaction).map((delivery) => transactionDelivery(ledger, delivery))

const transactionDelivery = (ledger: Ledger, delivery: Delivery): TransactionDelivery => ({
  id: webhookId(ledger, delivery),
  event: delivery.event,
  url: hideInAddress(delivery.url),
  listener: delivery.listener !== undefined,
  state: deliveryState(delivery),
  at: delivery.createdAt,
  time: localDateTime(delivery.createdAt, ledger.settings.timeZone),
  nextAt: delivery.nextAt,
  attempts: delivery.attempts,
  totalAttempts: attemptsInAll(delivery),
  last: delivery.last,
})

/** The same with every attempt. */
export async function deliveriesInFull(
  log: Pick<DeliveryLog, 'attempts'>,
  ledger: Ledger,
  transaction: Transaction,
): Promise<TransactionDelivery[]> {
  const deliveries = deliveriesOfTransaction(ledger, transaction)
  const attempts = await readAttempts(log, ledger, deliveries)
  return deliveries.map((delivery) => ({
    ...transactionDelivery(ledger, delivery),
    tries: attempts
      .filter(({ number }) => number === delivery.number)
      .map(({ sandboxAt: at, status, error, fault, durationMs }) => ({
        at,
        time: localDateTime(at, ledger.settings.timeZone),
        status,
        error,
        fault,
        durationMs,
      })),
  }))
}

const deliveriesOfTransaction = ({ outbox }: Ledger, { id }: Transaction): Delivery[] =>
  [...outbox.deliveries.values()].filter(({ transactionId }) => transactionId === id)

/** The notification with that id, and its ledger. */
export const notificationNamed = (
  { engine }: Pick<DeliveryLog, 'engine'>,
  id: string,
): { ledger: Ledger; notification: PastNotification } => notificationIn(engine.state, id) ?? noWebhook(id)

function refuseMissingEndpoint({ transactionId, event }: NotificationKey): never {
  const member = event === null ? 'notifyUrl' : 'terminalEventNotifyUrl'
  const fallback = event === null ? ', and the sandbox was started without --notify-url' : ''
  return reject('SBX_NO_NOTIFYURL', {
    field: 'id',
    detail: `the request of transaction ${transactionId} named no ${member}${fallback}`,
  })
}

const noWebhook = (id: string): never =>
  reject('SBX_WEBHOOK_NONE', { field: 'id', message: `There is no webhook ${id}` })
