import { reject } from '../../../contract/errors.ts'
import type { Batch, Ledger } from '../../../domain/model/ledger.ts'
import { countedBatches } from '../../../domain/rules/settlement.ts'
import { money } from '../../../presentation/money.ts'
import { Hidden, Submit } from '../../components/actions.tsx'
import { Notice } from '../../components/basics.tsx'
import { plural } from '../../components/format.ts'
import type { NoticeRedirect, PageRequest, PagesContext, PageView } from '../../frame/page-view.tsx'
import type { FormFields } from '../../serving/form-fields.ts'
import { isOwnTransactionRequestId, newTransactionRequestId, sendOnce } from '../payments/form-parts.tsx'
import { batchInWords } from './batches-page.tsx'

/** Fields of the form that closes; `shown`: the batch and totals that it was drawn with. */
export const closeFields = [
  'merchantId',
  'terminalSn',
  'channelCode',
  'priceCurrency',
  'transactionRequestId',
  'shown',
] as const

const ledgerOf = ({ engine }: PagesContext, { merchantId = '' }: FormFields): Ledger =>
  engine.state.ledgers.get(merchantId) ??
  reject('SBX_BATCH_EMPTY', { field: 'merchantId', detail: `there is no merchant ${merchantId}` })

/** The one open batch of a terminal, channel and currency; undefined when nothing is in it. */
function batchOf(ledger: Ledger, fields: FormFields): Batch | undefined {
  const { terminalSn = '', channelCode = '', priceCurrency = '' } = fields
  return countedBatches(ledger, { terminalSn, channelCode, priceCurrency })[0]
}

/** `2 transactions, net $35.00`. */
const totalsInWords = ({ count, net, currency }: Batch): string =>
  `${plural(count, 'transaction')}, net ${money(net, currency)}`

/** What the question is about: the next batch of the terminal may have the same totals. */
const shownOf = (batch: Batch): string => `batch ${batch.batchNo} with ${totalsInWords(batch)}`

/** The second step before a close: what would be settled. It only asks. Errors: SBX_BATCH_EMPTY. */
export const closePage = (context: PagesContext, { query }: PageRequest): PageView =>
  questionOf(ledgerOf(context, query), query, null)

/** `before`: the batch and totals shown last time, if they have changed. */
function questionOf(ledger: Ledger, fields: FormFields, before: string | null): PageView {
  const batch = batchOf(ledger, fields)
  if (batch === undefined)
    reject('SBX_BATCH_EMPTY', {
      field: 'terminalSn',
      detail: `${fields.terminalSn ?? ''} has no such open batch with transactions`,
    })
  const { terminalSn, batchNo, channelCode, currency } = batch
  const hidden = {
    merchantId: ledger.settings.merchantId,
    terminalSn,
    channelCode,
    priceCurrency: currency,
    transactionRequestId: newTransactionRequestId(),
    shown: shownOf(batch),
  }
  return {
    title: 'Close a batch',
    section: 'batches',
    ...(before !== null && { status: 409 }),
    body: () => (
      <section class="panel question stack gap-4">
        <h1 class="page-title tight">Close {batchInWords(batch)}?</h1>
        {before !== null && (
          <Notice tone="error" title="The batch changed, and was not closed">
            <p>You were asked about {before}.</p>
          </Notice>
        )}
        <p>
          This settles <strong>{totalsInWords(batch)}</strong>. Other batches stay open.
        </p>
        <p class="page-lead">Its payments can still be refunded, but no longer voided or adjusted.</p>
        <form method="post" action="/batches/close" class="flex wrap gap-3">
          <Hidden fields={hidden} />
          <Submit look="large">
            Close batch {batchNo} in {currency}
          </Submit>
          <a class="action action-plain" href="/batches">
            Cancel
          </a>
        </form>
      </section>
    ),
  }
}

/**
 * Closes the one batch that the form names, and resolves when that is durable; asks again when its totals are not those
 * that were shown. A form that is sent twice closes once. Errors: C17, SBX_BATCH_EMPTY, SBX_STORE_FAIL.
 */
export async function closeBatchAction(
  context: PagesContext,
  fields: FormFields,
  baseUrl: string,
): Promise<NoticeRedirect | PageView> {
  const { terminalSn = '', channelCode = '', priceCurrency = '', transactionRequestId = '', shown } = fields
  if (!isOwnTransactionRequestId(transactionRequestId))
    reject('C17', { field: 'transactionRequestId', detail: 'the form does not come from this page' })
  const ledger = ledgerOf(context, fields)
  const closed = `The batch of ${terminalSn} in ${priceCurrency} is closed and settled.`
  const done: NoticeRedirect = { to: '/batches', notice: { text: closed } }
  if (ledger.closes.has(transactionRequestId)) return done
  const batch = batchOf(ledger, fields)
  if (batch === undefined || shown !== shownOf(batch))
    return questionOf(ledger, fields, shown ?? 'another batch')
  const { appId, merchantId } = ledger.settings
  const members = { transactionRequestId, terminalSn, channelCode, priceCurrency }
  const own = { operation: 'batch-close', appId, merchantId, members, outcome: null, baseUrl } as const
  await sendOnce(context, own, transactionRequestId)
  return done
}
