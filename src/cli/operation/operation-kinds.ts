import { type Operation, type OperationName, operations } from '../../contract/operations.ts'

/** The operation's row in the table. */
const rowOf = (name: OperationName): Operation => operations[name]

/** True for an operation whose result is a transaction to wait for. */
export const opens = (name: OperationName): boolean =>
  rowOf(name).opens !== undefined && rowOf(name).opensPage !== true

/** True for an operation whose transaction can be aborted while it is open. */
export const isAbortable = (name: OperationName): boolean => opens(name) && rowOf(name).runs !== 'cloud'

/** True for an operation whose outcome a sandbox can be asked for. */
export const hasOutcome = (name: OperationName): boolean => rowOf(name).opens !== undefined

/** True for an operation whose command can wait for webhooks. */
export const waitsForWebhooks = (name: OperationName): boolean => opens(name) || rowOf(name).ends === true
