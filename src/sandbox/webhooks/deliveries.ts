import type { ControlInput } from '../../api/controls.ts'
import { reject, rejectField } from '../../api/errors.ts'
import { statusLetters } from '../../api/statuses.ts'
import type { AttemptView, DeliveryState, DeliveryView, Resent, WebhookStory } from '../../api/webhooks.ts'
import type { Ledger } from '../../domain/ledger.ts'
import type { Delivery } from '../../domain/outbox.ts'
import { webhookHeaders } from '../../webhook/signature.ts'
import type { Sandbox } from '../sandbox.ts'
import type { LoggedAttempt } from './attempt-log.ts'
import { hasHappened } from './missed.ts'
import { notificationBody, notificationId, type Told, toldBy } from './notification.ts'
import { post } from './post.ts'

/** What the control interface shows and does about webhooks. */

/** Where a delivery stands. */
export const stateOf = ({ nextAt, delivered }: Delivery): DeliveryState =>
  nextAt !== null ? 'pending' : delivered ? 'delivered' : 'failed'

const viewOf = ({ settings: { merchantId } }: Ledger, delivery: Delivery): DeliveryView => ({
  id: notificationId(merchantId, delivery),
  kind: delivery.event === null ? 'payment' : 'terminal',
  event: delivery.event,
  merchantId,
  transactionId: delivery.transactionId,
  transactionStatus: statusLetters[delivery.status],
  url: delivery.url,
  state: stateOf(delivery),
  attempts: delivery.attempts,
  last: delivery.last,
  fault: delivery.fault,
  createdAt: new Date(delivery.createdAt).toISOString(),
  nextAt: delivery.nextAt === null ? null : new Date(delivery.nextAt).toISOString(),
})

interface Found {
  readonly ledger: Ledger
  readonly delivery: Delivery
}

const everything = ({ engine }: Sandbox): Found[] =>
  [...engine.book.ledgers.values()].flatMap((ledger) =>
    [...ledger.outbox.deliveries.values()].map((delivery) => ({ ledger, delivery })),
  )

/** How many are listed when nobody says otherwise. */
const usualLimit = 100

/** Deliveries that fit, the newest last. */
export function listDeliveries(
  sandbox: Sandbox,
  wanted: ControlInput<'webhooks'>,
): { deliveries: DeliveryView[] } {
  const { state, transactionId, since, limit } = wanted
  const from = since == null ? Number.NEGATIVE_INFINITY : Date.parse(since)
  const fitting = everything(sandbox)
    .filter(
      ({ delivery }) =>
        (state == null || stateOf(delivery) === state) &&
        (transactionId == null || delivery.transactionId === transactionId) &&
        delivery.createdAt >= from,
    )
    .sort((one, other) => one.delivery.createdAt - other.delivery.createdAt)
  return {
    deliveries: fitting
      .slice(-Number(limit ?? usualLimit))
      .map(({ ledger, delivery }) => viewOf(ledger, delivery)),
  }
}

/** A notification's deliveries with every attempt. Errors: SBX_WEBHOOK_NONE, SBX_NOBODY_TOLD. */
export async function showWebhook(sandbox: Sandbox, id: string): Promise<WebhookStory> {
  const { ledger, told } = notificationNamed(sandbox, id)
  const own = [...ledger.outbox.deliveries.values()].filter(
    ({ transactionId, event }) => transactionId === told.transactionId && event === told.event,
  )
  if (own.length === 0) nobodyTold(told)
  const numbers = new Set(own.map(({ number }) => number))
  const attempts = await sandbox.attempts.of(ledger.settings.merchantId, numbers)
  return {
    deliveries: own.map((delivery) => ({
      ...viewOf(ledger, delivery),
      tries: attempts.filter(({ number }) => number === delivery.number).map(attemptView),
    })),
  }
}

const attemptView = ({ merchantId: _, number: __, at, ...attempt }: LoggedAttempt): AttemptView => ({
  at: new Date(at).toISOString(),
  ...attempt,
})

/** The notification of that id, and whose it is. Errors: SBX_WEBHOOK_NONE. */
function notificationNamed({ engine }: Sandbox, id: string): { ledger: Ledger; told: Told } {
  const told = toldBy(id)
  for (const ledger of engine.book.ledgers.values())
    if (
      told !== undefined &&
      notificationId(ledger.settings.merchantId, told) === id &&
      hasHappened(ledger, told)
    )
      return { ledger, told }
  return noWebhook(id)
}

/** It happened, but there was no address to tell. */
function nobodyTold({ transactionId, event }: Told): never {
  const member = event === null ? 'notifyUrl' : 'terminalEventNotifyUrl'
  const fallback = event === null ? ', and the sandbox was started without --notify-url' : ''
  return reject('SBX_NOBODY_TOLD', {
    field: 'id',
    detail: `the request of transaction ${transactionId} named no ${member}${fallback}`,
  })
}

