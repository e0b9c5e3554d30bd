import { type DeliveryState, deliveryStates } from '../../../contract/sandbox/webhooks.ts'
import { deliveryState } from '../../../domain/model/outbox.ts'
import { capitalize } from '../../../text/words.ts'
import { searchLimit, walk } from '../../../views/search-walk.ts'
import type { FailureGroup } from '../../../views/statistics/delivery-register.ts'
import type { LedgerDelivery } from '../../../webhooks/deliveries.ts'
import { notificationIn } from '../../../webhooks/notifications/past-notifications.ts'
import { Hidden, PostButton, Submit } from '../../components/actions.tsx'
import { formatNumber, plural } from '../../components/format.ts'
import { Tabs } from '../../components/navigation.tsx'
import { Empty } from '../../components/panel.tsx'
import { html, type MakePage, type PagesContext } from '../../frame/page-view.tsx'
import { isFiltered, queryReader, queryString } from '../lists/filter-form.tsx'
import { type Cursor, listPage, pageAround, scan } from '../lists/list-page.tsx'
import {
  chosenForm,
  deliveryLink,
  Endpoint,
  listedDeliveryColumns,
  readWebhookFilters,
  type WebhookFilters,
  webhookChoices,
  webhookMatcher,
} from './delivery-table.tsx'
import { deliveriesNamed } from './webhook-editor.tsx'

/** Deliveries of webhooks, newest first, and what can be done with them. */
export const webhooksPage: MakePage = (context, { query: pageQuery, baseUrl }) => {
  const reader = queryReader(pageQuery)
  const { state, ...filters } = readWebhookFilters(reader)
  const before = reader.position('before')
  return listPage({
    section: 'webhooks',
    items: 'deliveries',
    reader,
    filters,
    others: { state },
    cursor: { before },
    topics: ['transactions', 'webhooks'],
    pieces: async () => ({
      states: await stateTabs(context, { state, ...filters }),
      hold: holdBar(context),
      failures: failureGroups(context),
      'chosen-actions': chosenActions(context),
    }),
    aside: (slot) => [slot('hold'), slot('states')],
    above: (slot) => slot('failures'),
    search: {
      label: 'Id, transaction or URL',
      filters,
      choices: webhookChoices(context, filters),
    },
    tools: (slot) => (
      <form id={chosenForm} class="chosen row gap-3" method="post" action="/webhooks/resend">
        <Hidden fields={{ what: 'chosen' }} />
        {slot('chosen-actions')}
      </form>
    ),
    columns: listedDeliveryColumns(context),
    link: deliveryLink,
    findPosition: (id) => findDeliveryPosition(context, id),
    part: (position) => deliveriesPart(context, { state, ...filters }, position, baseUrl),
  })
}

type StateCount = (state: WebhookFilters['state']) => number | undefined

/** The states as tabs, each with how many deliveries it leads to. */
async function stateTabs({ statistics }: PagesContext, filters: WebhookFilters): Promise<string> {
  const { deliveries } = statistics.current
  const { state: chosen, ...others } = filters
  const countOf: StateCount = isFiltered(others)
    ? await countMatching(deliveries.all, others)
    : (state) => (state === '' ? deliveries.all.length : deliveries.count(state as DeliveryState))
  const tabs = (['', ...deliveryStates] as const).map(
    (state) =>
      [
        state,
        capitalize(state || 'all'),
        `/webhooks${queryString(filters, { state })}`,
        countOf(state),
      ] as const,
  )
  return html(<Tabs label="Deliveries by state" id="state" tabs={tabs} chosen={chosen} />)
}

/** How many deliveries in each state pass the other filters; undefined where there are more than a search looks at. */
async function countMatching(
  all: readonly LedgerDelivery[],
  filters: Omit<WebhookFilters, 'state'>,
): Promise<StateCount> {
  if (all.length > searchLimit) return () => undefined
  const matches = webhookMatcher({ ...filters, state: '' })
  const states: string[] = []
  await walk(all, all.length - 1, -1, (each) => {
    if (matches(each)) states.push(deliveryState(each.delivery))
    return true
  })
  return (state) => states.filter((each) => state === '' || each === state).length
}

