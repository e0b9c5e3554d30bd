import { formatAmount } from '../../contract/currencies.ts'
import { argumentOf, beginsOrder, flagName } from '../../contract/operation-members.ts'
import type { OperationName } from '../../contract/operations.ts'
import { readAmount } from '../../contract/written-amount.ts'
import type { Profile } from '../connection/profile.ts'
import { chooseTerminal } from '../input/choose-listed.ts'
import { askText } from '../input/prompt.ts'
import type { MissingInput, TypedInput } from './check-input.ts'
import { chooseOriginal, chooseSession } from './choose-original.ts'
import { flagMembers } from './operation-flags.ts'
import { originalCurrency, queryOf } from './operation-request.ts'

/**
 * Asks for missing values, and returns them with the typed ones. Only a sandbox lists transactions; for another service
 * they must be named. Errors: UsageError; Interrupted; as `control`.
 */
export async function askMissing(
  name: OperationName,
  missing: readonly MissingInput[],
  typed: TypedInput,
  profile: Profile,
): Promise<TypedInput> {
  let answered = typed
  for (const each of missing)
    answered =
      each.what === 'argument'
        ? await withArgument(name, each, answered, profile)
        : await withAmount(each, answered, profile)
  return withTerminal(name, answered, profile)
}

async function withArgument(
  name: OperationName,
  { error }: MissingInput,
  typed: TypedInput,
  profile: Profile,
): Promise<TypedInput> {
  if (!profile.isSandbox) throw error
  const isSession = argumentOf(name)?.name === 'sessionId'
  const original = await (isSession ? chooseSession(profile.target) : chooseOriginal(name, profile.target))
  return { ...typed, original }
}

async function withAmount(
  { member }: MissingInput,
  typed: TypedInput,
  profile: Profile,
): Promise<TypedInput> {
  const flag = flagName(member)
  const currency = await currencyFor(typed, profile)
  const label = member === 'tipAmount' ? 'Tip' : 'Amount'
  const read = (text: string) => readAmount(text.trim(), currency, 'major')
  const written = (text: string) => {
    const amount = read(text)
    return typeof amount === 'number' ? formatAmount(amount, currency) : text
  }
  const example = written('10') === '10' ? '10' : `${written('10')} (or 10)`
  const text = await askText(
    `${label} in ${currency}, such as ${example}:`,
    '',
    (text) => {
      const amount = read(text)
      return typeof amount === 'number' ? undefined : amount.remedy
    },
    (text) => `${written(text)} ${currency}`,
  )
  return { ...typed, flags: { ...typed.flags, [flag]: written(text) } }
}

/** The currency of the amount to ask for. */
async function currencyFor({ original, flags, input }: TypedInput, profile: Profile): Promise<string> {
  const given = flags['price-currency'] ?? input.priceCurrency
  if (given != null) return String(given)
  const query = queryOf({
    originalTransactionId: original ?? textOf(input.originalTransactionId),
    originalTransactionRequestId:
      textOf(flags['original-transaction-request-id']) ?? textOf(input.originalTransactionRequestId),
  })
  return Object.keys(query).length === 0 ? 'USD' : originalCurrency(profile, query)
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Asks for one of several terminals when a payment starts without one. */
async function withTerminal(name: OperationName, typed: TypedInput, profile: Profile): Promise<TypedInput> {
  const { flags, input } = typed
  const flag = flagName('terminalSn')
  const takesTerminal = beginsOrder(name) && flagMembers(name).some(([member]) => member === 'terminalSn')
  const isNamed = flags[flag] !== undefined || input.terminalSn != null || profile.terminal !== undefined
  if (!takesTerminal || isNamed || !profile.isSandbox) return typed
  const { merchantId } = profile.parties
  const terminal = await chooseTerminal(
    profile.target,
    (each) => merchantId === undefined || each.merchantId === merchantId,
  )
  return terminal === undefined ? typed : { ...typed, flags: { ...flags, [flag]: terminal } }
}
