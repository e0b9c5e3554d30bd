import { typeNames } from '../../../contract/statuses.ts'
import { transactionNamed } from '../../../views/views.ts'
import { Panel } from '../../components/panel.tsx'
import { type Fragments, html, type PageRequest, type PageView } from '../../frame/page-view.tsx'
import { queryString } from '../lists/list-query.ts'
import { TransactionActions } from '../payments/transaction-actions.tsx'
import { relatedTransactions } from './related-transactions.tsx'
import { AmountBreakdown, TransactionHead } from './transaction-head.tsx'
import type { TransactionPageContext } from './transaction-tabs.tsx'
import { type TabName, tabContent, tabLinks, tabNames } from './transaction-tabs.tsx'

/** One transaction: its data, its history, and its follow-ups. Errors: SBX_TXN_UNKNOWN. */
export function transactionPage(
  context: TransactionPageContext,
  { id, query, baseUrl }: PageRequest,
): PageView {
  const { transaction } = transactionNamed(context.engine.state.ledgers, id)
  const tab = tabNames.find((name) => name === query.tab) ?? 'timeline'
  return {
    title: `${typeNames[transaction.type]} ${id}`,
    section: 'transactions',
    live: {
      path: `/transactions/${id}/live${queryString({ tab: tab === 'timeline' ? '' : tab })}`,
      topics: [
        'requests',
        `transaction ${id}`,
        ...(transaction.originalId ? [`transaction ${transaction.originalId}` as const] : []),
      ],
    },
    fragments: () => partsOf(context, id, tab, baseUrl),
    body: (slot) => (
      <>
        {slot('headline')}
        {slot('actions')}
        <div class="columns top stack gap-4 one-column">
          <section class="panel panel-record" aria-label="Details of the transaction">
            {slot('tabs')}
            {slot('tab')}
          </section>
          <div class="side stack shrinks one-column">
            <Panel title="Amount" name="amount">
              {slot('amount-parts')}
            </Panel>
            <Panel title="Related transactions" name="family">
              {slot('family')}
            </Panel>
          </div>
        </div>
      </>
    ),
  }
}

async function partsOf(
  context: TransactionPageContext,
  id: string,
  tab: TabName,
  baseUrl: string,
): Promise<Fragments> {
  const owned = transactionNamed(context.engine.state.ledgers, id)
  const { ledger, transaction } = owned
  return {
    headline: html(<TransactionHead {...owned} />),
    actions: html(
      <TransactionActions
        directory={context.directory}
        ledger={ledger}
        transaction={transaction}
        now={context.clock.now()}
        baseUrl={baseUrl}
      />,
    ),
    tabs: html(tabLinks(context, owned, tab)),
    tab: html(await tabContent(context, owned, tab)),
    'amount-parts': html(<AmountBreakdown transaction={transaction} />),
    family: html(relatedTransactions(ledger, transaction)),
  }
}
