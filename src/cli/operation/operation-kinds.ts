import { entriesOf } from '../../contract/operation-members.ts'
import type { OperationName } from '../../contract/operations.ts'

/** What the table says of an operation, where the command line behaves by it. */

const opening: ReadonlySet<OperationName> = new Set([
  'sale',
  'auth',
  'forced-auth',
  'incremental-auth',
  'post-auth',
  'refund',
  'void',
  'direct-payment',
  'online-refund',
])

/** True for an operation whose result is a transaction to wait for. */
export const opens = (name: OperationName): boolean => opening.has(name)

/** True for an operation whose transaction can be aborted while it is open. */
export const isAbortable = (name: OperationName): boolean =>
  opens(name) && name !== 'direct-payment' && name !== 'online-refund'

/** True for an operation whose outcome a sandbox can be asked for. */
export const hasOutcome = (name: OperationName): boolean => opens(name) || name === 'create-session'

/** True for an operation that begins an order, and acts on nothing that is there. */
export const beginsOrder = (name: OperationName): boolean => {
  const entries = entriesOf(name)
  return 'referenceOrderId' in entries && 'amount' in entries && !('originalTransactionId' in entries)
}
