import { randomUUID } from 'node:crypto'
import { call } from '../../client/client.ts'
import { viewOf } from '../../client/record.ts'
import { unwrap } from '../../contract/member-kinds.ts'
import { argumentOf, flagName, moneyMembers, needs } from '../../contract/operation-members.ts'
import { type OperationName, operations } from '../../contract/operations.ts'
import type { TransactionRecord } from '../../contract/records.ts'
import type { Profile } from '../connection/profile.ts'
import { UsageError } from '../errors/usage-error.ts'
import { parseAmount } from '../input/amount.ts'
import { flagMembers } from './operation-flags.ts'
import { beginsOrder, isRefund } from './operation-kinds.ts'

/** Flags as they were given. */
export type FlagValues = Readonly<Record<string, string | boolean | number | undefined>>

/** Members of a request. */
type Members = Record<string, unknown>

/**
 * The request of an operation, from what was typed. Ids are made when left out; the currency of a follow-up comes from
 * its original. Errors: UsageError; what asking for the original may meet.
 */
export async function requestOf(
  name: OperationName,
  original: string | undefined,
  flags: FlagValues,
  context: CallContext,
): Promise<Members> {
  const argument = argumentOf(name)?.member
  const members: Members = {
    ...context.parties,
    ...(argument && original !== undefined && { [argument]: original }),
  }
  const own = flagMembers(name)
  for (const [member, schema] of own) {
    const value = flags[flagName(member)]
    if (value === undefined || moneyMembers.has(member) || member === 'priceCurrency') continue
    const isJson = ['object', 'array'].includes(unwrap(schema).type)
    members[member] = isJson ? objectOf(member, String(value)) : value
  }
  const names = new Set(own.map(([member]) => member))
  if (needs(name, 'transactionRequestId')) members.transactionRequestId ??= randomUUID()
  if (beginsOrder(name)) members.referenceOrderId ??= `TBX-${randomUUID().slice(0, 18)}`
  if (names.has('description')) members.description ??= `${operations[name].command} by tillbox`
  return { ...members, ...(await moneyOf(name, flags, names, members, context)) }
}

/** How a request or an answer names an original. */
export interface OriginalPair {
  readonly originalTransactionId?: string
  readonly originalTransactionRequestId?: string
}

/** The query that shows an original. */
export function queryOf({
  originalTransactionId,
  originalTransactionRequestId,
}: OriginalPair): Record<string, string> {
  if (originalTransactionId !== undefined) return { transactionId: originalTransactionId }
  return originalTransactionRequestId === undefined
    ? {}
    : { transactionRequestId: originalTransactionRequestId }
}

/** JSON; for the payment method its category alone will do. Errors: UsageError. */
function objectOf(member: string, text: string): unknown {
  if (member === 'paymentMethod' && /^[A-Z-]+$/.test(text)) return { category: text }
  try {
    return JSON.parse(text)
  } catch {
    const flag = `--${flagName(member)}`
    throw new UsageError(`${flag} is not JSON`, `Quote the value: ${flag} '{"…": …}'`, member)
  }
}

type CallContext = Pick<Profile, 'target' | 'parties'>

/** The amounts, in the shape that carries them all; tip adjust has its tip at the top. */
async function moneyOf(
  name: OperationName,
  flags: FlagValues,
  names: ReadonlySet<string>,
  members: Members,
  context: CallContext,
): Promise<Members> {
  const given = [...moneyMembers].filter((each) => names.has(each) && flags[flagName(each)] !== undefined)
  const main = ['amount', 'tipAmount'].find((member) => names.has(member))
  if (main === undefined) return {}
  if (given.length === 0 && !needs(name, main)) {
    const priceCurrency = flags['price-currency']
    return priceCurrency === undefined ? {} : { priceCurrency }
  }
  const currency = await currencyOf(flags, members, context)
  const amounts = Object.fromEntries(
    given.map((member) => [member, parseAmount(String(flags[flagName(member)]), currency, flagName(member))]),
  )
  if (main === 'tipAmount') return amounts
  const { amount: orderAmount, ...parts } = amounts
  // Of a refund, a sum alone is taken from whatever is left: the specification's own shape says that.
  if (isRefund(name) && Object.keys(parts).length === 0)
    return { amount: orderAmount, priceCurrency: currency }
  return { amount: { orderAmount, priceCurrency: currency, ...parts } }
}

/** assumption: cli-defaults */
async function currencyOf(flags: FlagValues, members: Members, context: CallContext): Promise<string> {
  const given = flags['price-currency']
  if (given !== undefined) return String(given)
  const original = queryOf(members)
  if (Object.keys(original).length === 0) return 'USD'
  const query = { ...context.parties, ...original }
  return viewOf(await call<TransactionRecord>(context.target, 'query', query)).currency
}
