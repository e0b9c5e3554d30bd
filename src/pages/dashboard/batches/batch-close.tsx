import { randomUUID } from 'node:crypto'
import { Refusal, reject } from '../../../contract/errors.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { countedBatches } from '../../../domain/rules/settlement.ts'
import { fingerprintOf } from '../../../engine/identifiers.ts'
import type { PagesContext } from '../../frame/context.ts'
import type { PageRequest, PageView } from '../../frame/page-view.tsx'
import { closeInWords } from './batches-page.tsx'

type Fields = Readonly<Record<string, string>>

/** Fields of the form that closes. */
export const closeFields = [
  'merchantId',
  'terminalSn',
  'channelCode',
  'priceCurrency',
  'transactionRequestId',
] as const

const ledgerOf = ({ engine }: Pick<PagesContext, 'engine'>, { merchantId = '' }: Fields): Ledger =>
  engine.state.ledgers.get(merchantId) ??
  reject('SBX_BATCH_EMPTY', { field: 'merchantId', detail: `there is no merchant ${merchantId}` })

/** The second step before a close: what would be settled. It only asks. Errors: SBX_BATCH_EMPTY. */
export function closePage(context: PagesContext, { query: fields }: PageRequest): PageView {
  const { terminalSn = '', channelCode = '', priceCurrency = '' } = fields
  const ledger = ledgerOf(context, fields)
  const batches = countedBatches(ledger, { terminalSn, channelCode, priceCurrency })
  if (batches.length === 0)
    reject('SBX_BATCH_EMPTY', {
      field: 'terminalSn',
      detail: `${terminalSn} has no open batch with transactions`,
    })
  const hidden = {
    merchantId: ledger.settings.merchantId,
    terminalSn,
    channelCode,
    priceCurrency,
    transactionRequestId: `dashboard-${randomUUID()}`,
  }
  return {
    title: 'Close a batch',
    section: 'batches',
    live: null,
    fragments: () => ({}),
    body: () => (
      <section class="panel question">
        <h1 class="page-title">Close and settle at {terminalSn}?</h1>
        <ul>
          {closeInWords(batches).map((line) => (
            <li>{line}</li>
          ))}
        </ul>
        <p class="page-lead">Its payments can still be refunded, but no longer voided or adjusted.</p>
        <form method="post" action="/batches/close" class="question-actions">
          {Object.entries(hidden).map(([name, value]) => (
            <input type="hidden" name={name} value={value} autocomplete="off" />
          ))}
          <button class="action" type="submit">
            Close and settle
          </button>
          <a class="action action-plain" href="/batches">
            Leave it open
          </a>
        </form>
      </section>
    ),
  }
}

/**
 * Closes what the form names, and resolves when that is durable. A form that is sent twice closes once.
 * Errors: SBX_BATCH_EMPTY, SBX_STORE_FAIL.
 */
export async function closeBatches(context: PagesContext, fields: Fields): Promise<void> {
  const { terminalSn = '', channelCode = '', priceCurrency = '', transactionRequestId = '' } = fields
  if (!/^dashboard-[\da-f-]{36}$/.test(transactionRequestId))
    reject('C17', { field: 'transactionRequestId', detail: 'the form is not ours' })
  const ledger = ledgerOf(context, fields)
  const input = { transactionRequestId, terminalSn, channelCode, priceCurrency }
  const fingerprint = fingerprintOf('batch-close', null, JSON.stringify(input))
  try {
    await context.engine.run(
      ledger,
      { type: 'batch-close', input, fingerprint, outcome: null },
      undefined,
      () => ({}),
    )
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'SBX_DUP_TXN_ID')) throw error
  }
}
