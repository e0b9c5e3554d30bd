import type {
  DeliveryAttempt,
  TransactionDelivery,
  TransactionTree,
} from '../contract/sandbox/control-answers.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { localDateTime } from '../domain/model/local-time.ts'
import type { Delivery } from '../domain/model/outbox.ts'
import { attemptsInAll, deliveryState } from '../domain/model/outbox.ts'
import { leftToCapture, leftToRefund } from '../domain/model/remaining.ts'
import { amountOf, type Transaction } from '../domain/model/transaction.ts'
import type { LoggedAttempt } from '../webhooks/attempt-log.ts'
import { attemptsOf, type DeliveryLog } from '../webhooks/deliveries.ts'
import { isListened } from '../webhooks/listener-record.ts'
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

/** The deliveries of a transaction's notifications, in order; `listened`: those of listeners. */
export function deliveryViewsOf(
  ledger: Ledger,
  transaction: Transaction,
  listened: readonly Delivery[],
): TransactionDelivery[] {
  const hasNotifyUrl = transaction.notifyUrl !== null || transaction.terminalEventNotifyUrl !== null
  const sent = hasNotifyUrl ? deliveriesOf(ledger.outbox.deliveries, transaction) : []
  return [...sent, ...listened].map((delivery) => deliveryView(ledger, delivery))
}

const deliveryView = ({ settings }: Ledger, delivery: Delivery): TransactionDelivery => ({
  id: notificationId(settings.merchantId, delivery),
  event: delivery.event,
  url: delivery.url,
  listener: isListened(delivery),
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
  log: Pick<DeliveryLog, 'attempts' | 'listened'>,
): Promise<TransactionDelivery[]> {
  const sent = deliveriesOf(ledger.outbox.deliveries, transaction)
  const own = [...sent, ...log.listened.ofTransaction(transaction.id)]
  return deliveriesWith(ledger, own, await attemptsOf(log, ledger, own))
}

/** The same for deliveries and attempts that are at hand. */
export function deliveriesWith(
  ledger: Ledger,
  deliveries: readonly Delivery[],
  logged: readonly LoggedAttempt[],
): TransactionDelivery[] {
  const { merchantId, timeZone } = ledger.settings
  return deliveries.map((delivery) => {
    const own = logged.filter((each) => each.number === delivery.number && each.merchantId === merchantId)
    return { ...deliveryView(ledger, delivery), tries: triesOf(delivery.createdAt, own, timeZone) }
  })
}

const triesOf = (begin: number, logged: readonly LoggedAttempt[], timeZone: string): DeliveryAttempt[] =>
  logged.map(({ at: wall, sandboxAt, status, error, fault, durationMs }) => {
    const at = sandboxAt ?? begin + wall - (logged[0]?.at ?? wall)
    return { at, time: localDateTime(at, timeZone), status, error, fault, durationMs }
  })

const deliveriesOf = (deliveries: ReadonlyMap<number, Delivery>, { id }: Transaction): Delivery[] =>
  [...deliveries.values()].filter(({ transactionId }) => transactionId === id)
