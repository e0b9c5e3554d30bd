import type { ControlInput } from '../../../contract/control/controls/controls.ts'
import type { AttemptView } from '../../../contract/control/webhooks.ts'
import { rejectField, rejectSaying } from '../../../contract/errors.ts'
import { sendingHeaders, userAgents } from '../../../contract/headers.ts'
import {
  isSignatureHeader,
  type SignedContent,
  webhookHeaders,
} from '../../../contract/signature/signature.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import type { ReadableClock } from '../../engine/identifiers.ts'
import { transactionNamed } from '../../views/views.ts'
import { attemptView, type DeliveryLog, deliveriesFor, notificationNamed } from '../../webhooks/deliveries.ts'
import { findTraceparent, notificationBody } from '../../webhooks/notifications/notification.ts'
import { post } from '../../webhooks/post.ts'
import { refusedAsOwn, refuseTarget } from '../../webhooks/webhook-target.ts'
import type { ControlContext, ControlHandler } from '../control-context.ts'
import { requireCallable, requireUrl } from './resend.ts'

/** Sending of edited notifications: once and immediately. They are not stored, and get no faults. */

/** Sends a notification with some members changed and `test: true`. */
export const sendEdited: ControlHandler<'send-webhook'> = async (context, wanted) => {
  const { transactionId, type, set, to } = wanted
  const { ledgers } = context.engine.state
  const { ledger, transaction } = transactionNamed(ledgers, transactionId, 'transactionId')
  const terminal = type === 'terminal'
  const namedUrl = terminal ? transaction.terminalEventNotifyUrl : transaction.notifyUrl
  const url = requireUrl(
    to ?? namedUrl ?? rejectField('to', 'is required: the transaction has no address of its own'),
    'to',
  )
  refuseTarget('to', refusedAsOwn(new URL(url), context.webhookLimits))
  const event = terminal ? ('TRANSACTION_ENDED' as const) : null
  const { status, tip } = transaction
  const createdAt = context.clock.now()
  const plain = notificationBody(ledger, { transactionId, event, status, tip, createdAt })
  const body = JSON.stringify({ ...(JSON.parse(plain) as object), ...set, test: true })
  const content = {
    id: context.identifiers.traceId(),
    body,
    traceparent: findTraceparent(ledger, { transactionId }),
  }
  return send(context, url, signedNow(context, ledger, content), body)
}

/**
 * Sends a notification with the given body, byte for byte. Time and signature are new unless `sign` is false;
 * the other headers are those given. assumption: webhook-resend
 */
export async function sendBody(
  context: ControlContext,
  id: string,
  wanted: ControlInput<'send-webhook-body'>,
): Promise<AttemptView> {
  const { ledger, notification } = notificationNamed(context, id)
  const { body, sign, to } = wanted
  const headers = wanted.headers == null ? null : requireHeaders(wanted.headers)
  if (sign === false && headers === null)
    rejectField('headers', 'is required without a new signature: the old one is among them')
  const url = requireCallable(
    context,
    to ?? firstDeliveryUrl(context, id) ?? rejectField('to', `is required: ${id} has no address of its own`),
  )
  if (sign === false) return send(context, url, headers ?? {}, body)
  const named = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'x-client-request-id')
  const traceparent = findTraceparent(ledger, notification)
  const made = signedNow(context, ledger, { id: named?.[1] ?? id, body, traceparent })
  return send(context, url, headers === null ? made : renewed(headers, made), body)
}

type SigningContext = Pick<ControlContext, 'engine' | 'signingOf'> & { readonly clock: ReadableClock }

/** A notification as it would be sent now. */
export function composeNotification(
  context: SigningContext,
  id: string,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const { ledger, notification } = notificationNamed(context, id)
  const body = notificationBody(ledger, notification)
  const traceparent = findTraceparent(ledger, notification)
  return { headers: signedNow(context, ledger, { id, body, traceparent }), body }
}

type HeaderValues = Readonly<Record<string, string>>

const signedNow = (
  context: SigningContext,
  ledger: Ledger,
  content: Omit<SignedContent, 'at'>,
): HeaderValues => webhookHeaders(context.signingOf(ledger), { ...content, at: context.clock.wall() })

/** The given headers, with a new time and signature. */
const renewed = (headers: HeaderValues, made: HeaderValues): HeaderValues => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !isSignatureHeader(name))),
  ...Object.fromEntries(Object.entries(made).filter(([name]) => isSignatureHeader(name))),
})

async function send(context: ControlContext, url: string, headers: HeaderValues, body: string) {
  const { attempt } = await post(url, headers, body, context.webhookLimits)
  return attemptView({ ...attempt, fault: null })
}

function firstDeliveryUrl(context: Pick<DeliveryLog, 'engine'>, id: string): string | undefined {
  const { ledger, notification } = notificationNamed(context, id)
  return deliveriesFor(ledger, notification)[0]?.url
}

function requireHeaders(headers: HeaderValues): HeaderValues {
  const seen = new Set<string>()
  const refuse = (message: string): never => rejectSaying('headers', message)
  for (const [name, value] of Object.entries(headers)) {
    const small = name.toLowerCase()
    if (!/^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(name)) refuse(`'${name}' cannot be the name of a header`)
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      refuse(`The value of ${name} has characters that no header can have`)
    if (sendingHeaders.has(small)) refuse(`${name} is made by the connection and cannot be set`)
    if (small === 'user-agent' && value !== userAgents.webhook)
      refuse(`${name} marks a notification and is always ${userAgents.webhook}`)
    if (seen.has(small)) refuse(`${name} is given twice`)
    seen.add(small)
  }
  return seen.has('user-agent') ? headers : { ...headers, 'User-Agent': userAgents.webhook }
}
