import { control, type Target } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import { asText } from '../../client/tolerant.ts'
import type { TransactionRow } from '../../contract/control/transaction-list.ts'
import { formatAmount } from '../../contract/currencies.ts'
import { beginsOrder, commandArgument, flagName } from '../../contract/operation-members.ts'
import { isLookUp, type OperationName, operations } from '../../contract/operations.ts'
import { amountText } from '../../contract/presentation/money.ts'
import { rowInWords } from '../../contract/presentation/status.ts'
import { readAmount } from '../../contract/written-amount.ts'
import type { Profile } from '../connection/profile.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { chooseTerminal, inColumns } from '../input/choose-listed.ts'
import { askText, choose } from '../input/prompt.ts'
import { utcText } from '../output/render-time.ts'
import type { MissingInput, TypedInput } from './check-input.ts'
import { flagMembers } from './operation-flags.ts'
import { originalCurrency, originalQuery, usualCurrency } from './operation-request.ts'

/**
 * Asks for missing values, and returns them with the typed ones. Only a sandbox lists transactions; for
 * another service they must be named.
 */
export async function askMissing(
  name: OperationName,
  missing: readonly MissingInput[],
  typed: TypedInput,
  profile: Profile,
): Promise<TypedInput> {
  let answered = typed
  for (const each of missing)
    if (each.what === 'amount') answered = await withAmount(each, answered, profile)
    else {
      if (!profile.isSandbox) throw each.error
      const isSession = commandArgument(name)?.name === 'sessionId'
      const original = await (isSession
        ? chooseSession(profile.target)
        : chooseOriginal(name, profile.target))
      answered = { ...answered, original }
    }
  return withTerminal(name, answered, profile)
}

async function withAmount({ member }: MissingInput, typed: TypedInput, profile: Profile) {
  const flag = flagName(member)
  const currency = await currencyFor(typed, profile)
  const label = member === 'tipAmount' ? 'Tip' : 'Amount'
  const read = (text: string) => readAmount(text.trim(), currency, 'major')
  const formatted = (text: string) => {
    const amount = read(text)
    return typeof amount === 'number' ? formatAmount(amount, currency) : text
  }
  const example = formatted('10') === '10' ? '10' : `${formatted('10')} (or 10)`
  const text = await askText(
    `${label} in ${currency}, such as ${example}:`,
    '',
    (text) => {
      const amount = read(text)
      return typeof amount === 'number' ? undefined : amount.remedy
    },
    (text) => `${formatted(text)} ${currency}`,
  )
  return { ...typed, flags: { ...typed.flags, [flag]: formatted(text) } }
}

async function currencyFor({ original, flags, input }: TypedInput, profile: Profile): Promise<string> {
  const typedCurrency = flags['price-currency'] ?? input.priceCurrency
  if (typedCurrency != null) return String(typedCurrency)
  const query = originalQuery({
    originalTransactionId: original ?? asText(input.originalTransactionId),
    originalTransactionRequestId:
      asText(flags['original-transaction-request-id']) ?? asText(input.originalTransactionRequestId),
  })
  return Object.keys(query).length === 0 ? usualCurrency : originalCurrency(profile, query)
}

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

/** Transactions that are looked at, and offered, at most. */
const mostLookedAt = 1_000
const mostOffered = 30

/**
 * Up to `limit` transactions that an operation can act on, by the rules of the sandbox, newest first; one
 * that completed counts by its completion. For a look-up they are the newest of all.
 */
export async function originalsFor(
  name: OperationName,
  target: SandboxAddress,
  limit: number,
  filters: Readonly<Record<string, string>> = {},
): Promise<readonly TransactionRow[]> {
  if (isLookUp(name)) return (await control(target, 'transactions', { ...filters, limit })).transactions
  const wanted = { ...filters, allows: name, limit: mostLookedAt }
  const { transactions } = await control(target, 'transactions', wanted)
  return transactions.toSorted((one, other) => endTime(other) - endTime(one)).slice(0, limit)
}

const endTime = ({ completedAt, createdAt }: TransactionRow): number => Date.parse(completedAt ?? createdAt)

/** Asks for the original of an operation, newest first. */
export async function chooseOriginal(name: OperationName, target: Target): Promise<string> {
  const fitting = await originalsFor(name, target, mostOffered)
  if (fitting.length === 0 && isLookUp(name))
    throw new UsageError('There is no transaction yet', 'Take a payment: `tillbox sale --amount 10.00`')
  if (fitting.length === 0)
    throw new UsageError(
      `There is no transaction to act on with tillbox ${operations[name].command}`,
      'See what there is: `tillbox list`',
    )
  const choices = inColumns(
    fitting.map((row) => {
      const { type, amount, state } = rowInWords(row)
      return [row.transactionId, [utcText(row.createdAt), type, amount, state, row.transactionId]]
    }),
  )
  return choose('Which transaction? (times in UTC)', choices)
}

/** Asks for an open session of the hosted payment page. */
async function chooseSession(target: Target): Promise<string> {
  const { sessions } = await control(target, 'sessions', { state: 'open', limit: String(mostOffered) })
  if (sessions.length === 0)
    throw new UsageError('No session is open', 'Open one: `tillbox checkout create --amount 24.90`')
  return choose(
    'Which session? (times in UTC)',
    inColumns(
      sessions.map(({ sessionId, createdAt, amount, currency }) => [
        sessionId,
        [utcText(createdAt), amountText(amount, currency), sessionId],
      ]),
    ),
  )
}
