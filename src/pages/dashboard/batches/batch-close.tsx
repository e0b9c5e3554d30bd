import { reject } from '../../../contract/errors.ts'
import { money } from '../../../contract/presentation/money.ts'
import type { Batch } from '../../../domain/model/ledger.ts'
import { countedBatches } from '../../../domain/rules/settlement.ts'
import { baseUrlOf } from '../../../sandbox/http/call.ts'
import { Notice } from '../../components/basics.tsx'
import { plural } from '../../components/format.ts'
import type { MakePage, PageAction, PagesContext, Values } from '../../frame/page-view.tsx'
import { readFields } from '../../serving/form-fields.ts'
import { inCurrencyOrder } from '../lists/list-table.tsx'
import { actionPage, newTransactionRequestId, requireFormId, sendOnce } from '../payments/form-parts.tsx'
import { batchInWords } from './batches-page.tsx'

/** Fields of the form that closes; `shown`: the batch and totals that it was drawn with. */
const posted = ['merchantId', 'terminalSn', 'channelCode', 'priceCurrency', 'transactionRequestId', 'shown']

/** What a form is about: the one batch that its fields name, or all batches of all merchants. */
function settledBy({ engine }: PagesContext, { merchantId, ...filter }: Values) {
  const all = [...engine.state.ledgers.values()]
    .filter(({ settings }) => merchantId === undefined || settings.merchantId === merchantId)
    .map((ledger) => ({ ledger, batches: countedBatches(ledger, filter) }))
    .filter(({ batches }) => batches.length > 0)
  return all.length > 0
    ? all
    : reject('SBX_BATCH_EMPTY', {
        field: 'terminalSn',
        detail:
          merchantId === undefined
            ? 'no open batch has transactions'
            : `${filter.terminalSn ?? ''} has no such open batch with transactions`,
      })
}

/** `2 transactions, net €7.00, $35.00`. */
function totalsInWords(batches: readonly Batch[]): string {
  const nets = new Map<string, number>()
  for (const { currency, net } of batches) nets.set(currency, (nets.get(currency) ?? 0) + net)
  const count = batches.reduce((sum, batch) => sum + batch.count, 0)
  const sums = inCurrencyOrder(nets).map(([currency, net]) => money(net, currency))
  return `${plural(count, 'transaction')}, net ${sums.join(', ')}`
}

/** What the question is about: the next batch of the terminal may have the same totals. */
function batchesWithTotals(batches: readonly Batch[]): string {
  const which = batches.length === 1 ? `batch ${batches[0]?.batchNo}` : `${batches.length} batches`
  return `${which} with ${totalsInWords(batches)}`
}

/** The second step before a close: what would be settled. It only asks. */
export const closePage: MakePage = (context, { query }) => closeQuestion(context, query, null)

/** `before`: the batches and totals shown last time, if they have changed. */
function closeQuestion(context: PagesContext, fields: Values, before: string | null) {
  const batches = settledBy(context, fields).flatMap((each) => each.batches)
  const { merchantId = '', terminalSn = '', channelCode = '', priceCurrency = '' } = fields
  const [first] = batches
  const isOne = merchantId !== '' && first !== undefined
  const page = actionPage({
    title: 'Close a batch',
    section: 'batches',
    name: 'question',
    heading: `Close ${isOne ? batchInWords(first) : `all ${batches.length} open batches`}?`,
    lead: (
      <>
        {before !== null && (
          <Notice tone="error" title="The batch changed, and was not closed">
            <p>You were asked about {before}.</p>
          </Notice>
        )}
        <p>
          This settles <strong>{totalsInWords(batches)}</strong>. {isOne && 'Other batches stay open.'}
        </p>
        <p class="text-sm text-ink-soft">
          {isOne ? 'Its' : 'Their'} payments can still be refunded, but no longer voided or adjusted.
        </p>
      </>
    ),
    form: { values: { transactionRequestId: newTransactionRequestId() } },
    hidden: { merchantId, terminalSn, channelCode, priceCurrency, shown: batchesWithTotals(batches) },
    action: '/batches/close',
    submit: isOne ? `Close batch ${first.batchNo} in ${first.currency}` : 'Close all',
    back: '/batches',
    cancel: isOne ? 'Keep it open' : 'Keep them open',
  })
  return before === null ? page : { ...page, status: 409 as const }
}

/**
 * Closes what the form is about, and resolves when that is durable; asks again when its totals are not those
 * that were shown. A form that is sent twice closes once.
 */
export const closeBatchAction: PageAction = async (context, call) => {
  const { transactionRequestId = '', shown, ...named } = await readFields(call, posted)
  requireFormId(transactionRequestId)
  const { merchantId, ...filter } = named
  const text =
    merchantId === undefined
      ? 'All open batches are closed and settled.'
      : `The batch of ${filter.terminalSn} in ${filter.priceCurrency} is closed and settled.`
  const done = { to: '/batches', notice: { text } }
  const ledgers = [...context.engine.state.ledgers.values()]
  if (ledgers.some(({ closes }) => closes.has(transactionRequestId))) return done
  const settled = settledBy(context, named)
  if (shown !== batchesWithTotals(settled.flatMap(({ batches }) => batches)))
    return closeQuestion(context, named, shown ?? 'other batches')
  for (const { ledger } of settled) {
    const { appId, merchantId } = ledger.settings
    const members = { transactionRequestId, ...filter }
    const request = { operation: 'batch-close', appId, merchantId, members, outcome: null } as const
    await sendOnce(context, { ...request, baseUrl: baseUrlOf(call) }, transactionRequestId)
  }
  return done
}
