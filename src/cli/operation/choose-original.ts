import { control, type Target } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import { formatAmount } from '../../contract/currencies.ts'
import {
  type AmendingName,
  isAmending,
  type Operation,
  type OperationName,
  operations,
} from '../../contract/operations.ts'
import type { Story } from '../../contract/sandbox/control-answers.ts'
import type { TransactionRow } from '../../contract/sandbox/transaction-list.ts'
import {
  paymentTypes,
  statusWordOf,
  type TransactionType,
  typeWordOf,
  voidableTypes,
} from '../../contract/statuses.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { inColumns } from '../input/choose-listed.ts'
import { choose } from '../input/prompt.ts'

/** Transactions that are looked at, and offered, at most. */
const mostLookedAt = 1_000
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

/**
 * Up to `limit` transactions that an operation can act on, newest first; one that completed counts by its completion.
 * Errors: as `control`.
 */
export async function originalsFor(
  name: OperationName,
  target: SandboxAddress,
  limit: number,
  filters: Readonly<Record<string, string>> = {},
  isMeant: (row: TransactionRow) => boolean = () => true,
): Promise<readonly TransactionRow[]> {
  const rule = ruleOf(name)
  const { transactions } = await control(target, 'transactions', {
    ...filters,
    limit: String(mostLookedAt),
    ...(rule.status && { status: rule.status }),
  })
  const listed = transactions
    .filter(
      (row) =>
        isMeant(row) &&
        (rule.types === undefined || rule.types.includes(row.type)) &&
        (rule.online === undefined || rule.online === (row.terminalSn === null)),
    )
    .sort((one, other) => endOf(other) - endOf(one))
  const found: TransactionRow[] = []
  for (const row of listed) {
    if (found.length === limit) break
    if (await fits(rule, target, row)) found.push(row)
  }
  return found
}

const endOf = ({ completedAt, createdAt }: TransactionRow): number => Date.parse(completedAt ?? createdAt)

async function fits(
  { fits: isFit }: OriginalRule,
  target: SandboxAddress,
  row: TransactionRow,
): Promise<boolean> {
  const names = { id: row.transactionId }
  return isFit === undefined || isFit(await control(target, 'transaction', undefined, { names }))
}

/** Asks for the original of an operation, newest first. Errors: UsageError when there is none; as `control`. */
export async function chooseOriginal(name: OperationName, target: Target): Promise<string> {
  const { types } = ruleOf(name)
  const fitting = await originalsFor(name, target, mostOffered)
  if (fitting.length > 0) return choose('Which transaction? (times in UTC)', choicesOf(fitting))
  const { command } = operations[name]
  throw new UsageError(
    `There is no transaction to act on with tillbox ${command}`,
    types?.includes('AUTH') && types.length === 1
      ? 'Pre-authorise an amount first: tillbox auth --amount 10.00'
      : 'Take a payment first: tillbox sale --amount 10.00',
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
