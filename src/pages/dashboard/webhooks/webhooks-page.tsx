import { type DeliveryState, deliveryStates } from '../../../contract/control/webhooks.ts'
import { hideInAddress } from '../../../sandbox/http/hide-addresses.ts'
import type { LedgerDelivery } from '../../../sandbox/webhooks/deliveries.ts'
import { webhookId } from '../../../sandbox/webhooks/notifications/notification.ts'
import { capitalize } from '../../../shared/text/words.ts'
import { Hidden, PostButton, Submit } from '../../components/actions.tsx'
import { formatNumber, plural } from '../../components/format.ts'
import { actionLooks, titleLook } from '../../components/looks.ts'
import { Tabs } from '../../components/navigation.tsx'
import { Empty } from '../../components/panel.tsx'
import { html, type MakePage, type PagesContext, type PageView } from '../../frame/page-view.tsx'
import { isFiltered, queryReader, queryString } from '../lists/filter-form.tsx'
import { listPage, pageAbove, placeInList, readOpen, scan } from '../lists/list-page.tsx'
import { questionPage } from '../payments/form-parts.tsx'
import {
  chosenForm,
  deliveryLink,
  failedDeliveries,
  listedDeliveryColumns,
  readWebhookFilters,
  type WebhookFilters,
  webhookChoices,
  webhookMatcher,
} from './delivery-table.tsx'

/** Deliveries of webhooks, newest first, and what can be done with them. */
export const webhooksPage: MakePage = async (context, { query: pageQuery, baseUrl }) => {
  const reader = queryReader(pageQuery)
  const { state, ...filters } = readWebhookFilters(reader)
  const before = reader.before() ?? (await positionOf(context, { state, ...filters }, readOpen(reader)))
  return listPage({
    section: 'webhooks',
    items: 'deliveries',
    reader,
    filters,
    others: { state },
    before,
    topics: ['transactions', 'webhooks'],
    pieces: () => ({
      states: stateTabs(context, { state, ...filters }),
      failed: resendFailed(context),
      hold: holdBar(context),
    }),
    aside: (slot) => [slot('failed'), slot('hold'), slot('states')],
    search: {
      label: 'Id, transaction or URL',
      filters,
      choices: webhookChoices(context, filters),
    },
    tools: () => (
      <form id={chosenForm} class="chosen -order-1 narrow:order-1" method="post" action="/webhooks/resend">
        <Submit>Resend chosen</Submit>
      </form>
    ),
    columns: () => listedDeliveryColumns(context),
    link: deliveryLink,
    part: () => deliveriesPart(context, { state, ...filters }, before, baseUrl),
  })
}

/** Where the page with that webhook begins; null: it is the newest, or no page has it. */
async function positionOf({ statistics }: PagesContext, filters: WebhookFilters, open: string) {
  const { all } = statistics.current.deliveries
  const matches = webhookMatcher(filters)
  const index = open === '' ? -1 : all.findIndex((each) => isOfWebhook(each, open) && matches(each))
  const position = index < 0 ? null : await pageAbove(all, index, matches)
  return position === null ? null : String(position)
}

const isOfWebhook = ({ ledger, delivery }: LedgerDelivery, id: string) => webhookId(ledger, delivery) === id

/** The states as tabs, each with how many deliveries it leads to where nothing else filters them. */
function stateTabs(context: PagesContext, filters: WebhookFilters): string {
  const { state: chosen, ...others } = filters
  const tabs = (['', ...deliveryStates] as const).map(
    (state) =>
      [
        state,
        state === 'pending' && context.settings.data.webhookHold ? 'Held' : capitalize(state || 'all'),
        `/webhooks${queryString(filters, { state })}`,
        isFiltered(others) ? undefined : countOf(context, state),
      ] as const,
  )
  return html(<Tabs label="Deliveries by state" id="state" tabs={tabs} chosen={chosen} />)
}

/** How many deliveries are in that state; of all where it is empty. */
const countOf = ({ statistics: { current } }: PagesContext, state: WebhookFilters['state']): number =>
  state === '' ? current.deliveries.all.length : current.deliveries.count(state as DeliveryState)

