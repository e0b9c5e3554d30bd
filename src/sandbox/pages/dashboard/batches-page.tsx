import { money } from '../../../api/money.ts'
import { channels } from '../../../domain/channels.ts'
import type { Batch, Ledger } from '../../../domain/ledger.ts'
import type { Sandbox } from '../../sandbox.ts'
import { Problems } from './filter-frame.tsx'
import { Empty, Panel, Table } from './marks.tsx'
import { numberIn } from './places.ts'
import { counted, moment, number } from './texts.ts'
import { html, type View } from './view.ts'

/** So many closed batches stand on one page; older ones on the next. */
const closesShown = 50

/** Open batches and closed ones. */
export function batchesView(sandbox: Sandbox, query: Readonly<Record<string, string>>, origin: string): View {
  const problems: string[] = []
  const before = numberIn(query, 'before', problems)
  return {
    title: 'Batches',
    place: 'batches',
    live: { path: `/batches/live${before === null ? '' : `?before=${before}`}`, topics: ['transactions'] },
    status: problems.length === 0 ? 200 : 422,
    parts: () => ({ open: openPart(sandbox, origin), closed: closedPart(sandbox, before, origin) }),
    body: (slot) => (
      <>
        <div class="page-head">
          <h1 class="page-title">Batches</h1>
          <p class="page-lead">One for each terminal, channel and currency. Online payments join none.</p>
        </div>
        <Problems problems={problems} />
        <Panel title="Open" name="open-batches">
          {slot('open')}
        </Panel>
        <Panel title="Closed" name="closed-batches">
          {slot('closed')}
        </Panel>
      </>
    ),
  }
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

function openPart({ engine }: Sandbox, origin: string): string {
  const open = [...engine.book.ledgers.values()].flatMap((ledger) =>
    [...ledger.batches.values()].map((batch) => ({ ledger, batch })),
  )
  if (open.length === 0)
    return html(
      <Empty title="No batch is open" commands={['tillbox sale --amount 10.00']} origin={origin}>
        <p>The first successful payment at a terminal opens one.</p>
      </Empty>,
    )
  return html(
    <Table caption="Open batches" heads={headsOf('Settle')}>
      {open.map(({ ledger, batch }) => (
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
                Close<span class="visually-hidden">{` batch ${batch.batchNo} of ${batch.terminalSn}`}</span>
              </a>
            )}
          </td>
        </tr>
      ))}
    </Table>,
  )
}

function closedPart({ statistics }: Sandbox, before: number | null, origin: string): string {
  const { closes } = statistics.now
  const end = Math.min(before ?? closes.length, closes.length)
  const start = Math.max(0, end - closesShown)
  const shown = closes.slice(start, end).reverse()
  if (shown.length === 0)
    return html(
      <Empty title="No batch was closed yet" commands={['tillbox batch close']} origin={origin}>
        <p>A close settles what a terminal has taken.</p>
      </Empty>,
    )
  return html(
    <>
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
      {start > 0 && (
        <nav class="pager" aria-label="Pages of closed batches">
          <a id="older" href={`/batches?before=${start}`}>
            Older
          </a>
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
