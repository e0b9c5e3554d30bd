import { Refusal } from '../../../contract/errors.ts'
import { hideInAddress } from '../../../http/hide-addresses.ts'
import type { CountedDelivery } from '../../../views/statistics/delivery-register.ts'
import { notificationId } from '../../../webhooks/notifications/notification.ts'
import { notificationIn } from '../../../webhooks/notifications/past-notifications.ts'
import { plural } from '../../components/format.ts'
import type { NoticeRedirect, PageRequest, PagesContext, PageView } from '../../frame/page-view.tsx'
import type { FormFields, PostedForm } from '../../serving/form-fields.ts'
import { webhookPage } from './webhook-page.tsx'

/** What the buttons of the list of deliveries do. */

/** Sends deliveries again: the chosen ones, a group of failed ones, or all failed ones. Errors: SBX_STORE_FAIL. */
export async function resendChosen(context: PagesContext, form: PostedForm): Promise<NoticeRedirect> {
  const deliveries = chosenDeliveries(context, form)
  if (deliveries.length === 0) return doneBy(form, 'No delivery is chosen. Nothing was sent.')
  const { resent } = await context.commands.resendDeliveries(deliveries)
  return doneBy(form, `Resend of ${plural(resent.length, 'webhook')} requested.`)
}

/** Sends a notification to another URL; a forbidden one is refused on the page. Errors: SBX_WEBHOOK_NONE. */
export async function resendTo(
  context: PagesContext,
  request: PageRequest,
  { to = '' }: FormFields,
): Promise<NoticeRedirect | PageView> {
  try {
    await context.commands.resendWebhooks({ ids: [request.id], to })
    return { to: `/webhooks/${request.id}`, notice: { text: `Resend to ${hideInAddress(to)} requested.` } }
  } catch (error) {
    if (!(error instanceof Refusal && error.field === 'to')) throw error
    return webhookPage(context, request, { to, detail: `The URL ${error.detail ?? error.message}.` })
  }
}

/** Holds back every delivery from now on. Errors: SBX_STORE_FAIL. */
export async function holdAll(context: PagesContext, form: PostedForm): Promise<NoticeRedirect> {
  await context.commands.setHold({ hold: true })
  return doneBy(form, 'Webhooks are held from now on.')
}

/** Releases the chosen deliveries that are held, or ends the hold: then all are sent. Errors: SBX_STORE_FAIL. */
export async function release(context: PagesContext, form: PostedForm): Promise<NoticeRedirect> {
  if (form.once(['what']).what === 'all') {
    await context.commands.setHold({ hold: false })
    return doneBy(form, 'Webhooks are released.')
  }
  const held = chosenDeliveries(context, form).filter(({ ledger, delivery }) =>
    context.courier.isHeld(ledger, delivery),
  )
  if (held.length === 0) return doneBy(form, 'No held delivery is chosen. Nothing was sent.')
  const { released } = await context.commands.releaseDeliveries(held)
  const rest = held.length - released.length
  const waiting = rest === 0 ? '' : ` ${plural(rest, 'webhook')} not sent: tillbox listen is not connected.`
  return doneBy(form, `Released ${plural(released.length, 'webhook')}.${waiting}`)
}

/** Redirects to the view with the button. */
const doneBy = (form: PostedForm, text: string): NoticeRedirect => ({
  to: `/webhooks?${new URLSearchParams(form.once(['view']).view)}`,
  notice: { text },
})

function chosenDeliveries(context: PagesContext, form: PostedForm): CountedDelivery[] {
  const { what, endpoint, status } = form.once(['what', 'endpoint', 'status'])
  if (what === 'chosen')
    return [...new Set(form.all('delivery'))].flatMap((each) => deliveryNamed(context, each) ?? [])
  return context.statistics.current.deliveries.failures
    .filter(
      ({ url, last }) =>
        what === 'failed' || (what === 'group' && hideInAddress(url) === endpoint && String(last) === status),
    )
    .flatMap(({ deliveries }) => [...deliveries])
}

/** The delivery that a box names: its number, and the id of its notification. */
function deliveryNamed({ engine, statistics }: PagesContext, name: string): CountedDelivery | undefined {
  const [number = '', id = ''] = name.split(' ')
  const found = notificationIn(engine.state, id)
  const counted = found && statistics.current.deliveries.numbered(found.ledger, Number(number))
  return counted && idOf(counted) === id ? counted : undefined
}

const idOf = ({ ledger, delivery }: CountedDelivery): string =>
  notificationId(ledger.settings.merchantId, delivery)
