import { createHash, randomUUID } from 'node:crypto'
import { beginsOrder, entriesOf, needs } from '../../contract/operation-members.ts'
import { type OperationName, operations } from '../../contract/operations.ts'
import type { Members } from '../../contract/validate.ts'

/** Ids and description of a request, as they were given or else made. assumption: cli-defaults */
export function madeMembers(name: OperationName, given: Members): Members {
  const transactionRequestId = given.transactionRequestId ?? randomUUID()
  const { referenceOrderId = orderIdFor(transactionRequestId), description = describe(name) } = given
  return {
    ...(needs(name, 'transactionRequestId') && { transactionRequestId }),
    ...(beginsOrder(name) && { referenceOrderId }),
    ...('description' in entriesOf(name) && { description }),
  }
}

/** The order of a request that names none: the same for the same id, so that a request which is sent again is the same request. */
const orderIdFor = (transactionRequestId: unknown): string =>
  `TBX-${createHash('sha256').update(String(transactionRequestId)).digest('hex').slice(0, 18)}`

const describe = (name: OperationName): string => `${operations[name].command} by tillbox`
