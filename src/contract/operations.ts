import type * as v from 'valibot'
import { plainWords } from '../shared/text/plain-words.ts'
import { nearest } from '../shared/text/suggest.ts'
import { checkout, checkoutBase } from './operations/checkout.ts'
import { inPerson } from './operations/in-person.ts'
import { merchantLookUps, transactionLookUps } from './operations/look-ups.ts'
import type { Operation } from './operations/operation.ts'
import { settlement, settlementBase } from './operations/settlement.ts'
import type { TransactionType } from './statuses.ts'

export type { Operation }

/** The operations of the service, in the order of the specification. docs/api.md#operations */
export const operations = {
  ...inPerson,
  ...checkout,
  ...transactionLookUps,
  ...settlement,
  ...merchantLookUps,
} as const satisfies Record<string, Operation>

/** Name of an operation. */
export type OperationName = keyof typeof operations

/** What the table says of an operation, whichever it is. */
export const operationRow = (name: OperationName): Operation => operations[name]

/** Names in the order of the specification. */
export const operationNames = Object.keys(operations) as readonly OperationName[]

/** The operation that an unknown name means: by its command or a synonym, else the nearest spelling. */
export function operationMeant(name: string): OperationName | undefined {
  const words = name.toLowerCase().replaceAll('-', ' ')
  const [command, near] = [plainWords.get(words) ?? words, nearest(name, operationNames)]
  return (
    operationNames.find((each) => operations[each].command === command) ??
    operationNames.find((each) => each === near)
  )
}

/** Paths of the payment API. */
export const operationPaths: ReadonlySet<string> = new Set(
  operationNames.map((name) => operations[name].path),
)

/** Names of the operations whose rows match `F`. */
export type OperationsWith<F> = {
  [N in OperationName]: (typeof operations)[N] extends F ? N : never
}[OperationName]

/**
 * Operations that change an earlier transaction and open none; their ids are kept apart.
 * assumption: duplicates
 */
export type AmendingName = Exclude<
  OperationsWith<{ readonly method: 'POST'; readonly argument: 'originalTransactionId' }>,
  OperationsWith<{ readonly opens: TransactionType }>
>

export const isAmending = (name: string): name is AmendingName => amendingNames.some((each) => each === name)

export const amendingNames = operationNames.filter((name): name is AmendingName => {
  const { method, argument, opens } = operationRow(name)
  return method === 'POST' && argument === 'originalTransactionId' && opens === undefined
})

/** Operations that act on an earlier transaction. */
export type FollowUpName = OperationsWith<{ readonly argument: 'originalTransactionId' | 'sessionId' }>

export const followUpNames = operationNames.filter((name): name is FollowUpName => {
  const { argument } = operationRow(name)
  return argument !== undefined && argument !== 'transactionId'
})

/** True for an operation that changes nothing. */
export const isLookUp = (name: OperationName): boolean => operations[name].method === 'GET'

/** True for an operation of the hosted checkout. */
export const isOnline = ({ path }: Pick<Operation, 'path'>): boolean => path.startsWith(`${checkoutBase}/`)

/** True for an operation on batches. */
export const isSettlement = ({ path }: Pick<Operation, 'path'>): boolean =>
  path.startsWith(`${settlementBase}/`)

/** Validated request of an operation. */
export type ServiceInput<N extends OperationName> = v.InferOutput<(typeof operations)[N]['input']>

/** Answer of an operation. */
export type ServiceAnswer<N extends OperationName> = v.InferOutput<(typeof operations)[N]['answer']>