function holdBar({ settings, statistics }: PagesContext): string {
  const hold = settings.data.webhookHold
  const pending = statistics.current.deliveries.count('pending')
  return html(
    <form
      class={`hold tells flex items-center justify-between gap-3${hold ? ' hold-on rounded-lg border border-test-line bg-test-tint px-4 py-2 text-test' : ''}`}
      method="post"
      action={`/webhooks/${hold ? 'release' : 'hold'}`}
    >
      <Hidden fields={{ what: 'all' }} />
      {hold && (
        <p>
          <strong>
            {pending === 0 ? 'Webhooks are' : `${plural(pending, 'webhook')} ${pending === 1 ? 'is' : 'are'}`}{' '}
            held
          </strong>{' '}
          until you release {pending === 1 ? 'it' : 'them'}.
        </p>
      )}
      <Submit look={hold ? 'main' : 'plain'} className="flex-none">
        {hold ? 'Release all' : 'Hold webhooks'}
      </Submit>
    </form>,
  )
}

function resendFailed({ statistics }: PagesContext): string {
  const count = statistics.current.deliveries.count('failed')
  if (count === 0) return ''
  return html(
    count === 1 ? (
      <PostButton action="/webhooks/resend" fields={{ what: 'failed' }}>
        Resend the failed one
      </PostButton>
    ) : (
      <a class={actionLooks.plain} id="resend-failed" href="/webhooks/resend" data-drawer>
        Resend all {formatNumber(count)} failed…
      </a>
    ),
  )
}

/** The question before all failed ones are sent again: how many, and to which endpoints. */
export const resendFailedPage: MakePage = (context) => {
  const failed = failedDeliveries(context)
  if (failed.length === 0) return noneFailed
  const endpoints = [...new Set(failed.map(({ delivery }) => hideInAddress(delivery.url)))]
  const others = endpoints.length > 5 ? ` and ${endpoints.length - 5} more` : ''
  const isOne = failed.length === 1
  return questionPage(
    `Resend ${plural(failed.length, 'failed webhook')}`,
    '/webhooks/resend',
    isOne ? 'Resend' : 'Resend all',
    ['/webhooks', isOne ? 'Keep it' : 'Keep them'],
    <p class="text-sm">
      {isOne ? 'It' : 'Each'} is sent with the same id and a new signature, to{' '}
      {endpoints.slice(0, 5).join(', ')}
      {others}.
    </p>,
    { section: 'webhooks', hidden: { what: 'failed' }, look: undefined },
  )
}

/** In place of the question where the last failed one was sent again, or removed, meanwhile. */
const noneFailed: PageView = {
  title: 'Resend failed webhooks',
  section: 'webhooks',
  isAct: true,
  body: () => (
    <section class="panel action-panel question" aria-labelledby="action-title" data-drawer-content>
      <h1 class={titleLook} id="action-title">
        Resend failed webhooks
      </h1>
      <p class="text-sm">No webhook failed.</p>
      <p>
        <a class={actionLooks.plain} href="/webhooks" data-close>
          Back
        </a>
      </p>
    </section>
  ),
}

async function deliveriesPart(
  context: PagesContext,
  filters: WebhookFilters,
  before: string | null,
  baseUrl: string,
) {
  const { all } = context.statistics.current.deliveries
  const start = Math.min(Number(before ?? all.length), all.length) - 1
  const matches = webhookMatcher(filters)
  const { rows, last, isStopped } = await scan(all, start, matches)
  const { state, ...others } = filters
  const older = last > 0 ? String(last) : null
  return {
    rows,
    older: isStopped ? null : older,
    goOn: isStopped ? older : null,
    place: await placeInList(
      all,
      start + 1,
      matches,
      rows,
      isFiltered(others) ? undefined : countOf(context, state),
    ),
    empty: all.length === 0 ? noWebhook(baseUrl) : <Empty title="No delivery matches" />,
  }
}

const noWebhook = (baseUrl: string) => (
  <Empty
    baseUrl={baseUrl}
    title="No webhooks yet"
    commands={[
      ['Forward webhooks to your server', 'tillbox listen localhost:3000/hook'],
      ['Take a payment, which sends one', 'tillbox sale --amount 10.00'],
    ]}
  >
    <p>
      Forward every webhook with <code class="whitespace-nowrap">tillbox listen</code>, set{' '}
      <code>notifyUrl</code> in a request, or start the sandbox with{' '}
      <code class="whitespace-nowrap">--notify-url</code>. Every delivery is listed here.
    </p>
  </Empty>
)
