import { controls } from '../../../contract/sandbox/controls/controls.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import type { Transaction } from '../../../domain/model/transaction.ts'
import { addressed } from '../../../presentation/copy-as.ts'
import { shellQuote } from '../../../text/shell-quote.ts'
import { transactionNamed } from '../../../views/views.ts'
import { notificationId } from '../../../webhooks/notifications/notification.ts'
import { pastNotifications } from '../../../webhooks/notifications/past-notifications.ts'
import type { MakePage, PagesContext, Values } from '../../frame/page-view.tsx'
import { pageBefore } from '../../serving/form-fields.ts'
import { type Equivalents, inShell } from './equivalents.tsx'
import { actionPage, formAction, formFields, newTransactionRequestId } from './form-parts.tsx'

const orderOf = ({ notification = '', to = '' }: Values) => ({
  ids: [notification],
  ...(to.trim() !== '' && { to: to.trim() }),
})

/** Example URL in the commands of a notification without a URL, so that they run as copied. */
const exampleUrl = 'http://localhost:4000/webhook'

/** Ids of the transaction's notifications, with their events: the result first. */
const notificationsOf = (ledger: Ledger, transaction: Transaction): (readonly [string, string])[] =>
  pastNotifications(ledger, transaction)
    .map((each) => [notificationId(ledger.settings.merchantId, each), each.event ?? 'Result'] as const)
    .sort(([, one], [, other]) => Number(other === 'Result') - Number(one === 'Result'))

/** The form that sends a notification of a transaction again, or to another URL. Errors: SBX_TXN_UNKNOWN. */
export const resendPage: MakePage = (context, { id, query, baseUrl }, typed) => {
  const form = typed ?? { values: { ...query, transactionRequestId: newTransactionRequestId() } }
  const { ledger, transaction } = transactionNamed(context.engine.state.ledgers, id)
  const options = notificationsOf(ledger, transaction)
  const values: Values = { notification: options[0]?.[0] ?? '', ...form.values }
  const wasSent = context.statistics.current.deliveries.ofTransaction(id).length > 0
  const usual = wasSent ? '' : exampleUrl
  return actionPage({
    title: `Resend notification of ${id}`,
    heading: 'Resend notification',
    lead: <p class="page-lead">It is sent with the same id and a new signature.</p>,
    form,
    action: `/transactions/${id}/resend`,
    submit: 'Resend',
    back: `/transactions/${id}`,
    fields: formFields({ ...form, values }, [
      { name: 'notification', label: 'Notification', options },
      {
        name: 'to',
        label: 'URL',
        optional: wasSent,
        placeholder: exampleUrl,
        hint: wasSent ? 'Leave empty to use the original URL.' : 'It had no URL before.',
      },
    ]),
    equivalents: () => equivalentsOf(context, { ...values, to: values.to || usual }, baseUrl),
  })
}

function equivalentsOf(context: PagesContext, values: Values, baseUrl: string): Equivalents {
  const { ids, to } = orderOf(values)
  const { method, path: target } = controls['resend-webhooks']
  const body = JSON.stringify({ ids, ...(to && { to }) })
  const command = `tillbox webhook resend ${ids.join(' ')}${to ? ` --to ${shellQuote(to)}` : ''}`
  return {
    command: addressed(command, baseUrl),
    ...inShell(context, { method, target, body, appId: '', baseUrl }),
  }
}

/** Resends a notification. Errors: SBX_TXN_UNKNOWN. */
export const resendAction = formAction(
  resendPage,
  ['notification', 'to', 'transactionRequestId'],
  async (context, values, { id }, call) => {
    await context.commands.resendWebhooks(orderOf(values))
    const text = 'Resend requested. The notification keeps its id.'
    const before = pageBefore(call)
    return { to: /^\/webhooks[/?]/.test(before) ? before : `/transactions/${id}`, notice: { text } }
  },
)
