import { control, type Target } from '../../client/client.ts'
import { formatAmount } from '../../contract/currencies.ts'
import {
  type AmendingName,
  isAmending,
  type Operation,
  type OperationName,
  operations,
} from '../../contract/operations.ts'
import type { Story } from '../../contract/sandbox/control-answers.ts'
import type { TransactionRow } from '../../contract/sandbox/transactions/transaction-list.ts'
import {
  paymentTypes,
  statusWordOf,
  type TransactionType,
  typeWordOf,
  voidableTypes,
} from '../../contract/statuses.ts'
import { UsageError } from '../errors/usage-error.ts'
import { inColumns } from '../input/choose-listed.ts'
import { choose } from '../input/prompt.ts'

/** Transactions that are looked at, and offered, at most. */
const mostLookedAt = 60
const mostOffered = 30

/** The transactions that are offered as originals of an operation; the service may still refuse one. */
interface OriginalRule {
  readonly status?: 'approved' | 'pending'
  readonly types?: readonly TransactionType[]
  readonly online?: boolean
  readonly fits?: (story: Story) => boolean
}

const isUntouched = ({ relatedTransactionStatus: related, transactionBatchStatus: batch }: Story): boolean =>
  (related === null || related === 'INCREMENTAL') && batch !== 'C'
const canCapture = ({ tree }: Story): boolean => (tree.leftToCapture ?? 0) > 0
const canRefund = ({ tree }: Story): boolean => (tree.leftToRefund ?? 0) > 0

const authorisation: OriginalRule = { status: 'approved', types: ['AUTH'], online: false, fits: canCapture }

const unsettled: OriginalRule = { status: 'approved', online: false, fits: isUntouched }

/** By the type that a follow-up opens; null where no follow-up opens it. */
const rulesByType: Readonly<Record<TransactionType, OriginalRule | null>> = {
  SALE: null,
  AUTH: null,
  FORCED_AUTH: null,
  INCREMENTAL: authorisation,
  POST_AUTH: authorisation,
  VOID: { ...unsettled, types: voidableTypes },
  REFUND: { status: 'approved', types: paymentTypes, fits: canRefund },
}

/** By the operation that opens none. */
const amendingRules: Readonly<Record<AmendingName, OriginalRule>> = {
  'tip-adjust': { ...unsettled, types: paymentTypes },
  abort: { status: 'pending', online: false, fits: ({ screen }) => screen !== 'host' },
}

function ruleOf(name: OperationName): OriginalRule {
  const { opens, runs }: Operation = operations[name]
  if (opens === undefined) return isAmending(name) ? amendingRules[name] : {}
  return { online: runs === 'cloud', ...rulesByType[opens] }
}

/** Asks for the original of an operation, newest first. Errors: UsageError when there is none; as `control`. */
export async function chooseOriginal(name: OperationName, target: Target): Promise<string> {
  const rule = ruleOf(name)
  const { transactions } = await control(target, 'transactions', {
    limit: String(mostLookedAt),
    ...(rule.status && { status: rule.status }),
  })
  const listed = transactions.filter(
    ({ type, terminalSn }) =>
      (rule.types === undefined || rule.types.includes(type)) &&
      (rule.online === undefined || rule.online === (terminalSn === null)),
  )
  const fitting = await thatFit(rule, target, listed)
  if (fitting.length > 0)
    return choose('Which transaction? (times in UTC)', choicesOf(fitting.slice(0, mostOffered)))
  const { command } = operations[name]
  throw new UsageError(
    `There is no transaction to act on with tillbox ${command}`,
    rule.types?.includes('AUTH') && rule.types.length === 1
      ? 'Pre-authorise an amount first: tillbox auth --amount 10.00'
      : 'Take a payment first: tillbox sale --amount 10.00',
  )
}

async function thatFit(
  { fits }: OriginalRule,
  target: Target,
  rows: readonly TransactionRow[],
): Promise<TransactionRow[]> {
  if (fits === undefined) return [...rows]
  const stories = await Promise.all(
    rows.map(({ transactionId: id }) => control(target, 'transaction', undefined, { names: { id } })),
  )
  return rows.filter((_, index) => fits(stories[index] as Story))
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