const noWebhook = (id: string): never =>
  reject('SBX_WEBHOOK_NONE', { field: 'id', detail: `there is no webhook ${id}` })

/** Sends again what is named, and resolves when that is durable. Errors: C17, SBX_WEBHOOK_NONE. */
export async function resendWebhooks(
  sandbox: Sandbox,
  wanted: ControlInput<'resend-webhooks'>,
): Promise<Resent> {
  await sandbox.engine.ready()
  const to = wanted.to == null ? null : requireUrl(wanted.to, 'to')
  const chosen = once(wanted.ids == null ? fitting(sandbox, wanted, to) : named(sandbox, wanted, to))
  for (const ledger of new Set(chosen.map((each) => each.ledger))) {
    const what = chosen
      .filter((each) => each.ledger === ledger)
      .map(({ told: { transactionId, event }, url }) => ({ transactionId, event, url }))
    await sandbox.engine.run(ledger, { type: 'send-again', what }, undefined, () => ({}))
  }
  return { resent: chosen.map(idOf) }
}

const idOf = ({ ledger, told }: Pick<Chosen, 'ledger' | 'told'>): string =>
  notificationId(ledger.settings.merchantId, told)

/** The same notification to the same address once, however often it was named. */
const once = (chosen: readonly Chosen[]): Chosen[] => [
  ...new Map(chosen.map((each) => [`${idOf(each)} ${each.url}`, each])).values(),
]

interface Chosen {
  readonly ledger: Ledger
  readonly told: Told
  readonly url: string
}

function fitting(
  sandbox: Sandbox,
  { failed, since, all }: ControlInput<'resend-webhooks'>,
  to: string | null,
): Chosen[] {
  if (failed !== true && since == null && all !== true)
    rejectField('ids', 'is required, or failed, since or all')
  const from = since == null ? Number.NEGATIVE_INFINITY : Date.parse(since)
  return everything(sandbox)
    .filter(
      ({ delivery }) => delivery.createdAt >= from && (failed !== true || stateOf(delivery) === 'failed'),
    )
    .map(({ ledger, delivery }) => ({ ledger, told: delivery, url: to ?? delivery.url }))
}

function named(
  sandbox: Sandbox,
  { ids, failed, since, all }: ControlInput<'resend-webhooks'>,
  to: string | null,
): Chosen[] {
  if (failed === true || all === true || since != null)
    rejectField('ids', 'goes without failed, since and all')
  return (ids ?? []).flatMap((id) => {
    const { ledger, told } = notificationNamed(sandbox, id)
    if (to !== null) return [{ ledger, told, url: to }]
    const own = [...ledger.outbox.deliveries.values()].filter(
      ({ transactionId, event }) => transactionId === told.transactionId && event === told.event,
    )
    if (own.length === 0) rejectField('to', `is required: ${id} has no address of its own`)
    return own.map(({ url }) => ({ ledger, told, url }))
  })
}

function requireUrl(text: string, field: string): string {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text))
    rejectField(field, 'must be an http or https URL')
  return text
}

/** Sends an edited notification once, at once, with `test: true`; it is not kept. Errors: C17, SBX_TXN_UNKNOWN. */
export async function sendEdited(
  sandbox: Sandbox,
  wanted: ControlInput<'send-webhook'>,
): Promise<AttemptView> {
  const { transactionId, type, set, to } = wanted
  const ledger = [...sandbox.engine.book.ledgers.values()].find(({ transactions }) =>
    transactions.has(transactionId),
  )
  const transaction = ledger?.transactions.get(transactionId)
  if (ledger === undefined || transaction === undefined)
    return reject('SBX_TXN_UNKNOWN', {
      field: 'transactionId',
      detail: `there is no transaction ${transactionId}`,
    })
  const terminal = type === 'terminal'
  const own = terminal ? transaction.terminalEventNotifyUrl : transaction.notifyUrl
  const url = requireUrl(
    to ?? own ?? rejectField('to', 'is required: the transaction has no address of its own'),
    'to',
  )
  const event = terminal ? ('TRANSACTION_ENDED' as const) : null
  const { status, tip } = transaction
  const plain = notificationBody(ledger, {
    transactionId,
    event,
    status,
    tip,
    createdAt: sandbox.clock.now(),
  })
  const body = JSON.stringify({ ...(JSON.parse(plain) as object), ...set, test: true })
  const signed = { id: sandbox.identifiers.traceId(), at: sandbox.clock.wall(), body }
  const { merchantId: _, ...attempt } = {
    ...(await post(url, webhookHeaders(sandbox.signingOf(ledger), signed), body, sandbox.webhookLimits)),
    merchantId: '',
  }
  return { ...attempt, at: new Date(attempt.at).toISOString(), fault: null }
}
