import { controls } from '../../../contract/control/controls/controls.ts'
import { addressed } from '../../../contract/presentation/copy-as.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import type { Transaction } from '../../../domain/model/transaction.ts'
import { setClock } from '../../../sandbox/control/state/set-clock.ts'
import { resendDeliveries, resendWebhooks } from '../../../sandbox/control/webhooks/resend.ts'
import { sendBody } from '../../../sandbox/control/webhooks/send-edited.ts'
import { releaseDeliveries, setHold } from '../../../sandbox/control/webhooks/webhook-hold.ts'
import { type Call, idInPath } from '../../../sandbox/http/call.ts'
import { transactionNamed } from '../../../sandbox/views/views.ts'
import { whyPending } from '../../../sandbox/views/why-pending.ts'
import { type LedgerDelivery, showWebhook } from '../../../sandbox/webhooks/deliveries.ts'
import { webhookId } from '../../../sandbox/webhooks/notifications/notification.ts'
import {
  notificationIn,
  pastNotifications,
} from '../../../sandbox/webhooks/notifications/past-notifications.ts'
import { shortDuration } from '../../../shared/text/duration-words.ts'
import { shellQuote } from '../../../shared/text/shell-quote.ts'
import { plural } from '../../components/format.ts'
import type { MakePage, NoticeRedirect, PageAction, PagesContext, Values } from '../../frame/page-view.tsx'
import { type PostedForm, pageBefore, readFields, readForm } from '../../serving/form-fields.ts'
import { inShell } from '../payments/equivalents.tsx'
import {
  actionPage,
  exampleUrl,
  formAction,
  formFields,
  newTransactionRequestId,
  paymentLine,
  postedPageRequest,
  shownRefusal,
} from '../payments/form-parts.tsx'
import { failedDeliveries } from './delivery-table.tsx'
import { asTyped, calledUrl, deliveriesNamed, headersIn, originalAttempt } from './webhook-editor.tsx'
import { webhookPage } from './webhook-page.tsx'

/** What the buttons of the pages of webhooks do, by path. */
export const webhookActions: Readonly<Record<string, PageAction>> = {
  /** Sends deliveries again: the chosen ones, or all failed ones. */
  '/webhooks/resend': async (context, call) => {
    const deliveries = chosenDeliveries(context, await readForm(call))
    if (deliveries.length === 0) return doneAt(call, 'No delivery is chosen. Nothing was sent.')
    const { resent } = await context.send(resendDeliveries, deliveries)
    return doneAt(call, `Resend of ${plural(resent.length, 'webhook')} requested.`)
  },
  /** Holds back every delivery from now on. */
  '/webhooks/hold': async (context, call) => {
    await context.send(setHold, { hold: true })
    return doneAt(call, 'Webhooks are held from now on.')
  },
  /** Releases a delivery that is held, or ends the hold: then all are sent. */
  '/webhooks/release': async (context, call) => {
    const form = await readForm(call)
    if (form.once(['what']).what === 'all') {
      await context.send(setHold, { hold: false })
      return doneAt(call, 'Webhooks are released.')
    }
    const held = chosenDeliveries(context, form).filter(({ ledger, delivery }) =>
      context.courier.isHeld(ledger, delivery),
    )
    const { released } = await context.send(releaseDeliveries, held)
    const none = 'Nothing was sent: it is not held any more, or tillbox listen is not connected.'
    return doneAt(call, released.length === 0 ? none : `Released ${plural(released.length, 'webhook')}.`)
  },
  /** Advances the clock to the next attempt of a delivery, and resolves once it was made. */
  '/webhooks/:id/advance': async (context, call) => {
    const { delivery } = await readFields(call, ['delivery'])
    const counted = deliveriesNamed(context, idInPath(call)).find(
      ({ delivery: { number } }) => String(number) === delivery,
    )
    const until = (counted && whyPending(context, counted)?.until) ?? 0
    const milliseconds = Math.ceil(until - context.clock.now())
    if (milliseconds <= 0) return doneAt(call, 'No attempt is waiting for its time: the clock was not moved.')
    await context.send(setClock, { action: 'advance', milliseconds })
    return doneAt(call, `The sandbox clock was advanced by ${shortDuration(milliseconds)}.`)
  },
  /**
   * Sends a notification as it was typed; the page then has the receiver's answer. A refusal comes with the
   * input.
   */
  '/webhooks/:id/edit': async (context, call) => {
    const request = postedPageRequest(call)
    const { id } = request
    const values = asTyped(await readFields(call, ['body', 'headers', 'to', 'signature', 'attempt']))
    const original = originalAttempt(context, id, await showWebhook(context, id), values.attempt ?? '')
    try {
      const sent = await context.send(sendBody, id, sendInput(values, calledUrl(context, id, original)))
      context.tries.add(id, { values, sent })
      return `/webhooks/${id}`
    } catch (error) {
      return webhookPage(context, request, { values, refusal: shownRefusal(error) })
    }
  },
  /** Sends a notification again, where it went before. */
  '/webhooks/:id/resend': async (context, call) => {
    await context.send(resendWebhooks, { ids: [idInPath(call)] })
    return doneAt(call, 'Resend requested. The webhook keeps its id.')
  },
}

