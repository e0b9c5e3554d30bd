import { transactionNamed } from '../../../views/views.ts'
import { PageHead } from '../../components/panel.tsx'
import type { PageRequest, PageView } from '../../frame/page-view.tsx'
import type { PagesContext } from '../../frame/pages-context.ts'
import { Receipts } from './transaction-tabs.tsx'

/** Both copies of a receipt, as the terminal prints them. Errors: SBX_TXN_UNKNOWN, SBX_NOT_ALLOWED. */
export function receiptPage(context: Pick<PagesContext, 'engine'>, { id }: PageRequest): PageView {
  const owned = transactionNamed(context.engine.state.ledgers, id)
  const receipts = <Receipts context={context} {...owned} /> // refused here, not while the page is drawn
  return {
    title: `Receipt ${id}`,
    section: 'transactions',
    body: () => (
      <>
        <PageHead title="Receipt">
          <a href={`/transactions/${id}`}>Back to the transaction</a>
        </PageHead>
        <div>{receipts}</div>
      </>
    ),
  }
}
