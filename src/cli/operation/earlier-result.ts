import { string } from '@oclif/core/flags'
import { call, control } from '../../client/client.ts'
import type { FoundSandbox, SandboxAddress } from '../../client/discover.ts'
import type { TransactionRow } from '../../contract/control/transaction-list.ts'
import { commandArgument } from '../../contract/operation-members.ts'
import type { MerchantAnswer } from '../../contract/operations/look-ups.ts'
import { type OperationName, operations } from '../../contract/operations.ts'
import { rowInWords } from '../../contract/presentation/status.ts'
import { parseStatuses, paymentTypes, statusWords, typeNamed, typeWords } from '../../contract/statuses.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import { capitalize } from '../../shared/text/words.ts'
import type { Profile } from '../connection/profile.ts'
import { requireSandbox } from '../connection/sandbox-address.ts'
import { NothingFound, UsageError } from '../errors/exit-codes.ts'
import { clean } from '../output/clean.ts'
import { tell } from '../output/color.ts'

const mostLookedAt = 1_000

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

/** The parts of a name such as `@last-1:sale`; undefined for an id. */
export function earlierResult(typed: string): RegExpExecArray | undefined {
  if (!typed.startsWith('@')) return undefined
  const parts = /^@last(?:-(\d{1,3}))?(?::([\w-]+))?$/.exec(typed)
  if (parts !== null) return parts
  throw new UsageError(
    `${typed} names no earlier result`,
    'Use @last, @last-1 for the one before, or @last:auth for the last of a type; or a transaction id',
  )
}

/**
 * The transaction id as typed, or that of a name such as `@last`, which counts the merchant's transactions
 * from the newest; for a follow-up, a name without a word only counts those that `operation` can act on.
 * Standard error shows it. assumption: earlier-results
 */
export async function resolveTransactionId(
  typed: string,
  owner: Owner,
  operation: OperationName = 'query',
): Promise<string> {
  const parts = earlierResult(typed)
  if (parts === undefined) return typed
  const [back, word] = [Number(parts[1] ?? 0), parts[2]]
  const isMeant = word === undefined ? () => true : meantBy(typed, word)
  await requireSandbox(owner, typed)
  const merchant = await owner.merchantId()
  const isFollowUp = word === undefined && commandArgument(operation)?.member === 'originalTransactionId'
  const newest = async () => {
    const limit = word === undefined ? back + 1 : mostLookedAt
    return (await control(owner.target, 'transactions', { merchant, limit })).transactions.filter(isMeant)
  }
  const transactions = isFollowUp
    ? await (await import('./ask-missing.ts')).originalsFor(operation, owner.target, back + 1, { merchant })
    : await newest()
  const transaction = transactions[back]
  if (transaction === undefined) {
    const fitting = isFollowUp ? ` that tillbox ${operations[operation].command} can act on` : ''
    throw new NothingFound(`${typed} names no transaction${fitting}`, 'See what there is: `tillbox list`')
  }
  const { type, amount, state } = rowInWords(transaction)
  tell(`${typed} is ${clean(`${transaction.transactionId}: ${type}, ${amount}, ${state}`)}\n`)
  return transaction.transactionId
}

/** `--transaction` of a command about one transaction, also by a name such as `@last`. `what`: its use. */
export const transactionFlag = (what: string) => ({
  transaction: string({ description: `${what}; @last is the newest.`, helpValue: '<id>' }),
})

/** The id that `--transaction` names; undefined where it was not typed. */
export const flaggedTransaction = async (
  { transaction }: { readonly transaction?: string | undefined },
  sandbox: FoundSandbox,
): Promise<string | undefined> => transaction && resolveTransactionId(transaction, ownerIn(sandbox))

/** What a word means: a type, a status, or `payment`. */
function meantBy(typed: string, word: string): (row: TransactionRow) => boolean {
  if (word === 'payment') return ({ type }) => paymentTypes.includes(type)
  const type = typeNamed(word)
  if (type !== undefined) return (row) => row.type === type
  const statuses = parseStatuses(word)
  if (statuses !== undefined) return ({ status }) => statuses.includes(status)
  throw new UsageError(
    `${typed}: there is no type or status of transaction ${word}`,
    capitalize(suggestion(word, ['payment', ...statusWords, ...typeWords])),
  )
}