/** Redirects to the list with the button, or with the record beside it; otherwise to the record. */
function doneAt(call: Call, text: string): NoticeRedirect {
  const before = pageBefore(call)
  const id = idInPath(call)
  const isThere = (id === '' ? /^\/webhooks(\?.*|\/[^/]+)?$/ : /^\/webhooks\?/).test(before)
  return { to: isThere ? before : `/webhooks${id && `/${id}`}`, notice: { text } }
}

/** `usual`: where it goes when no URL is typed. */
const sendInput = ({ body = '', headers = '', to = '', signature }: Values, usual: string | undefined) => ({
  body,
  headers: headersIn(headers),
  sign: signature === 'new',
  to: to.trim() || usual,
})

const chosenDeliveries = (context: PagesContext, form: PostedForm): readonly LedgerDelivery[] =>
  form.once(['what']).what === 'failed'
    ? failedDeliveries(context)
    : [...new Set(form.all('delivery'))].flatMap((each) => deliveryNamed(context.engine, each) ?? [])

/** The delivery that a box names: its number, and the id of its notification. */
function deliveryNamed(engine: PagesContext['engine'], name: string): LedgerDelivery | undefined {
  const [number = '', id = ''] = name.split(' ')
  const found = notificationIn(engine.state, id)
  const delivery = found?.ledger.outbox.deliveries.get(Number(number))
  if (found === undefined || delivery === undefined) return undefined
  const { ledger } = found
  return webhookId(ledger, delivery) === id ? { ledger, delivery } : undefined
}

const resendInput = ({ notification = '', to = '' }: Values) => ({
  ids: [notification],
  ...(to.trim() !== '' && { to: to.trim() }),
})

/** Ids of the transaction's notifications, with their events: the result first. */
const notificationOptions = (ledger: Ledger, transaction: Transaction): (readonly [string, string])[] =>
  pastNotifications(ledger, transaction)
    .map((each) => [webhookId(ledger, each), each.event ?? 'Result'] as const)
    .sort(([, one], [, other]) => Number(other === 'Result') - Number(one === 'Result'))

/** The form that sends a notification of a transaction again, or to another URL. */
export const resendPage: MakePage = (context, { id, query, baseUrl }, typed) => {
  const form = typed ?? { values: { ...query, transactionRequestId: newTransactionRequestId() } }
  const { ledger, transaction } = transactionNamed(context.engine.state.ledgers, id)
  const options = notificationOptions(ledger, transaction)
  const values: Values = { notification: options[0]?.[0] ?? '', ...form.values }
  const wasSent = context.statistics.current.deliveries.ofTransaction(id).length > 0
  const usual = wasSent ? '' : exampleUrl
  return actionPage({
    title: `Resend webhook of ${id}`,
    heading: 'Resend webhook',
    lead: (
      <>
        {paymentLine(transaction)}
        <p class="text-sm text-ink-soft">It is sent with the same id and a new signature.</p>
      </>
    ),
    form,
    action: `/transactions/${id}/resend`,
    submit: 'Resend',
    back: `/transactions/${id}`,
    fields: formFields({ ...form, values }, [
      { name: 'notification', label: 'Webhook', options },
      {
        name: 'to',
        label: 'URL',
        optional: wasSent,
        placeholder: exampleUrl,
        hint: wasSent ? 'Leave empty to use the original URL.' : 'It had no URL before.',
      },
    ]),
    equivalents: () => {
      const input = resendInput({ ...values, to: values.to || usual })
      const { method, path: target } = controls['resend-webhooks']
      const to = 'to' in input ? ` --to ${shellQuote(input.to)}` : ''
      const command = addressed(`tillbox webhook resend ${input.ids.join(' ')}${to}`, baseUrl)
      const body = JSON.stringify(input)
      return { command, ...inShell(context, { method, target, body, appId: '', baseUrl }) }
    },
  })
}

/** Resends a notification. */
export const resendAction = formAction(
  resendPage,
  ['notification', 'to', 'transactionRequestId'],
  async (context, values, { id }, call) => {
    await context.send(resendWebhooks, resendInput(values))
    const text = 'Resend requested. The webhook keeps its id.'
    const before = pageBefore(call)
    return { to: /^\/webhooks[/?]/.test(before) ? before : `/transactions/${id}`, notice: { text } }
  },
)
