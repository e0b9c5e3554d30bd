import { reject, rejectField } from '../../contract/errors.ts'
import type { Request } from '../model/commands.ts'
import type { Event } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { openBatches } from '../model/totals.ts'

/** The terminal that is named, or the merchant's first. Errors: C17 when there is none. */
export function terminalSnOf(ledger: Ledger, named: string | null | undefined): string {
  const first: string | undefined = ledger.terminals.keys().next().value
  return named ?? first ?? rejectField('terminalSn', 'is required: the merchant has no terminal yet')
}

/**
 * Closes the open batches of a terminal, of one channel or of all. docs/api.md#operation-4-2. assumption: batch-close
 * Errors: SBX_BATCH_EMPTY when nothing is in them.
 */
export function closeBatch(ledger: Ledger, { input, fingerprint }: Request<'batch-close'>): readonly Event[] {
  const terminalSn = terminalSnOf(ledger, input.terminalSn)
  const { channelCode, transactionRequestId } = input
  const batches = openBatches(ledger, terminalSn).filter(
    (batch) => batch.count > 0 && (channelCode == null || batch.channelCode === channelCode),
  )
  if (batches.length === 0)
    reject('SBX_BATCH_EMPTY', {
      field: 'terminalSn',
      detail: `${terminalSn} has no open batch with transactions${channelCode == null ? '' : ` on channel ${channelCode}`}`,
    })
  const batchNos = batches.map(({ batchNo }) => batchNo)
  return [{ type: 'batch-closed', transactionRequestId, fingerprint, terminalSn, batchNos }]
}
