import { rejectField } from '../../contract/errors.ts'
import type { ControlInput } from '../../contract/sandbox/controls/controls.ts'
import type { Resent } from '../../contract/sandbox/webhooks.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Delivery } from '../../domain/model/outbox.ts'
import { deliveryState } from '../../domain/model/outbox.ts'
import type { EngineAccess } from '../../engine/engine.ts'
import type { ReadableClock } from '../../engine/sandbox-clock.ts'
import { hideInAddress } from '../../http/hide-addresses.ts'
import {
  everyDelivery,
  happenedIn,
  type LedgerDelivery,
  notificationNamed,
} from '../../webhooks/deliveries.ts'
import { isListened } from '../../webhooks/listener-record.ts'
import { type Notification, notificationId } from '../../webhooks/notifications/notification.ts'
import { refusedAtOnce, refuseTarget } from '../../webhooks/webhook-target.ts'
import type { ControlContext } from '../context/control-context.ts'

/** Resending of notifications, to the same endpoint or another. */

/** Context for resending. */
export interface ResendContext
  extends Pick<
    ControlContext,
    'identifiers' | 'signingOf' | 'webhookLimits' | 'listened' | 'listeners' | 'statistics' | 'changes'
  > {
  readonly engine: EngineAccess
  readonly clock: ReadableClock
}

/**
 * Resends the named notifications: resolves when that is durable; the courier then sends them. Notifications that a
 * listener delivered are resent by it, or left out if it is not connected. Errors: C17, SBX_WEBHOOK_NONE.
 * assumption: webhook-resend
 */
export async function resendWebhooks(
  context: ResendContext,
  wanted: ControlInput<'resend-webhooks'>,
): Promise<Resent> {
  await context.engine.ready()
  const to = wanted.to == null ? null : requireCallable(context, wanted.to)
  return resend(context, wanted.ids == null ? fitting(context, wanted, to) : named(context, wanted, to))
}

/** Resends exactly these deliveries, in their order. */
export async function resendDeliveries(
  context: ResendContext,
  deliveries: readonly LedgerDelivery[],
): Promise<Resent> {
  await context.engine.ready()
  return resend(context, inOrder(deliveries, null))
}

async function resend(context: ResendContext, wanted: readonly Resend[]): Promise<Resent> {
  const resends = once(wanted)
  const own = resends.filter(({ listened }) => listened === undefined)
  for (const ledger of new Set(own.map((each) => each.ledger))) {
    const what = own
      .filter((each) => each.ledger === ledger)
      .map(({ notification: { transactionId, event, createdAt, status, tip }, url }) => {
        const facts = { createdAt, status, tip }
        return { transactionId, event, url, facts }
      })
    await context.engine.run(ledger, { type: 'send-again', what }, undefined, () => ({}))
  }
  const leftOut = new Set(resends.filter((each) => !isSentByListener(context, each)))
  return {
    resent: resends.filter((each) => !leftOut.has(each)).map(idOf),
    leftOut: [...leftOut].map((each) => ({ id: idOf(each), url: hideInAddress(each.url) })),
  }
}

/** Asks the listener of the endpoint to resend; false when it is not connected. True for deliveries of the sandbox. */
function isSentByListener(
  { clock, listened, listeners, statistics, changes }: ResendContext,
  resend: Resend,
): boolean {
  const { ledger, listened: delivery, url } = resend
  if (delivery === undefined) return true
  const tell = listeners.resenderOf(url)
  if (tell === undefined) return false
  listened.sentAgain(delivery, clock.wall())
  statistics.noteListened({ ledger, delivery })
  changes.tell('webhooks')
  changes.tell(`transaction ${delivery.transactionId}`)
  tell(idOf(resend))
  return true
}

const idOf = ({ ledger, notification }: Pick<Resend, 'ledger' | 'notification'>): string =>
  notificationId(ledger.settings.merchantId, notification)

/** Removes duplicates: the same notification to the same endpoint is resent once. */
const once = (resends: readonly Resend[]): Resend[] => [
  ...new Map(resends.map((each) => [`${idOf(each)} ${each.url} ${each.listened?.number}`, each])).values(),
]

interface Resend {
  readonly ledger: Ledger
  /** The notification with its facts at the time of the event. */
  readonly notification: Notification
  readonly url: string
  /** The delivery of the listener that resends it; undefined when the sandbox does. */
  readonly listened: Delivery | undefined
}

/** Resends a delivery: by the listener that made it, otherwise or to another URL by the sandbox. */
const resendOf = ({ ledger, delivery }: LedgerDelivery, to: string | null): Resend => ({
  ledger,
  notification: delivery,
  url: to ?? delivery.url,
  listened: to === null && isListened(delivery) ? delivery : undefined,
})

function fitting(
  context: ResendContext,
  { failed, since, until, all }: ControlInput<'resend-webhooks'>,
  to: string | null,
): Resend[] {
  if (failed !== true && since == null && until == null && all !== true)
    rejectField('ids', 'is required, or failed, since, until or all')
  const chosen = sentByAnyone(context)
    .filter(happenedIn({ since, until }))
    .filter(({ delivery }) => failed !== true || deliveryState(delivery) === 'failed')
  return inOrder(chosen, to)
}

const inOrder = (deliveries: readonly LedgerDelivery[], to: string | null): Resend[] =>
  [...deliveries]
    .sort((one, other) => one.delivery.createdAt - other.delivery.createdAt)
    .map((each) => resendOf(each, to))

/** Deliveries of the sandbox, followed by those of listeners. */
const sentByAnyone = (context: ResendContext): LedgerDelivery[] => [
  ...everyDelivery(context),
  ...context.listened.deliveries,
]

function named(
  context: ResendContext,
  { ids, failed, since, until, all }: ControlInput<'resend-webhooks'>,
  to: string | null,
): Resend[] {
  if (failed === true || all === true || since != null || until != null)
    rejectField('ids', 'goes without failed, since, until and all')
  const known = new Map<string, LedgerDelivery[]>()
  for (const each of sentByAnyone(context)) {
    const id = idOf({ ledger: each.ledger, notification: each.delivery })
    known.set(id, [...(known.get(id) ?? []), each])
  }
  return (ids ?? []).flatMap((id) => {
    const { ledger, notification } = notificationNamed(context, id)
    const own = known.get(id) ?? []
    const [first] = own
    if (to !== null)
      return [
        first === undefined ? { ledger, notification, url: to, listened: undefined } : resendOf(first, to),
      ]
    if (first === undefined) rejectField('to', `is required: ${id} has no address of its own`)
    return own.map((each) => ({ ...resendOf(each, null), notification }))
  })
}

/** An http or https URL. Errors: C17. */
export function requireUrl(text: string, field: string): string {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text))
    rejectField(field, 'must be an http or https URL')
  return text
}

/** Refuses an address that every attempt would refuse; names are looked up at each attempt. Errors: C17. */
export function requireCallable({ webhookLimits }: ResendContext, text: string): string {
  refuseTarget('to', refusedAtOnce(new URL(requireUrl(text, 'to')), webhookLimits))
  return text
}
