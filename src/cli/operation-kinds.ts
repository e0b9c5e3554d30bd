import type { GenericSchema } from 'valibot'
import { type OperationName, operations } from '../api/operations.ts'

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

const entriesOf = (name: OperationName): Readonly<Record<string, GenericSchema>> =>
  operations[name].input.entries

/** True when the request must have the member. */
export const needs = (name: OperationName, member: string): boolean => {
  const schema = entriesOf(name)[member]
  return schema !== undefined && schema.type !== 'nullish'
}

/** True for an operation that begins an order, and acts on nothing that is there. */
export const beginsOrder = (name: OperationName): boolean => {
  const entries = entriesOf(name)
  return 'referenceOrderId' in entries && 'amount' in entries && !('originalTransactionId' in entries)
}

/** The argument of a command: the member it is, its name, and what it says. */
interface Argument {
  readonly member: string
  readonly name: 'transactionId' | 'sessionId'
  readonly description: string
}

/** The argument of the command, where it has one. */
export function argumentOf(name: OperationName): Argument | undefined {
  if ('originalTransactionId' in entriesOf(name))
    return { member: 'originalTransactionId', name: 'transactionId', description: 'Transaction to act on.' }
  if (name === 'query') return { member: 'transactionId', name: 'transactionId', description: 'Transaction.' }
  if (name === 'expire-session') return { member: 'sessionId', name: 'sessionId', description: 'Session.' }
  return undefined
}
