import type {
  DeliveryAttempt,
  TransactionDelivery,
  TransactionTree,
} from '../contract/sandbox/control-answers.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { localDateTime } from '../domain/model/local-time.ts'
import { attemptsInAll, type Delivery, deliveryState } from '../domain/model/outbox.ts'
import { leftToCapture, leftToRefund } from '../domain/model/parts.ts'
import { amountOf, type Transaction } from '../domain/model/transaction.ts'
import { hideInAddress } from '../http/hide-addresses.ts'
import type { LoggedAttempt } from '../webhooks/attempt-log.ts'
import { attemptsOf, type DeliveryLog } from '../webhooks/deliveries.ts'
import { notificationId } from '../webhooks/notifications/notification.ts'

/** What followed a transaction: its follow-ups, and the deliveries of its notifications. */

/** The transaction with everything that acts on it, and on that. */
export const branchOf = (ledger: Ledger, transaction: Transaction): TransactionTree => ({
  transactionId: transaction.id,
  type: transaction.type,
  amount: amountOf(transaction),
  currency: transaction.currency,
  status: transaction.status,
  resultCode: transaction.resultCode,
  leftToRefund: leftToRefund(transaction),
  leftToCapture: leftToCapture(transaction),
  followUps: (transaction.followUps?.children ?? []).flatMap((id) => {
    const followUp = ledger.transactions.get(id)
    return followUp === undefined ? [] : [branchOf(ledger, followUp)]
  }),
})

/** The deliveries of a transaction's notifications, in order. */
export const deliveryViewsOf = (ledger: Ledger, transaction: Transaction): TransactionDelivery[] =>
  deliveriesOf(ledger.outbox.deliveries, transaction).map((delivery) => deliveryView(ledger, delivery))

const deliveryView = ({ settings }: Ledger, delivery: Delivery): TransactionDelivery => ({
  id: notificationId(settings.merchantId, delivery),
  event: delivery.event,
  url: hideInAddress(delivery.url),
  listener: delivery.listener !== undefined,
  state: deliveryState(delivery),
  at: delivery.createdAt,
  time: localDateTime(delivery.createdAt, settings.timeZone),
  nextAt: delivery.nextAt,
  attempts: delivery.attempts,
  totalAttempts: attemptsInAll(delivery),
  last: delivery.last,
})

/** The same with every attempt. */
export async function deliveriesInFull(
  ledger: Ledger,
  transaction: Transaction,
  log: Pick<DeliveryLog, 'attempts'>,
): Promise<TransactionDelivery[]> {
  const deliveries = deliveriesOf(ledger.outbox.deliveries, transaction)
  const logged = await attemptsOf(log, ledger, deliveries)
  return deliveries.map((delivery) => {
    const own = logged.filter(({ number }) => number === delivery.number)
    return { ...deliveryView(ledger, delivery), tries: triesOf(own, ledger.settings.timeZone) }
  })
}

const triesOf = (logged: readonly LoggedAttempt[], timeZone: string): DeliveryAttempt[] =>
  logged.map(({ sandboxAt: at, status, error, fault, durationMs }) => ({
    ...{ at, time: localDateTime(at, timeZone), status, error, fault, durationMs },
  }))

const deliveriesOf = (deliveries: ReadonlyMap<number, Delivery>, { id }: Transaction): Delivery[] =>
  [...deliveries.values()].filter(({ transactionId }) => transactionId === id)
