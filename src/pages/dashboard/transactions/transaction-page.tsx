import { isFinal } from '../../../contract/statuses.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import { waitsFor } from '../../../domain/wake-times.ts'
import { money } from '../../../presentation/money.ts'
import { sequenceOf } from '../../../presentation/sequence.ts'
import { specRecord } from '../../../records/record.ts'
import { decisionOf, storyWith, transactionNamed } from '../../../views/views.ts'
import { StatusBadge } from '../../components/badges.tsx'
import { Command } from '../../components/command.tsx'
import { formatDateTime, typeNames } from '../../components/format.ts'
import { Pairs } from '../../components/pairs.tsx'
import { Panel, RecordHead } from '../../components/panel.tsx'
import type { PagesContext } from '../../frame/context.ts'
import { type Fragments, html, type PageRequest, type PageView } from '../../frame/page-view.tsx'
import { TransactionActions } from '../payments/transaction-actions.tsx'
import { relatedTransactions } from './related-transactions.tsx'
import { SequenceDiagram } from './sequence-diagram.tsx'
import { cardInWords, resultInWords } from './transaction-table.tsx'

/** One transaction: what it is, what happened to it, and what acts on it. Errors: SBX_TXN_UNKNOWN. */
export function transactionPage(context: PagesContext, { id, origin }: PageRequest): PageView {
  const { transaction } = transactionNamed(context.engine.state.ledgers, id)
  return {
    title: `${typeNames[transaction.type]} ${id}`,
    section: 'transactions',
    live: {
      path: `/transactions/${id}/live`,
      topics: [
        `transaction ${id}`,
        ...(transaction.originalId ? [`transaction ${transaction.originalId}` as const] : []),
      ],
    },
    fragments: () => partsOf(context, id, origin),
    body: (slot) => (
      <>
        {slot('headline')}
        {slot('actions')}
        <div class="columns">
          <div>
            <Panel title="What happened" name="sequence">
              {slot('sequence')}
            </Panel>
          </div>
          <div class="side">
            <Panel title="Related transactions" name="family">
              {slot('family')}
            </Panel>
            <Panel title="Record" name="record">
              {slot('record')}
            </Panel>
          </div>
        </div>
      </>
    ),
  }
}

async function partsOf(context: PagesContext, id: string, origin: string): Promise<Fragments> {
  const attempts = [...(await context.attempts.latest()), ...(await context.listened.attempts.latest())]
  const { ledger, transaction } = transactionNamed(context.engine.state.ledgers, id)
  const deliveries = context.statistics.current.deliveries.ofTransaction(id).map(({ delivery }) => delivery)
  const story = storyWith(context.engine.state.ledgers, id, deliveries, attempts)
  return {
    headline: html(headline(ledger, transaction, origin)),
    actions: html(<TransactionActions ledger={ledger} transaction={transaction} now={context.clock.now()} />),
    sequence: html(<SequenceDiagram sequence={sequenceOf(story)} />),
    family: html(relatedTransactions(ledger, transaction)),
    record: html(recordFields(ledger, transaction)),
  }
}

/** Why an outcome was what it was, in words. assumption: outcome-order */
const reasons: Readonly<Record<NonNullable<Transaction['rule']>, string>> = {
  header: 'the request’s header X-Sandbox-Outcome decided',
  queue: 'an outcome queued on the terminal decided',
  person: 'the person at the terminal decided',
  terminal: 'the terminal always acts this way',
  amount: 'the order amount decided',
  card: 'the card decided',
  default: 'no rule applies',
  settled: 'its batch is closed',
}

function headline(ledger: Ledger, transaction: Transaction, origin: string) {
  const { id, type, status, currency, terminalSn, createdAt } = transaction
  const { outcome, rule } = decisionOf(transaction)
  return (
    <RecordHead
      title={
        <>
          <span>{typeNames[type]}</span> <span class="tabular">{money(amountOf(transaction), currency)}</span>
        </>
      }
      state={
        <>
          <StatusBadge transaction={transaction} />
          <span>{resultInWords(transaction)}</span>
        </>
      }
      facts={[
        ['Paid with', cardInWords(ledger, transaction)],
        [terminalSn === null ? 'Taken' : 'Terminal', terminalSn ?? 'online'],
        ['Opened', formatDateTime(createdAt, ledger.settings.timeZone)],
        ['Outcome', outcome !== null && rule !== null ? `${outcome}: ${reasons[rule]}` : null],
        ['Waits for', waitsFor(ledger, transaction)],
      ]}
    >
      <Command text={`tillbox query ${id}`} origin={origin} />
      {terminalSn !== null && isFinal(status) && (
        <a id="receipt" class="action action-plain" href={`/transactions/${id}/receipt`}>
          Receipt
        </a>
      )}
      <a id="requests" class="action action-plain" href={`/requests?transactionId=${id}`}>
        Requests
      </a>
    </RecordHead>
  )
}

/** Every member that has a value, as the query answers it. */
const recordFields = (ledger: Ledger, transaction: Transaction) => (
  <Pairs
    kind="members"
    pairs={Object.entries(specRecord(ledger, transaction))
      .filter(([, value]) => value !== null && value !== '')
      .map(([member, value]) => [member, String(value)])}
  />
)
