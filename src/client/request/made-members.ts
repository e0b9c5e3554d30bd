import { createHash, randomUUID } from 'node:crypto'
import { beginsOrder, entriesOf, needs } from '../../contract/operation-members.ts'
import { type OperationName, operations } from '../../contract/operations.ts'
import type { Members } from '../../contract/validate.ts'

/** The ids and the description of a request, generated where they are absent. assumption: cli-defaults */
export function madeMembers(name: OperationName, given: Members): Members {
  const transactionRequestId = given.transactionRequestId ?? randomUUID()
  const { referenceOrderId = orderIdFor(transactionRequestId), description = describe(name) } = given
  return {
    ...(needs(name, 'transactionRequestId') && { transactionRequestId }),
    ...(beginsOrder(name) && { referenceOrderId }),
    ...('description' in entriesOf(name) && { description }),
  }
}

/** The generated order id depends only on the request id, so that repeating a request sends the same content. */
const orderIdFor = (transactionRequestId: unknown): string =>
  `TBX-${createHash('sha256').update(String(transactionRequestId)).digest('hex').slice(0, 18)}`

const describe = (name: OperationName): string => `${operations[name].command} by tillbox`
