import { type OperationName, operations } from '../api/operations.ts'

/** True for an in-person operation that begins something and acts on no other transaction. */
export const isFirst = (name: OperationName): boolean =>
  name === 'sale' || name === 'auth' || name === 'forced-auth'

const opening: ReadonlySet<OperationName> = new Set([
  'sale',
  'auth',
  'forced-auth',
  'incremental-auth',
  'post-auth',
  'refund',
  'void',
])

/** True for an operation whose result is a transaction to wait for. */
export const opens = (name: OperationName): boolean => opening.has(name)

/** The member that the argument of the command is, where it has one. */
export function argumentOf(name: OperationName): 'transactionId' | 'originalTransactionId' | undefined {
  const { entries } = operations[name].input
  if ('originalTransactionId' in entries) return 'originalTransactionId'
  return name === 'query' ? 'transactionId' : undefined
}
