import type { GenericSchema } from 'valibot'
import { type Operation, type OperationName, operations } from './operations.ts'

/** How the members of an operation stand on the command line. */

/** Members that are amounts of money on the command line. */
export const moneyMembers: ReadonlySet<string> = new Set([
  'amount',
  'tipAmount',
  'taxAmount',
  'surchargeAmount',
  'cashbackAmount',
])

/** `referenceOrderId` is `reference-order-id`. */
export const flagName = (member: string): string =>
  member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The members of an operation with their rules. */
export const entriesOf = (name: OperationName): Readonly<Record<string, GenericSchema>> =>
  operations[name].input.entries

/** True when the request must have the member. */
export const needs = (name: OperationName, member: string): boolean => {
  const schema = entriesOf(name)[member]
  return schema !== undefined && schema.type !== 'nullish'
}

/** The argument of a command: the member it is, its name, and what it says. */
interface Argument {
  readonly member: string
  readonly name: 'transactionId' | 'sessionId'
  readonly description: string
}

const argumentsByMember = {
  originalTransactionId: { name: 'transactionId', description: 'Transaction to act on.' },
  transactionId: { name: 'transactionId', description: 'Transaction.' },
  sessionId: { name: 'sessionId', description: 'Id of the checkout session.' },
} as const

/** The argument of the command, where it has one. */
export function argumentOf(name: OperationName): Argument | undefined {
  const { argument: member }: Operation = operations[name]
  return member === undefined ? undefined : { member, ...argumentsByMember[member] }
}
