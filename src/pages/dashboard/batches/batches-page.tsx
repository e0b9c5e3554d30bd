import { money } from '../../../contract/presentation/money.ts'
import { channels } from '../../../contract/statuses.ts'
import type { Batch, Ledger } from '../../../domain/model/ledger.ts'
import type { CountedClose } from '../../../sandbox/views/statistics/statistics.ts'
import { formatNumber } from '../../components/format.ts'
import { actionLooks } from '../../components/looks.ts'
import { Empty, ListNote, Panel, PanelHead } from '../../components/panel.tsx'
import { type Fragments, html, type MakePage, type PagesContext } from '../../frame/page-view.tsx'
import { rangeQuery } from '../charts/time-range.tsx'
import { queryReader, queryString } from '../lists/filter-form.tsx'
import { listPage, pageSize } from '../lists/list-page.tsx'
import { type Column, ListTable, MiddleCut, Sum, SumLine, timeColumn } from '../lists/list-table.tsx'

/** Open batches, and closed ones a page at a time. assumption: dashboard-list */
export const batchesPage: MakePage = (context, { query, baseUrl }) => {
  const reader = queryReader(query)
  const before = reader.before()
  return listPage({
    section: 'batches',
    items: 'closed batches',
    reader,
    filters: {},
    before,
    topics: ['transactions'],
    pieces: () => openBatches(context, baseUrl),
    lead: 'One for each terminal, channel and currency. Online payments belong to no batch.',
    above: (slot) => (
      <Panel title="Open" name="open-batches" note={slot('closing')}>
        {slot('open')}
      </Panel>
    ),
    head: <PanelHead title="Closed" />,
    columns: () => [
      ...batchColumns,
      {
        ...timeColumn<ClosedBatch>(
          context.clock.now(),
          ({ ledger, closedAt }) => [closedAt, ledger.settings.timeZone],
          'Closed',
        ),
        look: '@sm:w-24 @max-sm:row-start-2 figure text-ink-soft',
      },
    ],
    link: (each) => ({ id: batchRow(each), href: paymentsOf(each, each.closedAt) }),
    part: () => closedBatches(context, before),
  })
}

const channelNames = new Map<string, string>(channels.map((each) => [each.channelCode, each.channelName]))

interface OpenBatch {
  readonly ledger: Ledger
  readonly batch: Batch
}

interface ClosedBatch extends OpenBatch {
  /** Sandbox time in milliseconds. */
  readonly closedAt: number
}

/** The payments of a batch; `until`: when it was closed. */
const paymentsOf = (
  { ledger: { settings }, batch: { terminalSn, openedAt } }: OpenBatch,
  until = openedAt,
) => {
  const range = rangeQuery({ from: openedAt, until: until + 60_000 }, settings.timeZone)
  return `/${queryString({ terminal: terminalSn, ...range, ...(until === openedAt && { until: '' }) })}`
}

const parts = ['tip', 'surcharge', 'tax'] as const

/** The columns that open and closed batches share. */
const batchColumns: readonly Column<OpenBatch>[] = [
  {
    head: 'Terminal',
    look: 'code whole @max-sm:pe-27 @lg:w-90 @xl:w-auto',
    title: ({ batch }) => batch.terminalSn,
    cell: ({ batch }) => <MiddleCut text={batch.terminalSn} />,
    isName: true,
  },
  {
    head: 'Batch',
    look: '@sm:w-16 @max-sm:hidden',
    cell: ({ batch }) => batch.batchNo,
    isUnder: 'batch ',
  },
  {
    head: 'Channel',
    look: '@max-lg:hidden text-ink-soft',
    title: ({ batch }) => batch.channelCode,
    cell: ({ batch: { channelCode } }) => channelNames.get(channelCode) ?? channelCode,
  },
  {
    head: 'Payments',
    look: '@sm:w-24 figure @max-md:hidden',
    cell: ({ batch }) => formatNumber(batch.count),
    isUnder: 'payments: ',
  },
  {
    head: 'Net',
    look: '@sm:w-48 @sm:py-1 @max-sm:row-start-1 sum figure',
    cell: ({ batch }) => (
      <>
        <Sum amount={batch.net} currency={batch.currency} />
        {parts.map(
          (part) =>
            batch[part] !== 0 && (
              <span class="under block @max-sm:hidden @xl:hidden">
                {part} <Sum amount={batch[part]} currency={batch.currency} />
              </span>
            ),
        )}
      </>
    ),
  },
  {
    head: 'Includes',
    look: '@max-xl:hidden text-ink-soft',
    cell: ({ batch }) =>
      parts
        .filter((part) => batch[part] !== 0)
        .map((part) => `${part}\u00a0${money(batch[part], batch.currency)}`)
        .join(', '),
    isUnder: true,
    startsLine: true,
  },
]

