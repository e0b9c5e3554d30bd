import type { Child } from 'hono/jsx'
import { sequenceOf } from '../../../contract/presentation/sequence.ts'
import { isFinal, statusWordOf } from '../../../contract/statuses.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import type { Transaction } from '../../../domain/model/transaction.ts'
import { merchantProfileOf } from '../../../domain/state.ts'
import { receiptOf } from '../../../sandbox/records/receipt.ts'
import { specRecord } from '../../../sandbox/records/transaction-record.ts'
import { requestFits } from '../../../sandbox/request-log/request-views.ts'
import type { OwnedTransaction } from '../../../sandbox/views/transaction-text.ts'
import { storyInFull } from '../../../sandbox/views/views.ts'
import { whyTransaction } from '../../../sandbox/views/why.ts'
import { logLimits } from '../../components/format.ts'
import { Body } from '../../components/http-message.tsx'
import { Tabs } from '../../components/navigation.tsx'
import { Empty, ListNote } from '../../components/panel.tsx'
import { Receipts } from '../../components/receipts.tsx'
import type { PagesContext } from '../../frame/page-view.tsx'
import { ListTable } from '../lists/list-table.tsx'
import {
  findRequests,
  requestColumns,
  requestCount,
  requestLink,
  shownRequests,
} from '../requests/request-table.tsx'
import { WhyFold } from '../requests/why-fold.tsx'
import { deliveryColumns, deliveryLink } from '../webhooks/delivery-table.tsx'
import { paymentAsTest } from './payment-as-test.ts'
import { SequenceDiagram } from './sequence-diagram.tsx'

type DrawTab = (context: PagesContext, owned: OwnedTransaction) => Child

/** The tabs of a transaction: label and content; the first one is the default. */
const tabs = {
  timeline: ['Timeline', timeline],
  requests: ['Requests', (context, { transaction }) => requests(context, transaction.id)],
  webhooks: ['Webhooks', (context, { transaction }) => webhooks(context, transaction.id)],
  receipt: ['Receipt', receipts],
  json: ['JSON', drawJson],
  test: ['As test', asTest],
} as const satisfies Readonly<Record<string, readonly [label: string, draw: DrawTab]>>

/** Names a tab. */
export type TabName = keyof typeof tabs

/** The tab of that name; for another one the first. */
export const tabNamed = (name: string | undefined): TabName =>
  Object.hasOwn(tabs, name ?? '') ? (name as TabName) : 'timeline'

/** Links to the tabs, with how much is in them; a receipt only where one is printed. */
export function tabLinks(context: PagesContext, { transaction }: OwnedTransaction, chosen: TabName) {
  const { id } = transaction
  const counts: Partial<Record<string, number>> = {
    requests: context.log
      .list()
      .filter(requestFits(context, { transactionId: id }))
      .reduce((sum, entry) => sum + requestCount(entry), 0),
    webhooks: context.statistics.current.deliveries.ofTransaction(id).length,
  }
  const tabHref = (name: string) => `/transactions/${id}${name === 'timeline' ? '' : `?tab=${name}`}`
  const shown = Object.entries(tabs)
    .filter(([name]) => name !== 'receipt' || hasReceipt(transaction))
    .map(([name, [label]]) => [name, label, tabHref(name), counts[name]] as const)
  const keys = { requests: 'q' }
  return <Tabs label="Parts of the transaction" id="tab" tabs={shown} chosen={chosen} keys={keys} />
}

/** Content of a tab. */
export const tabContent = async (context: PagesContext, owned: OwnedTransaction, tab: TabName) =>
  tabs[tab][1](context, owned)

function drawJson(_: PagesContext, { ledger, transaction }: OwnedTransaction) {
  const text = JSON.stringify(specRecord(ledger, transaction))
  return <Body label="The record, as a query answers it" text={text} />
}

/** Only finished transactions at a terminal have a receipt. */
const hasReceipt = ({ terminalSn, status }: Transaction): boolean => terminalSn !== null && isFinal(status)

/** The first transaction of the chain. */
export function rootTransaction(ledger: Ledger, transaction: Transaction): Transaction {
  const original = ledger.transactions.get(transaction.originalId ?? '')
  return original === undefined ? transaction : rootTransaction(ledger, original)
}

function asTest(_: PagesContext, { ledger, transaction }: OwnedTransaction) {
  const text = paymentAsTest(ledger, rootTransaction(ledger, transaction))
  return text === null ? (
    <Empty title="No test">
      <p>A direct online payment cannot be repeated: its wallet data is not kept.</p>
    </Empty>
  ) : (
    <>
      <p class="quiet text-ink-soft text-sm">
        Does what happened, and expects how it ended. As a scenario for <code>tillbox test</code>:{' '}
        <code>tillbox scenario record</code> writes what happened in the last minutes.
      </p>
      <Body label="The payment as a vitest test" text={text} />
    </>
  )
}

async function timeline(context: PagesContext, owned: OwnedTransaction) {
  const { ledger, transaction } = owned
  const story = await storyInFull(context, transaction.id)
  return (
    <>
      <p class="quiet text-ink-soft text-sm mb-2">
        Times are of the sandbox clock, {ledger.settings.timeZone}.
      </p>
      <SequenceDiagram sequence={sequenceOf({ ...story, rule: null }, true)} />
      <WhyFold
        answer={whyTransaction(context, owned)}
        title={`Why it is ${statusWordOf(transaction.status)}`}
      />
    </>
  )
}

function requests(context: PagesContext, id: string) {
  const { rows, older } = findRequests(context, requestFits(context, { transactionId: id }))
  if (rows.length === 0)
    return (
      <Empty title="No request is kept">
        <p>The log holds {logLimits(context.log)}.</p>
      </Empty>
    )
  return (
    <>
      <ListTable
        caption="Requests, newest first"
        columns={requestColumns(context).filter(
          ({ head }) => !['Amount', 'Transaction', 'HTTP', 'Handled in'].includes(head),
        )}
        rows={shownRequests(context, rows)}
        link={requestLink}
      />
      <ListNote>
        <a id="requests" href={`/requests?transactionId=${id}`}>
          {older === null ? 'Show them in the list of requests' : 'Show all of them'}
        </a>
      </ListNote>
    </>
  )
}

function webhooks(context: PagesContext, id: string) {
  const deliveries = context.statistics.current.deliveries.ofTransaction(id)
  return deliveries.length === 0 ? (
    <Empty title="No webhook">
      <p>
        The request named no notifyUrl, and the sandbox has no <code>--notify-url</code>.
      </p>
    </Empty>
  ) : (
    <ListTable
      caption="Deliveries, newest first"
      columns={deliveryColumns(context)}
      rows={deliveries}
      link={deliveryLink}
    />
  )
}

/** Both copies, or why there is none. */
function receipts(context: PagesContext, { ledger, transaction }: OwnedTransaction) {
  if (!hasReceipt(transaction))
    return (
      <Empty title="No receipt">
        <p>A terminal prints one when a payment is over.</p>
      </Empty>
    )
  const profile = merchantProfileOf(context.engine.state, ledger.settings.merchantId)
  return <Receipts receipt={receiptOf(ledger, transaction, profile)} />
}
