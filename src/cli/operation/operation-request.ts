import { call, ServiceRefusal } from '../../client/client.ts'
import { recordView } from '../../client/record-view.ts'
import { madeMembers } from '../../client/request/service-request.ts'
import {
  beginsOrder,
  commandArgument,
  flagName,
  hasFlag,
  isJsonMember,
  isRefund,
  moneyMembers,
  needs,
} from '../../contract/operation-members.ts'
import type { OriginalReference } from '../../contract/operations/request-members.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { TransactionRecord } from '../../contract/records.ts'
import type { Members } from '../../contract/validate.ts'
import { isObject } from '../../shared/is-object.ts'
import { once } from '../../shared/once.ts'
import { capitalize } from '../../shared/text/words.ts'
import type { Profile } from '../connection/profile.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { parseAmount } from '../input/typed-values.ts'
import type { TypedInput } from './check-input.ts'
import { friendlyMembers, isJsonText, productTotal, requireSum } from './friendly-members.ts'
import { type FlagValues, flagMembers, jsonFrom } from './operation-flags.ts'

/**
 * The request of an operation, from the flags and otherwise from the fields of `--input`. Absent ids are
 * made; the currency of a follow-up is that of its original. assumption: cli-input
 */
export async function requestMembers(
  name: OperationName,
  original: string | undefined,
  flags: FlagValues,
  context: CallContext,
): Promise<Members> {
  const { input = {} } = context
  const members: Record<string, unknown> = {
    ...context.parties,
    ...input,
    ...typedParties(flags),
    ...argumentMember(name, original, input),
    ...plainMembers(name, flags),
  }
  const currency = once(() => findCurrency(flags, members, context))
  Object.assign(members, await friendlyMembers(flags, currency))
  const names = new Set(flagMembers(name).map(([member]) => member))
  Object.assign(members, madeMembers(name, members))
  if (beginsOrder(name) && names.has('terminalSn') && context.terminal)
    members.terminalSn ??= context.terminal
  return { ...members, ...(await amountMembers({ name, flags, names, members, currency })) }
}

/** The application and the merchant of a request, for what is looked up beside it. */
export const requestParties = (
  { parties }: Pick<Profile, 'parties'>,
  { flags, input }: Pick<TypedInput, 'flags' | 'input'>,
): Profile['parties'] => ({
  ...parties,
  ...(typeof input.appId === 'string' && { appId: input.appId }),
  ...(typeof input.merchantId === 'string' && { merchantId: input.merchantId }),
  ...typedParties(flags),
})

/** The typed application and merchant: a file takes precedence over the service's answer. */
const typedParties = ({ 'app-id': appId, 'merchant-id': merchantId }: FlagValues): Members => ({
  ...(appId && { appId }),
  ...(merchantId && { merchantId }),
})

function argumentMember(name: OperationName, typed: string | undefined, input: Members): Members {
  const argument = commandArgument(name)
  if (argument === undefined || typed === undefined) return {}
  const { member } = argument
  if (input[member] == null || input[member] === typed) return { [member]: typed }
  throw new UsageError(
    `<${flagName(argument.name)}> is ${typed}, but ${member} of --input is ${input[member]}`,
    'Leave one of them out',
    member,
  )
}

/** Fields with a flag that has their whole value. */
function plainMembers(name: OperationName, flags: FlagValues): Members {
  const members: Record<string, unknown> = {}
  for (const [member, schema] of flagMembers(name)) {
    const value = flags[flagName(member)]
    if (value === undefined || moneyMembers.has(member) || member === 'priceCurrency') continue
    if (isJsonMember(schema) && hasShortForm(member) && !isJsonText(value)) continue
    members[member] = isJsonMember(schema) ? jsonFrom(name, member, String(value)) : value
  }
  return members
}

const hasShortForm = (member: string): boolean => member === 'tipConfig' || member === 'signatureConfig'

/** The query that shows an original. */
export function originalQuery({
  originalTransactionId,
  originalTransactionRequestId,
}: OriginalReference): Record<string, string> {
  if (originalTransactionId != null) return { transactionId: originalTransactionId }
  return originalTransactionRequestId == null ? {} : { transactionRequestId: originalTransactionRequestId }
}

interface CallContext extends Pick<Profile, 'target' | 'parties' | 'terminal'> {
  readonly input?: Members
}

/** The currency of an amount that is written, where its own is unknown. assumption: cli-input */
export const usualCurrency = 'USD'

interface MoneyContext {
  readonly name: OperationName
  readonly flags: FlagValues
  readonly names: ReadonlySet<string>
  readonly members: Members
  readonly currency: () => Promise<string>
}

