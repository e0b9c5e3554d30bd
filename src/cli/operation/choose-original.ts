import { control, type Target } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import { formatAmount } from '../../contract/currencies.ts'
import { type OperationName, operations } from '../../contract/operations.ts'
import type { TransactionRow } from '../../contract/sandbox/transaction-list.ts'
import { statusWordOf, typeWordOf } from '../../contract/statuses.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { inColumns } from '../input/choose-listed.ts'
import { choose } from '../input/prompt.ts'

/** Transactions that are looked at, and offered, at most. */
const mostLookedAt = 1_000
const mostOffered = 30

/**
 * Up to `limit` transactions that an operation can act on, by the rules of the sandbox, newest first; one that completed
 * counts by its completion. Errors: as `control`.
 */
export async function originalsFor(
  name: OperationName,
  target: SandboxAddress,
  limit: number,
  filters: Readonly<Record<string, string>> = {},
): Promise<readonly TransactionRow[]> {
  const wanted = { ...filters, allows: name, limit: String(mostLookedAt) }
  const { transactions } = await control(target, 'transactions', wanted)
  return transactions.toSorted((one, other) => endOf(other) - endOf(one)).slice(0, limit)
}

const endOf = ({ completedAt, createdAt }: TransactionRow): number => Date.parse(completedAt ?? createdAt)

/** Asks for the original of an operation, newest first. Errors: UsageError when there is none; as `control`. */
export async function chooseOriginal(name: OperationName, target: Target): Promise<string> {
  const fitting = await originalsFor(name, target, mostOffered)
  if (fitting.length > 0) return choose('Which transaction? (times in UTC)', choicesOf(fitting))
  throw new UsageError(
    `There is no transaction to act on with tillbox ${operations[name].command}`,
    'See what there is: tillbox list',
  )
}

const choicesOf = (rows: readonly TransactionRow[]) =>
  inColumns(
    rows.map(({ transactionId, createdAt, type, amount, currency, status }) => [
      transactionId,
      [
        createdAt.slice(0, 19).replace('T', ' '),
        typeWordOf(type),
        `${formatAmount(amount, currency)} ${currency}`,
        statusWordOf(status),
        transactionId,
      ],
    ]),
  )

/** Asks for an open session of the hosted payment page. Errors: UsageError when there is none; as `control`. */
export async function chooseSession(target: Target): Promise<string> {
  const { sessions } = await control(target, 'sessions', { state: 'open', limit: String(mostOffered) })
  if (sessions.length === 0)
    throw new UsageError('No session is open', 'Open one: tillbox checkout create --amount 24.90')
  return choose(
    'Which session? (times in UTC)',
    inColumns(
      sessions.map(({ sessionId, createdAt, amount, currency }) => [
        sessionId,
        [
          createdAt.slice(0, 19).replace('T', ' '),
          `${formatAmount(amount, currency)} ${currency}`,
          sessionId,
        ],
      ]),
    ),
  )
}
