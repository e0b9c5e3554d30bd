import { usualConcurrency, type WebhookSchedule } from '../../../contract/control/webhook-delivery.ts'
import type { WebhookHold, WebhookRelease } from '../../../contract/control/webhooks.ts'
import { reject, rejectField } from '../../../contract/errors.ts'
import { hideInAddress } from '../../http/hide-addresses.ts'
import {
  deliveriesFor,
  type LedgerDelivery,
  notificationNamed,
  shownDelivery,
  waitingDeliveries,
} from '../../webhooks/deliveries.ts'
import { type ControlContext, type ControlHandler, saveSettings } from '../control-context.ts'

/** Whether deliveries are held, and how many are. */
export const holdState = (context: ControlContext): WebhookHold => ({
  hold: context.settings.data.webhookHold,
  held: heldDeliveries(context).length,
})

const heldDeliveries = ({ engine, courier }: ControlContext): LedgerDelivery[] =>
  waitingDeliveries(engine.state).filter(({ ledger, delivery }) => courier.isHeld(ledger, delivery))

/** Holds every delivery from now on, or ends the hold. assumption: webhook-order */
export const setHold: ControlHandler<'hold-webhooks'> = async (context, { hold }) => {
  await saveSettings(context, () => {
    context.settings.data.webhookHold = hold
  })
  if (!hold) context.courier.rearm()
  context.changes.tellAll()
  return holdState(context)
}

/**
 * Sends the named notifications now, each after the previous one was answered; the others stay held. Without
 * ids it ends the hold. If one of them is not held, nothing is sent.
 */
export const releaseWebhooks: ControlHandler<'release-webhooks'> = async (context, { ids }) => {
  if (ids == null) return { ...(await setHold(context, { hold: false })), released: [] }
  await context.engine.ready()
  const held = [...new Set(ids)].flatMap((id) => requireHeld(context, id))
  return releaseDeliveries(context, held)
}

/**
 * Sends exactly these held deliveries now, each after the previous one was answered. Those of a listener that
 * is not connected stay held, and are left out of the answer.
 */
export async function releaseDeliveries(
  context: ControlContext,
  deliveries: readonly LedgerDelivery[],
): Promise<WebhookRelease> {
  const reachable = deliveries.filter(({ delivery }) => context.followers.isReachable(delivery))
  for (const { ledger, delivery } of reachable)
    await context.courier.release(ledger.settings.merchantId, delivery.number)
  if (!(await context.engine.written())) reject('SBX_STORE_FAIL', { detail: 'an attempt was not recorded' })
  context.changes.tell('webhooks')
  return { ...holdState(context), released: reachable.map((each) => shownDelivery(context, each)) }
}

/** The held deliveries of a notification, one to each URL. */
function requireHeld(context: ControlContext, id: string): LedgerDelivery[] {
  if (!context.settings.data.webhookHold) rejectField('ids', `names ${id}, but webhooks are not held`)
  const { ledger, notification } = notificationNamed(context, id)
  const deliveries = deliveriesFor(ledger, notification)
  const held = deliveries.filter(({ nextAt }) => nextAt !== null)
  if (held.some((delivery) => context.followers.isReachable(delivery)))
    return held.map((delivery) => ({ ledger, delivery }))
  const [unreachable] = held
  if (unreachable !== undefined)
    rejectField('ids', `names ${id}, but tillbox listen ${hideInAddress(unreachable.url)} is not connected`)
  return rejectField(
    'ids',
    deliveries.length === 0
      ? `names ${id}, which has no endpoint`
      : `names ${id}, which is not held: it is ${deliveries.every(({ delivered }) => delivered) ? 'delivered' : 'given up'}; resend it to have it held`,
  )
}

/** The retry schedule, and the order of deliveries to one URL. */
export const currentSchedule = ({
  options: { retries },
  webhookOrder,
}: Pick<ControlContext, 'options' | 'webhookOrder'>): WebhookSchedule => ({
  retries,
  ...webhookOrder.current,
})

/** Sets the order of deliveries to one URL, from the next attempt on. assumption: webhook-order */
export const setOrder: ControlHandler<'set-webhook-schedule'> = async (context, { order, concurrency }) => {
  await saveSettings(context, () => {
    context.settings.data.webhookOrder = { order, concurrency: concurrency ?? usualConcurrency }
  })
  context.webhookOrder.wasSet()
  context.courier.rearm()
  context.changes.tell('webhooks')
  return currentSchedule(context)
}
