import { profileOf } from '../../../domain/state.ts'
import { receiptOf } from '../../../records/receipt.ts'
import { transactionNamed } from '../../../views/views.ts'
import { Slip } from '../../components/basics.tsx'
import { ReceiptLines } from '../../components/receipt-lines.tsx'
import type { PagesContext } from '../../frame/context.ts'
import type { PageRequest, PageView } from '../../frame/page-view.tsx'

/** Both copies of a receipt, as the terminal prints them. Errors: SBX_TXN_UNKNOWN, SBX_NOT_ALLOWED. */
export function receiptPage({ engine }: PagesContext, { id }: PageRequest): PageView {
  const { ledger, transaction } = transactionNamed(engine.state.ledgers, id)
  const { merchant, customer } = receiptOf(
    ledger,
    transaction,
    profileOf(engine.state, ledger.settings.merchantId),
  )
  return {
    title: `Receipt ${id}`,
    section: 'transactions',
    live: null,
    fragments: () => ({}),
    body: () => (
      <>
        <div class="page-head">
          <h1 class="page-title">Receipt</h1>
          <a href={`/transactions/${id}`}>Back to the transaction</a>
        </div>
        <div class="receipts">
          {[merchant, customer].map((lines) => (
            <Slip>
              <ReceiptLines lines={lines} />
            </Slip>
          ))}
        </div>
      </>
    ),
  }
}
