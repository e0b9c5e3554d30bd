import { call, control } from '../../client/client.ts'
import type { FoundSandbox, SandboxAddress } from '../../client/discover.ts'
import type { MerchantAnswer } from '../../contract/answers.ts'
import { formatAmount } from '../../contract/currencies.ts'
import type { TransactionRow } from '../../contract/sandbox/transactions/transaction-list.ts'
import {
  statusWordOf,
  type TransactionType,
  typeNamed,
  typeWordOf,
  typeWords,
} from '../../contract/statuses.ts'
import { capitalize } from '../../text/capitalize.ts'
import { suggestion } from '../../text/suggest.ts'
import type { Profile } from '../connection/profile.ts'
import { requireSandbox } from '../connection/sandbox-only.ts'
import { NothingFound } from '../errors/nothing-found.ts'
import { UsageError } from '../errors/usage-error.ts'
import { clean } from '../output/clean.ts'

/** `@last`, `@last-2`, `@last:auth`, `@last-1:refund`: `back` results before the newest, of that type. */
interface EarlierResult {
  readonly back: number
  readonly type: TransactionType | undefined
}

/** The merchant whose earlier results are looked up, and where. */
interface Owner {
  readonly isSandbox: boolean
  readonly target: SandboxAddress
  merchantId(): Promise<string>
}

/** Results of the acting merchant: the named one, or the first of the key. */
export const ownerOf = ({ isSandbox, target, parties }: Profile): Owner => ({
  isSandbox,
  target,
  merchantId: async () =>
    parties.merchantId ?? (await call<MerchantAnswer>(target, 'merchant-query', parties)).merchantId,
})

/** Results of the sandbox's first merchant, for a command without a merchant. */
export const ownerIn = (sandbox: FoundSandbox): Owner => ({
  isSandbox: true,
  target: sandbox,
  merchantId: async () => sandbox.merchantId,
})

/** True for a name such as `@last`. */
const isEarlier = (typed: string): boolean => typed.startsWith('@')

/**
 * The transaction id as typed, or that of a name such as `@last`, which counts the merchant's transactions from the
 * newest; standard error shows it. assumption: earlier-results Errors: UsageError for an unknown name, or a service
 * other than a sandbox; NothingFound; as `control`.
 */
export async function transactionIdOf(typed: string, owner: Owner): Promise<string> {
  if (!isEarlier(typed)) return typed
  const { back, type } = readName(typed)
  await requireSandbox(owner, typed)
  const members = {
    merchant: await owner.merchantId(),
    limit: String(back + 1),
    ...(type && { type }),
  }
  const { transactions } = await control(owner.target, 'transactions', members)
  const transaction = transactions[back]
  if (transaction === undefined) throw nothingOf(typed, type, transactions.length)
  process.stderr.write(`${typed} is ${clean(inWords(transaction))}\n`)
  return transaction.transactionId
}

const inWords = ({ transactionId, type, amount, currency, status }: TransactionRow): string =>
  `${transactionId}: ${typeWordOf(type)}, ${formatAmount(amount, currency)} ${currency}, ${statusWordOf(status)}`

function readName(typed: string): EarlierResult {
  const parts = /^@last(?:-(\d{1,3}))?(?::([\w-]+))?$/.exec(typed)
  if (parts === null)
    throw new UsageError(
      `${typed} names no earlier result`,
      'Use @last, @last-1 for the one before, or @last:auth for the last of a type; or a transaction id',
    )
  const [, back = '0', word] = parts
  const type = word === undefined ? undefined : typeNamed(word)
  if (word !== undefined && type === undefined)
    throw new UsageError(
      `${typed}: there is no type of transaction ${word}`,
      capitalize(suggestion(word, typeWords)),
    )
  return { back: Number(back), type }
}

function nothingOf(typed: string, type: TransactionType | undefined, count: number): NothingFound {
  const what = type === undefined ? 'transaction' : `transaction of type ${typeWordOf(type)}`
  const there = count === 0 ? `no ${what} yet` : count === 1 ? `only one ${what}` : `only ${count} of them`
  return new NothingFound(
    `${typed} names no transaction: the merchant has ${there}`,
    `See what there is: tillbox list${type === undefined ? '' : '; or leave the type out'}`,
  )
}