function holdBar({ settings, statistics }: PagesContext): string {
  const hold = settings.data.webhookHold
  return html(
    <form
      class={`hold tells row wrap between gap-3${hold ? ' hold-on round-m' : ''}`}
      method="post"
      action={`/webhooks/${hold ? 'release' : 'hold'}`}
    >
      <Hidden fields={{ what: 'all' }} />
      {hold && (
        <p>
          <strong>Webhooks are held.</strong> Waiting for their release:{' '}
          {formatNumber(statistics.current.deliveries.count('pending'))}.
        </p>
      )}
      <Submit look={hold ? 'main' : 'plain'}>{hold ? 'Release all' : 'Hold webhooks'}</Submit>
    </form>,
  )
}

const chosenActions = ({ settings }: PagesContext): string =>
  html(
    <div class="chosen-actions row wrap gap-2">
      <Submit>Resend chosen</Submit>
      {settings.data.webhookHold && <Submit formaction="/webhooks/release">Release chosen</Submit>}
    </div>,
  )

function findDeliveryPosition(context: PagesContext, id: string) {
  const [counted] = notificationIn(context.engine.state, id) ? deliveriesNamed(context, id) : []
  const { all } = context.statistics.current.deliveries
  return counted && { before: String(pageAround(all.indexOf(counted))) }
}

async function deliveriesPart(
  context: PagesContext,
  filters: WebhookFilters,
  { before }: Cursor,
  baseUrl: string,
) {
  const { all } = context.statistics.current.deliveries
  const start = Math.min(Number(before ?? all.length), all.length) - 1
  const { rows, last, isStopped } = await scan(all, start, -1, webhookMatcher(filters))
  const older = last > 0 ? String(last) : null
  const { state, ...others } = filters
  const isState = state !== '' && !isFiltered(others)
  const none = isState
    ? `No delivery is ${state}`
    : isFiltered(filters)
      ? 'No delivery matches'
      : 'No older deliveries'
  return {
    rows,
    older: isStopped ? null : older,
    goOn: isStopped && older !== null ? { before: older } : null,
    empty: all.length === 0 ? noWebhook(baseUrl) : <Empty title={none} />,
  }
}

const noWebhook = (baseUrl: string) => (
  <Empty
    baseUrl={baseUrl}
    title="No webhooks yet"
    commands={['tillbox listen localhost:3000/hook', 'tillbox sale --amount 10.00']}
  >
    <p>
      Forward every notification with <code class="one-line">tillbox listen</code>, set notifyUrl in a
      request, or start the sandbox with <code class="one-line">--notify-url</code>. Every delivery is listed
      here.
    </p>
  </Empty>
)

const shownGroups = 5

/** Failed deliveries by endpoint and result, each group with a button that sends it again; empty when none failed. */
function failureGroups({ statistics, settings }: PagesContext): string {
  const { deliveries } = statistics.current
  const { failures } = deliveries
  if (failures.length === 0) return ''
  const look = settings.data.webhookHold ? 'plain' : 'main'
  return html(
    <section class="panel failures below-3" aria-labelledby="failures-title">
      <div class="flex wrap middle between gap-3 below-2">
        <h2 class="body-size" id="failures-title">
          Failed deliveries
        </h2>
        <PostButton action="/webhooks/resend" fields={{ what: 'failed' }} look={look}>
          Resend all {formatNumber(deliveries.count('failed'))}
        </PostButton>
      </div>
      <ul>{failures.slice(0, shownGroups).map(drawGroup)}</ul>
      {failures.length > shownGroups && (
        <p class="under block">{plural(failures.length - shownGroups, 'smaller group')} not shown</p>
      )}
    </section>,
  )
}

const drawGroup = ({ endpoint, last, deliveries }: FailureGroup) => {
  const status = String(last)
  return (
    <li class="failure row gap-3 rule-above">
      <span class="state tone-fail bold cut" title={status}>
        {status}
      </span>
      <a
        class="code shrinks grows"
        href={`/webhooks${queryString({ state: 'failed', status: status.slice(0, 64), endpoint })}`}
      >
        <Endpoint url={endpoint} />
      </a>
      <div class="row gap-3 tabular">
        {formatNumber(deliveries.length)}
        <PostButton
          action="/webhooks/resend"
          fields={{ what: 'group', endpoint, status }}
          about={`${deliveries.length} that failed with ${status}`}
        >
          Resend
        </PostButton>
      </div>
    </li>
  )
}
