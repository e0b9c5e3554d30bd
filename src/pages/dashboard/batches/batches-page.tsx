import { channels } from '../../../contract/statuses.ts'
import type { Batch, Ledger } from '../../../domain/model/ledger.ts'
import type { CountedClose } from '../../../sandbox/views/statistics/statistics.ts'
import { WholeWords } from '../../components/command.tsx'
import { formatDateTime, formatNumber } from '../../components/format.ts'
import { actionLooks } from '../../components/looks.ts'
import { Empty, ListNote, Panel, PanelHead } from '../../components/panel.tsx'
import { type Fragments, html, type MakePage, type PagesContext } from '../../frame/page-view.tsx'
import { queryReader } from '../lists/filter-form.tsx'
import { listPage, pageSize } from '../lists/list-page.tsx'
import { type Column, ListTable, Sum } from '../lists/list-table.tsx'

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
    columns: [
      ...batchColumns,
      {
        head: 'Closed',
        look: '@sm:w-45 @max-sm:hidden figure text-ink-soft',
        cell: ({ ledger, closedAt }) => formatDateTime(closedAt, ledger.settings.timeZone),
        isUnder: true,
      },
    ],
    part: () => closedBatches(context, before, baseUrl),
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

const partColumn = (head: string, name: 'tip' | 'surcharge' | 'tax'): Column<OpenBatch> => ({
  head,
  look: '@sm:w-33 @max-2xl:hidden sum figure',
  cell: ({ batch }) =>
    batch[name] === 0 ? (
      <span class="decimals-2">–</span>
    ) : (
      <Sum amount={batch[name]} currency={batch.currency} />
    ),
})

/** The columns that open and closed batches share. */
const batchColumns: readonly Column<OpenBatch>[] = [
  {
    head: 'Terminal',
    look: 'code',
    title: ({ batch }) => batch.terminalSn,
    cell: ({ batch }) => <WholeWords text={batch.terminalSn} />,
    isName: true,
  },
  {
    head: 'Batch',
    look: '@sm:w-20 @max-sm:hidden',
    cell: ({ batch }) => batch.batchNo || '',
    isUnder: 'batch ',
  },
  { head: 'Currency', look: '@sm:w-20 @max-md:hidden', cell: ({ batch }) => batch.currency, isUnder: true },
  {
    head: 'Channel',
    look: '@sm:w-33 @max-lg:hidden text-ink-soft',
    title: ({ batch }) => batch.channelCode,
    cell: ({ batch: { channelCode } }) => channelNames.get(channelCode) ?? channelCode,
  },
  {
    head: 'Count',
    look: '@sm:w-20 figure @max-md:hidden',
    cell: ({ batch }) => formatNumber(batch.count),
    isUnder: 'count ',
  },
  {
    head: 'Net',
    look: '@sm:w-52 sum figure',
    cell: ({ batch }) => <Sum amount={batch.net} currency={batch.currency} />,
  },
  partColumn('Tip', 'tip'),
  partColumn('Surcharge', 'surcharge'),
  partColumn('Tax', 'tax'),
]

const closeColumn: Column<OpenBatch> = {
  head: 'Close',
  look: '@sm:w-20 figure',
  cell: ({ ledger, batch }) =>
    batch.batchNo === 0 ? null : batch.count === 0 ? (
      <span class="text-ink-soft">empty</span>
    ) : (
      <a
        class={`row-link ${actionLooks.row}`}
        id={`row-${batch.terminalSn}-${batch.batchNo}`}
        data-drawer
        href={`/batches/close?${new URLSearchParams({ merchantId: ledger.settings.merchantId, terminalSn: batch.terminalSn, channelCode: batch.channelCode, priceCurrency: batch.currency })}`}
      >
        Close
        <span class="sr-only">{` ${batchInWords(batch)}`}</span>
      </a>
    ),
}

const openColumns = [...batchColumns, closeColumn]

const summed = ['count', 'net', 'tip', 'surcharge', 'tax'] as const

/** The sums of several batches, a row for each currency. */
function currencyTotals(batches: readonly OpenBatch[]): readonly OpenBatch[] {
  const sums = new Map<string, OpenBatch>()
  for (const { ledger, batch } of batches) {
    const sum = sums.get(batch.currency)?.batch
    const together = Object.fromEntries(summed.map((name) => [name, (sum?.[name] ?? 0) + batch[name]]))
    const total: Batch = { ...batch, ...together, terminalSn: 'Total', batchNo: 0, channelCode: '' }
    sums.set(batch.currency, { ledger, batch: total })
  }
  return batches.length > 1 ? [...sums.values()] : []
}

/** Open batches, and the link that closes all. */
function openBatches({ engine }: PagesContext, baseUrl: string): Fragments {
  const open = [...engine.state.ledgers.values()].flatMap((ledger) =>
    [...ledger.batches.values()].map((batch) => ({ ledger, batch })),
  )
  const list =
    open.length === 0 ? (
      <Empty title="No batch is open" commands={['tillbox sale --amount 10.00']} baseUrl={baseUrl}>
        <p>The first successful payment at a terminal opens one.</p>
      </Empty>
    ) : (
      ListTable({ caption: 'Open batches', columns: openColumns, rows: open, totals: currencyTotals(open) })
    )
  return { open: html(list), closing: open.some(({ batch }) => batch.count > 0) ? html(closeAll) : '' }
}

const closeAll = (
  <a class={actionLooks.plain} id="close-all" href="/batches/close" aria-keyshortcuts="c" data-drawer>
    Close all
  </a>
)

/** Closes below an index, newest first: as many as fill a page with batches. */
function closedBatches({ statistics }: PagesContext, before: string | null, baseUrl: string) {
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
        <Empty title="No batch was closed yet" commands={['tillbox batch close']} baseUrl={baseUrl}>
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
