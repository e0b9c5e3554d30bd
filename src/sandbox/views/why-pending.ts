import { hiddenMark } from '../../contract/control/request-log-answers.ts'
import { concurrencyOf } from '../../contract/control/webhook-delivery.ts'
import { endpointKey } from '../../domain/model/endpoint.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Delivery } from '../../domain/model/outbox.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import type { ReadableClock } from '../engine/identifiers.ts'
import { hideInAddress } from '../http/hide-addresses.ts'
import type { Courier } from '../webhooks/courier.ts'
import type { LedgerDelivery } from '../webhooks/deliveries.ts'
import type { DeliveryFaults } from '../webhooks/delivery-faults.ts'
import type { Followers } from '../webhooks/followers.ts'
import { webhookId } from '../webhooks/notifications/notification.ts'
import type { OrderSetting } from '../webhooks/order-setting.ts'

/** What decides when a delivery is attempted. */
export interface PendingContext {
  readonly clock: ReadableClock
  readonly courier: Pick<Courier, 'isHeld' | 'isUnderWay' | 'isResting'>
  readonly followers: Pick<Followers, 'isReachable'>
  readonly deliveryFaults: DeliveryFaults
  readonly webhookOrder: Pick<OrderSetting, 'current'>
}

/** Why a pending delivery was not attempted yet. */
export interface Wait {
  /** In a few words; empty where the time says it all. */
  readonly reason: string
  /** Due time in milliseconds of the sandbox clock; null when unknown. */
  readonly until: number | null
  /** The command that continues the delivery; null if it continues by itself. */
  readonly command: string | null
}

const wait = (reason: string, until: number | null = null, command: string | null = null): Wait => ({
  reason,
  until,
  command,
})

/** Why a delivery is pending; null for a finished one. assumption: webhook-delivery */
export function whyPending(context: PendingContext, { ledger, delivery }: LedgerDelivery): Wait | null {
  if (delivery.nextAt === null) return null
  if (context.courier.isHeld(ledger, delivery))
    return wait('waits for its release', null, `tillbox webhook release ${webhookId(ledger, delivery)}`)
  if (!context.followers.isReachable(delivery))
    return wait('tillbox listen is not connected', null, listenTo(delivery.url))
  if (context.courier.isUnderWay(ledger, delivery)) return wait('being sent now')
  if (context.courier.isResting(delivery)) return wait('the receiver takes no connection')
  return waitInLine(context, ledger, delivery) ?? wait('due now')
}

/** Null for a URL of which something is hidden: the command would post to another one. */
function listenTo(url: string): string | null {
  const shown = hideInAddress(url)
  return shown.includes(hiddenMark) ? null : `tillbox listen ${shellQuote(shown)}`
}

/** Why a delivery waits; undefined when it can be attempted now. */
function waitInLine(context: PendingContext, ledger: Ledger, delivery: Delivery): Wait | undefined {
  const now = context.clock.now()
  if (delivery.attempts > 0)
    return delivery.nextAt === null ? undefined : untilTime(context, delivery.nextAt, '')
  const queue = ledger.outbox.queues.get(endpointKey(delivery))
  const deliveryOrder = context.webhookOrder.current
  const retry = deliveryOrder.order === 'strict' ? queue?.retry(none) : undefined
  if (retry !== undefined) return wait('after the retry of an earlier one: order strict', retry.at)
  const nextNumbers = queue?.firstFew(concurrencyOf(deliveryOrder), none) ?? []
  if (!nextNumbers.includes(delivery.number)) return wait('behind earlier ones to this endpoint')
  const delay = context.deliveryFaults(ledger).delay(delivery)
  return delivery.createdAt + delay > now && delay > 0
    ? untilTime(context, delivery.createdAt + delay, 'delayed by a fault')
    : undefined
}

const none: ReadonlySet<number> = new Set()

/** Undefined for a time that has come. */
function untilTime({ clock }: PendingContext, at: number, reason: string): Wait | undefined {
  if (at <= clock.now()) return undefined
  if (!clock.frozen) return wait(reason, at)
  const seconds = Math.ceil((at - clock.now()) / 1000)
  const frozen = [reason, 'clock frozen'].filter(Boolean).join(', ')
  return wait(frozen, at, `tillbox sandbox clock --advance ${seconds}s`)
}
