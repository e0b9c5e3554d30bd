import type { ControlInput } from '../../../contract/control/controls/controls.ts'
import type { Resent } from '../../../contract/control/webhooks.ts'
import { rejectField } from '../../../contract/errors.ts'
import type { Endpoint } from '../../../domain/model/endpoint.ts'
import { endpointKey } from '../../../domain/model/endpoint.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { deliveryState, type Notification } from '../../../domain/model/outbox.ts'
import {
  everyDelivery,
  happenedIn,
  type LedgerDelivery,
  notificationNamed,
} from '../../webhooks/deliveries.ts'
import { webhookId } from '../../webhooks/notifications/notification.ts'
import { refusedAtOnce, refuseTarget } from '../../webhooks/webhook-target.ts'
import type { ControlContext, ControlHandler } from '../control-context.ts'

/** Resending of notifications, to the same endpoint or another. */

/**
 * Resends the named notifications: resolves when that is durable; the courier then sends them, those of a
 * listener as soon as it is connected. assumption: webhook-resend
 */
export const resendWebhooks: ControlHandler<'resend-webhooks'> = async (context, wanted) => {
  await context.engine.ready()
  const to = requestedEndpoint(context, wanted)
  const { ids, failed, since, until, all } = wanted
  const isFiltered = failed === true || all === true || since != null || until != null
  if (ids != null && isFiltered) rejectField('ids', 'goes without failed, since, until and all')
  if (ids != null) return resend(context, resendsById(context, ids, to))
  if (!isFiltered) rejectField('ids', 'is required, or failed, since, until or all')
  const chosen = everyDelivery(context)
    .filter(happenedIn({ since, until }))
    .filter(({ delivery }) => failed !== true || deliveryState(delivery) === 'failed')
  return resend(context, inOrder(chosen, to))
}

/** The endpoint that a request names; null for none: their own. */
function requestedEndpoint(
  context: ControlContext,
  { to, listener }: Pick<ControlInput<'resend-webhooks'>, 'to' | 'listener'>,
): Endpoint | null {
  if (to == null) return listener == null ? null : rejectField('to', 'is required with listener')
  return listener == null ? { url: requireCallable(context, to) } : { url: requireUrl(to, 'to'), listener }
}

/** Resends exactly these deliveries, in their order. */
export async function resendDeliveries(
  context: ControlContext,
  deliveries: readonly LedgerDelivery[],
): Promise<Resent> {
  await context.engine.ready()
  return resend(context, inOrder(deliveries, null))
}

async function resend(context: ControlContext, wanted: readonly Resend[]): Promise<Resent> {
  const resends = withoutRepeats(wanted)
  for (const ledger of new Set(resends.map((each) => each.ledger))) {
    const what = resends
      .filter((each) => each.ledger === ledger)
      .map(({ notification: { transactionId, event, createdAt, status, tip }, endpoint }) => ({
        transactionId,
        event,
        ...endpoint,
        facts: { createdAt, status, tip },
      }))
    await context.engine.run(ledger, { type: 'send-again', what })
  }
  return { resent: resends.map(({ ledger, notification }) => webhookId(ledger, notification)) }
}

/** Removes duplicates: the same notification to the same endpoint is resent once. */
const withoutRepeats = (resends: readonly Resend[]): Resend[] => [
  ...new Map(
    resends.map((each) => [
      `${webhookId(each.ledger, each.notification)} ${endpointKey(each.endpoint)}`,
      each,
    ]),
  ).values(),
]

interface Resend {
  readonly ledger: Ledger
  /** The notification with its facts at the time of the event. */
  readonly notification: Notification
  readonly endpoint: Endpoint
}

/** Resends a delivery to its own endpoint, or to another. */
const makeResend = ({ ledger, delivery }: LedgerDelivery, to: Endpoint | null): Resend => {
  const { url, listener } = to ?? delivery
  return { ledger, notification: delivery, endpoint: { url, listener } }
}

const inOrder = (deliveries: readonly LedgerDelivery[], to: Endpoint | null): Resend[] =>
  [...deliveries]
    .sort((one, other) => one.delivery.createdAt - other.delivery.createdAt)
    .map((each) => makeResend(each, to))

function resendsById(context: ControlContext, ids: readonly string[], to: Endpoint | null): Resend[] {
  const deliveriesById = new Map<string, LedgerDelivery[]>()
  for (const each of everyDelivery(context)) {
    const id = webhookId(each.ledger, each.delivery)
    deliveriesById.set(id, [...(deliveriesById.get(id) ?? []), each])
  }
  return ids.flatMap((id) => {
    const { ledger, notification } = notificationNamed(context, id)
    const deliveries = deliveriesById.get(id) ?? []
    const [first] = deliveries
    if (to !== null)
      return [first === undefined ? { ledger, notification, endpoint: to } : makeResend(first, to)]
    if (first === undefined) rejectField('to', `is required: ${id} has no address of its own`)
    return deliveries.map((each) => ({ ...makeResend(each, null), notification }))
  })
}

/** An http or https URL. */
export function requireUrl(text: string, field: string): string {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text))
    rejectField(field, 'must be an http or https URL')
  return text
}

/** Refuses an address that every attempt would refuse; names are looked up at each attempt. */
export function requireCallable({ webhookLimits }: ControlContext, text: string): string {
  refuseTarget('to', refusedAtOnce(new URL(requireUrl(text, 'to')), webhookLimits))
  return text
}
