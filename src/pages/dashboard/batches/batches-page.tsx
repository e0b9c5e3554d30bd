import { channels } from '../../../domain/channels.ts'
import type { Batch, Ledger } from '../../../domain/ledger.ts'
import { money } from '../../../presentation/money.ts'
import type { CountedClose } from '../../../views/statistics/statistics.ts'
import { Empty, Panel, Table } from '../../components/badges.tsx'
import { counted, moment, number } from '../../components/format.ts'
import type { PagesContext } from '../../frame/context.ts'
import { html, type View } from '../../frame/page-view.ts'
import { Problems } from '../lists/filter-form.tsx'
import { numberIn } from '../lists/paging.ts'
import { pageSize } from '../transactions/transaction-search.ts'

/** Open batches and closed ones, each a page at a time; pages of older closes show no open ones. assumption: dashboard-list */
export function batchesView(
  context: PagesContext,
  query: Readonly<Record<string, string>>,
  origin: string,
): View {
  const problems: string[] = []
  const before = numberIn(query, 'before', problems)
  const after = numberIn(query, 'after', problems)
  const showsOpen = before === null
  return {
    title: 'Batches',
    place: 'batches',
    live: { path: `/batches/live${queryOf(before, after)}`, topics: ['transactions'] },
    status: problems.length === 0 ? 200 : 422,
    parts: () => ({
      ...(showsOpen && { open: openPart(context, after ?? 0, origin) }),
      closed: closedPart(context, before, origin),
    }),
    body: (slot) => (
      <>
        <div class="page-head">
          <h1 class="page-title">Batches</h1>
          <p class="page-lead">One for each terminal, channel and currency. Online payments join none.</p>
        </div>
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
  }
}

function queryOf(before: number | null, after: number | null): string {
  if (before !== null) return `?before=${before}`
  return after === null ? '' : `?after=${after}`
}

const channelNames = new Map<string, string>(
  channels.map(({ channelCode, channelName }) => [channelCode, channelName]),
)

const headsOf = (last: string) => [
  <th scope="col">Terminal</th>,
  <th scope="col" class="from-small">
    Channel
  </th>,
  <th scope="col" class="figure from-medium">
    Transactions
  </th>,
  <th scope="col" class="figure">
    Net
  </th>,
  <th scope="col" class="figure from-wide">
    Tip
  </th>,
  <th scope="col" class="figure from-wide">
    Surcharge
  </th>,
  <th scope="col" class="figure from-wide">
    Tax
  </th>,
  <th scope="col" class="figure">
    {last}
  </th>,
]

/** The cells that open and closed batches share. */
const BatchCells = ({ batch }: { readonly batch: Batch }) => {
  const { terminalSn, batchNo, channelCode, currency, count, net, tip, surcharge, tax } = batch
  return (
    <>
      <th scope="row">
        <strong>{terminalSn}</strong>
        <span class="under">
          batch {batchNo}, {currency}
        </span>
        <span class="under until-small">
          {channelNames.get(channelCode) ?? channelCode}, {number(count)}
        </span>
      </th>
      <td class="from-small">
        {channelNames.get(channelCode) ?? channelCode}
        <span class="under code">{channelCode}</span>
      </td>
      <td class="figure from-medium">{number(count)}</td>
      <td class="figure sum">{money(net, currency)}</td>
      {[tip, surcharge, tax].map((amount) => (
        <td class="figure from-wide">{amount === 0 ? '–' : money(amount, currency)}</td>
      ))}
    </>
  )
}

/** Open batches after the first so many. */
function openPart({ engine }: Pick<PagesContext, 'engine'>, after: number, origin: string): string {
  const open = [...engine.book.ledgers.values()].flatMap((ledger) =>
    [...ledger.batches.values()].map((batch) => ({ ledger, batch })),
  )
  if (open.length === 0)
    return html(
      <Empty title="No batch is open" commands={['tillbox sale --amount 10.00']} origin={origin}>
        <p>The first successful payment at a terminal opens one.</p>
      </Empty>,
    )
  const shown = open.slice(after, after + pageSize)
  const more = open.length > after + pageSize
  return html(
    <>
      {shown.length === 0 ? (
        <p class="stopped">No more batches are open.</p>
      ) : (
        <Table caption="Open batches" heads={headsOf('Settle')}>
          {shown.map(({ ledger, batch }) => (
            <tr>
              <BatchCells batch={batch} />
              <td class="figure">
                {batch.count === 0 ? (
                  <span class="under">empty</span>
                ) : (
                  <a
                    class="act act-plain act-small"
                    id={`close-${batch.terminalSn}-${batch.batchNo}`}
                    href={`/batches/close?${new URLSearchParams({ merchantId: ledger.settings.merchantId, terminalSn: batch.terminalSn, channelCode: batch.channelCode })}`}
                  >
                    Close
                    <span class="visually-hidden">{` batch ${batch.batchNo} of ${batch.terminalSn}`}</span>
                  </a>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {(more || after > 0) && (
        <nav class="pager" aria-label="Pages of open batches">
          {after > 0 && (
            <a id="first-open" href="/batches">
              First
            </a>
          )}
          {more && (
            <a id="more-open" rel="next" href={`/batches?after=${after + pageSize}`}>
              More
            </a>
          )}
        </nav>
      )}
    </>,
  )
}

/** Closes below a place in their order, newest first, with as many batches as a page holds, and the place where it ends. */
function closesBefore(closes: readonly CountedClose[], before: number | null) {
  const shown: CountedClose[] = []
  let place = Math.min(before ?? closes.length, closes.length)
  for (let rows = 0; place > 0 && rows < pageSize; place--) {
    const known = closes[place - 1] as CountedClose
    shown.push(known)
    rows += known.close.batches.length
  }
  return { shown, place }
}

function closedPart(
  { statistics }: Pick<PagesContext, 'statistics'>,
  before: number | null,
  origin: string,
): string {
  const { closes } = statistics.current
  const { shown, place } = closesBefore(closes, before)
  if (closes.length === 0)
    return html(
      <Empty title="No batch was closed yet" commands={['tillbox batch close']} origin={origin}>
        <p>A close settles what a terminal has taken.</p>
      </Empty>,
    )
  return html(
    <>
      {shown.length === 0 ? (
        <p class="stopped">No older batches were closed.</p>
      ) : (
        <Table caption="Closed batches, newest first" heads={headsOf('Closed')}>
          {shown.flatMap(({ ledger, close }) =>
            close.batches.map((batch) => (
              <tr>
                <BatchCells batch={batch} />
                <td class="figure time">{moment(close.closedAt, ledger.settings.timeZone)}</td>
              </tr>
            )),
          )}
        </Table>
      )}
      {(place > 0 || before !== null) && (
        <nav class="pager" aria-label="Pages of closed batches">
          {before !== null && (
            <a id="newest" href="/batches">
              Newest
            </a>
          )}
          {place > 0 && (
            <a id="older" rel="next" href={`/batches?before=${place}`}>
              Older
            </a>
          )}
        </nav>
      )}
    </>,
  )
}

/** What would be closed, in words: `12 transactions, net $120.00`. */
export const closeInWords = (batches: readonly Batch[]): string[] =>
  batches.map(
    ({ batchNo, count, net, currency }) =>
      `Batch ${batchNo}: ${counted(count, 'transaction')}, net ${money(net, currency)}`,
  )

/** Open batches of a terminal and channel that hold something. */
export const closable = ({ batches }: Ledger, terminalSn: string, channelCode: string): Batch[] =>
  [...batches.values()].filter(
    (batch) => batch.terminalSn === terminalSn && batch.channelCode === channelCode && batch.count > 0,
  )
