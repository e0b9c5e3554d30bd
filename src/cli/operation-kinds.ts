import type { OperationName } from '../api/operations.ts'

/** True for an operation that begins something and acts on no other transaction. */
export const isFirst = (name: OperationName): boolean =>
  name === 'sale' || name === 'auth' || name === 'forced-auth'

/** True for an operation whose result is a transaction to wait for. */
export const opens = (name: OperationName): boolean =>
  name !== 'query' && name !== 'abort' && name !== 'tip-adjust'
