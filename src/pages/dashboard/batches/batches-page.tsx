import { channels } from '../../../contract/statuses.ts'
import type { Batch, Ledger } from '../../../domain/model/ledger.ts'
import { money } from '../../../presentation/money.ts'
import type { CountedClose } from '../../../views/statistics/statistics.ts'
import { formatDateTime, formatNumber } from '../../components/format.ts'
import { Empty, PageHead, Panel, Table } from '../../components/panel.tsx'
import { html, type PageRequest, type PagesContext, type PageView } from '../../frame/page-view.tsx'
import { Problems } from '../lists/filter-form.tsx'
import { List, listPage, pageSize } from '../lists/list-page.tsx'
import { queryReader, queryString } from '../lists/list-query.ts'

/** Open batches and closed ones, each a page at a time; a page of older closes shows no open ones. assumption: dashboard-list */
export function batchesPage(context: PagesContext, { query, baseUrl }: PageRequest): PageView {
  const reader = queryReader(query)
  const before = reader.position('before')
  const after = reader.position('after')
  const { problems } = reader
  const showsOpen = before === null
  return listPage({
    title: 'Batches',
    section: 'batches',
    path: '/batches',
    query: queryString(showsOpen ? { after } : { before }),
    topics: ['transactions'],
    problems,
    fragments: () => ({
      ...(showsOpen && { open: openBatches(context, Number(after ?? 0), baseUrl) }),
      closed: closedBatches(context, before, baseUrl),
    }),
    body: (slot) => (
      <>
        <PageHead
          title="Batches"
          lead="One for each terminal, channel and currency. Online payments belong to no batch."
        />
        <Problems problems={problems} />
        {showsOpen && (
          <Panel title="Open" name="open-batches">
            {slot('open')}
          </Panel>
        )}
        <Panel title="Closed" name="closed-batches">
          {slot('closed')}
        </Panel>
      </>
    ),
  })
}

const channelNames = new Map<string, string>(
  channels.map(({ channelCode, channelName }) => [channelCode, channelName]),
)

const headsOf = (last: string) =>
  [
    'Terminal',
    ['Batch', 'from-small'],
    ['Currency', 'from-small'],
    ['Channel', 'from-medium'],
    ['Transactions', 'figure from-small'],
    ['Net', 'figure'],
    ['Tip', 'figure from-wide'],
    ['Surcharge', 'figure from-wide'],
    ['Tax', 'figure from-wide'],
    [last, 'figure'],
  ] as const

/** The cells that open and closed batches share. */
const BatchCells = ({ batch }: { readonly batch: Batch }) => {
  const { terminalSn, batchNo, channelCode, currency, count, net, tip, surcharge, tax } = batch
  return (
    <>
      <th scope="row" title={terminalSn}>
        <strong>{terminalSn}</strong>
        <span class="under block until-small">
          batch {batchNo}, {currency}, {formatNumber(count)}
        </span>
      </th>
      <td class="from-small tabular">{batchNo}</td>
      <td class="from-small">{currency}</td>
      <td class="from-medium" title={channelCode}>
        {channelNames.get(channelCode) ?? channelCode}
      </td>
      <td class="figure from-small">{formatNumber(count)}</td>
      <td class="figure sum bold">{money(net, currency)}</td>
      {[tip, surcharge, tax].map((amount) => (
        <td class="figure from-wide">{amount === 0 ? '–' : money(amount, currency)}</td>
      ))}
    </>
  )
}

/** Open batches after the first `after`. */
function openBatches({ engine }: PagesContext, after: number, baseUrl: string): string {
  const open = [...engine.state.ledgers.values()].flatMap((ledger) =>
    [...ledger.batches.values()].map((batch) => ({ ledger, batch })),
  )
  if (open.length === 0)
    return html(
      <Empty title="No batch is open" commands={['tillbox sale --amount 10.00']} baseUrl={baseUrl}>
        <p>The first successful payment at a terminal opens one.</p>
      </Empty>,
    )
  const end = after + pageSize
  const shown = open.slice(after, end)
  return html(
    <List
      name="open batches"
      table={shown.length > 0 ? openTable(shown) : null}
      empty={<p class="stopped soft small text-center">No more batches are open.</p>}
      links={{
        'first-open': after > 0 ? '/batches' : null,
        'more-open': open.length > end ? `/batches?after=${end}` : null,
      }}
    />,
  )
}

const openTable = (batches: readonly { readonly ledger: Ledger; readonly batch: Batch }[]) => (
  <Table kind="table dense" caption="Open batches" heads={headsOf('Settle')}>
    {batches.map(({ ledger, batch }) => (
      <tr>
        <BatchCells batch={batch} />
        <td class="figure">
          {batch.count === 0 ? (
            <span class="under block">empty</span>
          ) : (
            <a
              class="action action-plain action-small"
              id={`close-${batch.terminalSn}-${batch.batchNo}`}
              href={`/batches/close?${new URLSearchParams({ merchantId: ledger.settings.merchantId, terminalSn: batch.terminalSn, channelCode: batch.channelCode, priceCurrency: batch.currency })}`}
            >
              Close
              <span class="visually-hidden">{` ${batchInWords(batch)}`}</span>
            </a>
          )}
        </td>
      </tr>
    ))}
  </Table>
)

/** Closes below an index, newest first: as many as fill a page with batches, and the index at which they end. */
function closesBefore(closes: readonly CountedClose[], before: number) {
  const shown: CountedClose[] = []
  let index = Math.min(before, closes.length)
  for (let rows = 0; index > 0 && rows < pageSize; index--) {
    const counted = closes[index - 1] as CountedClose
    shown.push(counted)
    rows += counted.close.batches.length
  }
  return { shown, index }
}

function closedBatches({ statistics }: PagesContext, before: string | null, baseUrl: string): string {
  const { closes } = statistics.current
  if (closes.length === 0)
    return html(
      <Empty title="No batch was closed yet" commands={['tillbox batch close']} baseUrl={baseUrl}>
        <p>Closing a batch settles the payments of a terminal.</p>
      </Empty>,
    )
  const { shown, index } = closesBefore(closes, Number(before ?? closes.length))
  return html(
    <List
      name="closed batches"
      table={shown.length > 0 ? closedTable(shown) : null}
      empty={<p class="stopped soft small text-center">No older batches were closed.</p>}
      links={{ newest: before && '/batches', older: index > 0 ? `/batches?before=${index}` : null }}
    />,
  )
}

const closedTable = (closes: readonly CountedClose[]) => (
  <Table kind="table dense" caption="Closed batches, newest first" heads={headsOf('Closed')}>
    {closes.flatMap(({ ledger, close }) =>
      close.batches.map((batch) => (
        <tr>
          <BatchCells batch={batch} />
          <td class="figure time">{formatDateTime(close.closedAt, ledger.settings.timeZone)}</td>
        </tr>
      )),
    )}
  </Table>
)

/** Which batch it is: `batch 2 of TBX-AUTO-001 in EUR`. */
export const batchInWords = ({ batchNo, terminalSn, currency }: Batch): string =>
  `batch ${batchNo} of ${terminalSn} in ${currency}`
