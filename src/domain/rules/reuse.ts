import { reject } from '../../contract/errors.ts'
import type { Ledger } from '../ledger.ts'

/**
 * One transactionRequestId opens one transaction. Told before any other rule, or a retry would hear of the state that
 * its first try left. spec: Rules for referenceOrderId and transactionRequestId 4 and 5; Errors
 */
export function refuseReused(ledger: Ledger, requestId: string): void {
  if (ledger.closes.has(requestId))
    reject('SBX_DUP_TXN_ID', { field: 'transactionRequestId', detail: `${requestId} closed a batch` })
  const used = ledger.byTransactionRequestId.get(requestId)
  if (used !== undefined)
    reject('SBX_DUP_TXN_ID', {
      field: 'transactionRequestId',
      detail: `${requestId} opened transaction ${used.id}, which is ${used.status}`,
    })
}