const closeColumn: Column<OpenBatch> = {
  head: '',
  look: '@sm:w-24 @max-sm:col-[3/4] @max-sm:row-[1/span_2] @max-sm:self-center figure closes',
  cell: ({ ledger, batch }) =>
    batch.count === 0 ? (
      <span class="text-ink-soft">empty</span>
    ) : (
      <a
        class={`over-row @max-sm:rounded-md @max-sm:border @max-sm:border-line-strong @max-sm:px-3 @max-sm:no-underline ${actionLooks.link}`}
        id={`close-${batch.terminalSn}-${batch.batchNo}`}
        data-drawer
        href={`/batches/close?${new URLSearchParams({ merchantId: ledger.settings.merchantId, terminalSn: batch.terminalSn, channelCode: batch.channelCode, priceCurrency: batch.currency })}`}
      >
        Close
        <span class="sr-only">{` ${batchInWords(batch)}`}</span>
      </a>
    ),
}

const inOrder = new Intl.Collator('en', { numeric: true }).compare

/** Open batches by terminal, then currency; above them what they come to, and the link that closes all. */
function openBatches({ engine }: PagesContext, baseUrl: string): Fragments {
  const open = [...engine.state.ledgers.values()]
    .flatMap((ledger) => [...ledger.batches.values()].map((batch) => ({ ledger, batch })))
    .sort(
      ({ batch: one }, { batch: other }) =>
        inOrder(one.terminalSn, other.terminalSn) || inOrder(one.currency, other.currency),
    )
  const nets = new Map<string, number>()
  for (const { batch } of open) nets.set(batch.currency, (nets.get(batch.currency) ?? 0) + batch.net)
  const list =
    open.length === 0 ? (
      <Empty title="No batch is open" commands={['tillbox sale --amount 10.00']} baseUrl={baseUrl}>
        <p>The first successful payment at a terminal opens one.</p>
      </Empty>
    ) : (
      <>
        <SumLine label="Net" sums={nets} />
        <ListTable
          caption="Open batches"
          columns={[...batchColumns, closeColumn]}
          rows={open}
          link={(each) => ({ id: batchRow(each), href: paymentsOf(each) })}
        />
      </>
    )
  return { open: html(list), closing: open.some(({ batch }) => batch.count > 0) ? html(closeAll) : '' }
}

const batchRow = ({ batch: { terminalSn, batchNo, channelCode } }: OpenBatch): string =>
  `row-${terminalSn}-${batchNo}-${channelCode}`

const closeAll = (
  <a class={actionLooks.plain} id="close-all" href="/batches/close" aria-keyshortcuts="c" data-drawer>
    Close all
  </a>
)

/** Closes below an index, newest first: as many as fill a page with batches. */
function closedBatches({ statistics }: PagesContext, before: string | null) {
  const { closes } = statistics.current
  const rows: ClosedBatch[] = []
  let index = Math.min(Number(before ?? closes.length), closes.length)
  for (; index > 0 && rows.length < pageSize; index--) {
    const { ledger, close } = closes[index - 1] as CountedClose
    rows.push(...close.batches.map((batch) => ({ ledger, batch, closedAt: close.closedAt })))
  }
  return {
    rows,
    older: index > 0 ? String(index) : null,
    empty:
      closes.length === 0 ? (
        <Empty title="No batch was closed yet">
          <p>Closing a batch settles the payments of a terminal.</p>
        </Empty>
      ) : (
        <ListNote>No older batches were closed.</ListNote>
      ),
  }
}

/** Which batch it is: `batch 2 of TBX-AUTO-001 in EUR`. */
export const batchInWords = ({ batchNo, terminalSn, currency }: Batch): string =>
  `batch ${batchNo} of ${terminalSn} in ${currency}`