/** The amounts in the shape of the operation; tip adjust has its tip at the top level. */
async function amountMembers(context: MoneyContext): Promise<Members> {
  const { name, names, members, currency } = context
  const main = ['amount', 'tipAmount'].find((member) => names.has(member))
  const typed = await typedAmounts(context)
  const isTyped = Object.keys(typed).length > 0
  const isGiven = hasMoney(members)
  if (main === undefined || (!isTyped && (isGiven || !needs(name, main)))) return currencyAlone(context)
  if (main === 'tipAmount') return typed
  const code = await currency()
  const named = { priceCurrency: code }
  if (isGiven) return { ...currencyIn(members, code), ...amountsIn(members, typed, named) }
  const { amount: orderAmount, ...parts } = typed
  // Of a refund, a sum alone is taken from whatever is left: the specification's own shape says that.
  if (isRefund(name) && Object.keys(parts).length === 0) return { amount: orderAmount, ...named }
  return { amount: { orderAmount, ...named, ...parts } }
}

/** The currency of a request without typed amounts: of the given amount's original, or a typed one. */
async function currencyAlone({ flags, names, members, currency }: MoneyContext): Promise<Members> {
  const isUnlinked = Object.keys(originalQuery(members)).length === 0
  if (names.has('priceCurrency') && isUnlinked && hasMoney(members))
    return currencyIn(members, await currency())
  const typed = flags['price-currency']
  return typed === undefined ? {} : currencyIn(members, String(typed))
}

/** The amounts that were typed; the order's comes from its products where only they were. */
async function typedAmounts({
  name,
  flags,
  names,
  members,
  currency,
}: MoneyContext): Promise<Record<string, number>> {
  const { minor } = flags
  const present = [...moneyMembers].filter((each) => names.has(each) && flags[flagName(each)] !== undefined)
  const { productList } = members
  const products = flags.item === undefined || !Array.isArray(productList) ? undefined : productList
  if (present.length === 0 && minor === undefined && products === undefined) return {}
  const code = await currency()
  const amounts: Record<string, number> = { ...(minor !== undefined && { amount: Number(minor) }) }
  for (const member of present) {
    const text = String(flags[flagName(member)])
    amounts[member] = parseAmount(
      text,
      code,
      hasFlag(name, member) ? flagName(member) : `set ${member}`,
      member === 'amount' ? `, or --minor ${text}` : '',
    )
  }
  if (products === undefined) return amounts
  if (amounts.amount !== undefined) requireSum(products, amounts.amount, code)
  return { amount: productTotal(products), ...amounts }
}

/** True when a file has the amounts, in either shape. */
const hasMoney = (members: Members): boolean => [...moneyMembers].some((member) => members[member] != null)

/** The typed amounts in the shape of the file: inside its amount, or beside it. */
function amountsIn(members: Members, { amount, ...parts }: Record<string, number>, currency: Members) {
  if (!isObject(members.amount)) return { ...(amount !== undefined && { amount }), ...parts, ...currency }
  const orderAmount = amount === undefined ? {} : { orderAmount: amount }
  return { amount: { ...members.amount, ...orderAmount, ...parts, ...currency } }
}

/** The currency wherever the file has one, so that none contradicts. */
const currencyIn = ({ amount, priceCurrency: existing }: Members, priceCurrency: string): Members =>
  isObject(amount)
    ? { amount: { ...amount, priceCurrency }, ...(existing != null && { priceCurrency }) }
    : { priceCurrency }

/** The typed currency, that of the original, or the default. assumption: cli-input */
async function findCurrency(flags: FlagValues, members: Members, { target, parties }: CallContext) {
  const inside = isObject(members.amount) ? members.amount.priceCurrency : undefined
  const typedCurrency = flags['price-currency'] ?? inside ?? members.priceCurrency
  if (typedCurrency != null) return String(typedCurrency)
  const original = originalQuery(members)
  if (Object.keys(original).length === 0) return usualCurrency
  return originalCurrency({ target, parties }, original)
}

/** The currency of the transaction that a query finds. */
export async function originalCurrency(
  { target, parties }: Pick<Profile, 'target' | 'parties'>,
  query: Record<string, string>,
): Promise<string> {
  const record = call<TransactionRecord>(target, 'query', { ...parties, ...query })
  return recordView(await record.catch(refuseOriginal)).currency
}

/** Names the members of a query as those of the follow-up that it is made for. */
function refuseOriginal(error: Error): never {
  if (!(error instanceof ServiceRefusal)) throw error
  const { field = '' } = error.envelope
  const isId = ['transactionId', 'transactionRequestId'].includes(field)
  throw new ServiceRefusal(
    error.httpStatus,
    { ...error.envelope, ...(isId && { field: `original${capitalize(field)}` }) },
    error.retryAfter,
    error.tokenSpace,
  )
}
