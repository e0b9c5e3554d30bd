import type { GenericSchema } from 'valibot'
import { partNames } from './amounts.ts'
import { chosenFor, unwrap } from './member-kinds.ts'
import { type OperationName, operationRow, operations } from './operations.ts'

/** The members of an operation as flags and arguments of its command. */

/** Members that are amounts of money on the command line. */
export const moneyMembers: ReadonlySet<string> = new Set(['amount', ...partNames])

/** The flag of a member: `reference-order-id` for `referenceOrderId`, `terminal` for `terminalSn`. */
export const flagName = (member: string): string =>
  member === 'terminalSn' ? 'terminal' : member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Members that are set with `--set` or `--input`: a command has flags for what is usual. */
const withoutFlag: ReadonlySet<string> = new Set([
  'appId',
  'taxAmount',
  'surchargeAmount',
  'cashbackAmount',
  'description',
  'attach',
  'terminalEventNotifyUrl',
  'printReceipt',
  'cardNetworkType',
  'timeExpire',
  'signatureConfig',
  'signatureEntryLocation',
  'tipConfig',
  'productList',
  'billingAddress',
  'shippingAddress',
])

/** True for a member that the operation's command has a flag for. */
export const hasFlag = (name: OperationName, member: string): boolean =>
  member === 'paymentMethod' ? operations[name].runs === 'cloud' : !withoutFlag.has(member)

/** Members by name, with their schemas. */
export type MemberSchemas = Readonly<Record<string, GenericSchema>>

/** The members of an operation's request, with their schemas. */
export const memberSchemas = (name: OperationName): MemberSchemas => operations[name].input.entries

/** Those of the members, by name, that an operation's request may have. */
export const acceptedBy = <T>(name: OperationName, members: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(members).filter(([member]) => Object.hasOwn(memberSchemas(name), member))

/** True when the request must have the member. */
export const needs = (name: OperationName, member: string): boolean => {
  const schema = memberSchemas(name)[member]
  return schema !== undefined && schema.type !== 'nullish'
}

/** True for an operation that begins an order and acts on no earlier transaction. */
export const beginsOrder = (name: OperationName): boolean => {
  const entries = memberSchemas(name)
  return 'referenceOrderId' in entries && 'amount' in entries && !('originalTransactionId' in entries)
}

/** True for an operation that acts on an earlier transaction or, without one, begins an order. */
export const mayBeginOrder = (name: OperationName): boolean => {
  const entries = memberSchemas(name)
  return 'referenceOrderId' in entries && 'originalTransactionId' in entries
}

/** The description that a command gives a request without one. */
export const madeDescription = (name: OperationName): string => `${operations[name].command} by tillbox`

/** True for an operation that gives money back: its `amount` is no sum of parts. assumption: refund-parts */
export const isRefund = (name: OperationName): boolean => operationRow(name).opens === 'REFUND'

const earlierThan = (newest: string) =>
  `@last is ${newest}, @last-1 the one before, @last:auth or @last:declined the newest of a type or status`

/** Arguments of commands by their members; `byRequest`: the member that names it by the id of its request. */
const argumentsByMember = {
  originalTransactionId: {
    name: 'transactionId',
    byRequest: 'originalTransactionRequestId',
    description: `Transaction to act on; ${earlierThan('the newest that it can act on')}.`,
  },
  transactionId: {
    name: 'transactionId',
    byRequest: 'transactionRequestId',
    description: `Transaction; ${earlierThan('the newest')}.`,
  },
  sessionId: {
    name: 'sessionId',
    byRequest: 'transactionRequestId',
    description: 'Id of the checkout session.',
  },
} as const

/** The argument of an operation's command; undefined without one. */
export function commandArgument(name: OperationName) {
  const { argument: member } = operationRow(name)
  return member && { member, ...argumentsByMember[member] }
}

/** True for a member that a command takes as JSON. */
export const isJsonMember = (schema: GenericSchema): boolean =>
  ['object', 'array'].includes(unwrap(schema).type)

/** The names inside a JSON member, with their words: `tipMode (ON_SALE, AFTER_SALE), suggestions (…)`. */
export const namesInside = (schema: GenericSchema): string =>
  Object.entries(entriesIn(schema) ?? {})
    .map(([name, inner]) => `${name}${optionsText(inner)}`)
    .join(', ')

function optionsText(schema: GenericSchema): string {
  const { options } = unwrap(schema) as { readonly options?: readonly unknown[] }
  if (Array.isArray(options)) return ` (${options.join(', ')})`
  const inner = namesInside(schema)
  return inner === '' ? '' : ` (${inner})`
}

/** The member at a path, such as `['tipConfig', 'suggestions', 'values', '0']`; undefined: there is none. */
export function memberAt(entries: MemberSchemas, path: readonly string[]): GenericSchema | undefined {
  let [schema, inside]: [GenericSchema | undefined, MemberSchemas | undefined] = [undefined, entries]
  for (const step of path) {
    const item: GenericSchema | undefined = schema && itemSchema(schema)
    schema = item !== undefined && /^\d+$/.test(step) ? item : findMember(inside, step)
    inside = schema && entriesIn(schema)
  }
  return schema
}

const findMember = (entries: MemberSchemas | undefined, name: string): GenericSchema | undefined =>
  entries !== undefined && Object.hasOwn(entries, name) ? (entries[name] as GenericSchema) : undefined

/** The members of an object, or of the objects of a list; some members choose their schema by the value. */
function entriesIn(schema: GenericSchema): MemberSchemas | undefined {
  const plain = chosenFor(schema, {})
  if ('entries' in plain) return plain.entries as MemberSchemas
  return 'item' in plain ? entriesIn(plain.item as GenericSchema) : undefined
}

function itemSchema(schema: GenericSchema): GenericSchema | undefined {
  const plain = chosenFor(schema, {})
  return 'item' in plain ? (plain.item as GenericSchema) : undefined
}
