import { rejectField } from '../contract/errors.ts'
import type { ControlInput } from '../contract/sandbox/controls.ts'
import type { AttemptView, Resent } from '../contract/sandbox/webhooks.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import type { Delivery } from '../domain/model/outbox.ts'
import { deliveryState } from '../domain/model/outbox.ts'
import type { ReadableClock } from '../engine/clock.ts'
import type { EngineAccess } from '../engine/engine.ts'
import { webhookHeaders } from '../signature/signature.ts'
import { transactionNamed } from '../views/views.ts'
import { attemptView, everyDelivery, notificationNamed } from '../webhooks/deliveries.ts'
import {
  type Notification,
  notificationBody,
  notificationId,
} from '../webhooks/notifications/notification.ts'
import { post } from '../webhooks/post.ts'
import { refusedAsOwn, refusedAtOnce, refuseTarget } from '../webhooks/target.ts'
import type { ControlContext } from './context.ts'

/** What the control interface sends: again, to another address, or edited. */

/** What sending needs. */
export interface ResendContext
  extends Pick<ControlContext, 'identifiers' | 'signingOf' | 'webhookLimits' | 'port'> {
  readonly engine: EngineAccess
  readonly clock: ReadableClock
}

/** Has sent again what is named: resolves when that is durable; the courier sends it then. Errors: C17, SBX_WEBHOOK_NONE. */
export async function resendWebhooks(
  context: ResendContext,
  wanted: ControlInput<'resend-webhooks'>,
): Promise<Resent> {
  await context.engine.ready()
  const to = wanted.to == null ? null : requireCallable(context, wanted.to)
  const resends = once(wanted.ids == null ? fitting(context, wanted, to) : named(context, wanted, to))
  for (const ledger of new Set(resends.map((each) => each.ledger))) {
    const what = resends
      .filter((each) => each.ledger === ledger)
      .map(({ notification: { transactionId, event, createdAt, status, tip }, url }) => {
        const facts = { createdAt, status, tip }
        return { transactionId, event, url, facts }
      })
    await context.engine.run(ledger, { type: 'send-again', what }, undefined, () => ({}))
  }
  return { resent: resends.map(idOf) }
}

const idOf = ({ ledger, notification }: Pick<Resend, 'ledger' | 'notification'>): string =>
  notificationId(ledger.settings.merchantId, notification)

/** The same notification to the same address once, however often it was named. */
const once = (resends: readonly Resend[]): Resend[] => [
  ...new Map(resends.map((each) => [`${idOf(each)} ${each.url}`, each])).values(),
]

interface Resend {
  readonly ledger: Ledger
  /** As it was when it happened. */
  readonly notification: Notification
  readonly url: string
}

function fitting(
  context: ResendContext,
  { failed, since, all }: ControlInput<'resend-webhooks'>,
  to: string | null,
): Resend[] {
  if (failed !== true && since == null && all !== true)
    rejectField('ids', 'is required, or failed, since or all')
  const from = since == null ? Number.NEGATIVE_INFINITY : Date.parse(since)
  return everyDelivery(context)
    .filter(
      ({ delivery }) =>
        delivery.createdAt >= from && (failed !== true || deliveryState(delivery) === 'failed'),
    )
    .map(({ ledger, delivery }) => ({ ledger, notification: delivery, url: to ?? delivery.url }))
}

function named(
  context: ResendContext,
  { ids, failed, since, all }: ControlInput<'resend-webhooks'>,
  to: string | null,
): Resend[] {
  if (failed === true || all === true || since != null)
    rejectField('ids', 'goes without failed, since and all')
  const known = new Map<string, Delivery[]>()
  for (const { ledger, delivery } of everyDelivery(context)) {
    const id = idOf({ ledger, notification: delivery })
    known.set(id, [...(known.get(id) ?? []), delivery])
  }
  return (ids ?? []).flatMap((id) => {
    const { ledger, notification } = notificationNamed(context, id)
    const own = known.get(id) ?? []
    if (to !== null) return [{ ledger, notification: own[0] ?? notification, url: to }]
    if (own.length === 0)
      rejectField(
        'to',
        `is required: ${id} has no address of its own; tillbox listen sends its own again with r`,
      )
    return own.map(({ url }) => ({ ledger, notification, url }))
  })
}

function requireUrl(text: string, field: string): string {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text))
    rejectField(field, 'must be an http or https URL')
  return text
}

/** An address that would be refused at every attempt is refused now; a name is looked up at the attempt. */
function requireCallable({ webhookLimits: { allowedHosts }, port }: ResendContext, text: string): string {
  refuseTarget('to', refusedAtOnce(new URL(requireUrl(text, 'to')), allowedHosts, port))
  return text
}

/** Sends an edited notification once, at once, with `test: true`; it is not kept. Errors: C17, SBX_TXN_UNKNOWN. */
export async function sendEdited(
  context: ResendContext,
  wanted: ControlInput<'send-webhook'>,
): Promise<AttemptView> {
  const { transactionId, type, set, to } = wanted
  const { ledger, transaction } = transactionNamed(
    context.engine.state.ledgers,
    transactionId,
    'transactionId',
  )
  const terminal = type === 'terminal'
  const own = terminal ? transaction.terminalEventNotifyUrl : transaction.notifyUrl
  const url = requireUrl(
    to ?? own ?? rejectField('to', 'is required: the transaction has no address of its own'),
    'to',
  )
  refuseTarget('to', refusedAsOwn(new URL(url), context.port))
  const event = terminal ? ('TRANSACTION_ENDED' as const) : null
  const { status, tip } = transaction
  const plain = notificationBody(ledger, {
    transactionId,
    event,
    status,
    tip,
    createdAt: context.clock.now(),
  })
  const body = JSON.stringify({ ...(JSON.parse(plain) as object), ...set, test: true })
  const signed = { id: context.identifiers.traceId(), at: context.clock.wall(), body }
  const headers = webhookHeaders(context.signingOf(ledger), signed)
  return attemptView({ ...(await post(url, headers, body, context.webhookLimits)), fault: null })
}
