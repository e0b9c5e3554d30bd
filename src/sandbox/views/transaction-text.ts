import {
  type AmountBound,
  type AmountRange,
  isWithin,
  onlineTerminal,
  readMajorUnits,
  type TransactionRow,
} from '../../contract/control/transaction-list.ts'
import { exponentOf } from '../../contract/currencies.ts'
import type { Status, TransactionType } from '../../contract/statuses.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import { totalOrZero } from '../../domain/model/parts.ts'
import { amountOf, type Transaction } from '../../domain/model/transaction.ts'
import { relatedStatusOf } from '../../domain/original-effects.ts'
import { waitingReason } from '../../domain/screen-flow.ts'
import { nextTurn } from '../../shared/timers.ts'

/** A transaction with its ledger. */
export interface OwnedTransaction {
  readonly ledger: Ledger
  readonly transaction: Transaction
}

/** The ledgers of a state, by merchant. */
export type Ledgers = ReadonlyMap<string, Ledger>

/** A transaction and its ledger; undefined for an unknown id. */
export const transactionIn = (ledgers: Ledgers, id: string) =>
  firstIn(ledgers, ({ transactions }) => transactions.get(id))

/** The transaction that a request opened, and its ledger; undefined where it opened none. */
export const openedIn = (ledgers: Ledgers, transactionRequestId: string) =>
  firstIn(ledgers, ({ transactions }) => transactions.withTransactionRequestId(transactionRequestId))

/** The transaction of a hosted page and its ledger; undefined for an unknown id, and a forgotten one. */
export const sessionIn = (ledgers: Ledgers, sessionId: string) =>
  firstIn(ledgers, ({ transactions }) => transactions.ofSession(sessionId))

function firstIn(ledgers: Ledgers, find: (ledger: Ledger) => Transaction | undefined) {
  for (const ledger of ledgers.values()) {
    const transaction = find(ledger)
    if (transaction !== undefined) return { ledger, transaction }
  }
  return undefined
}

type Match = (owned: OwnedTransaction) => boolean

/**
 * A test whether each word of a text is found in a transaction: in its ids, order, description, result or
 * card, or as its amount. assumption: dashboard-list
 */
export function textMatcher(text: string): Match {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).map(wordMatcher)
  return (owned) => words.every((matches) => matches(owned))
}

function wordMatcher(word: string): Match {
  const isCardEnd = /^\d{4}$/.test(word)
  const isName = /^[a-z]/.test(word)
  const isShortNumber = /^\d{1,3}$/.test(word) // an id holds it by chance
  const amount = searchedAmount(word)
  return (owned) => {
    const { transaction } = owned
    return (
      (amount !== undefined && hasAmount(transaction, amount)) ||
      transaction.resultCode?.toLowerCase() === word ||
      (isShortNumber
        ? transaction.id === word || transaction.transactionRequestId === word
        : contains(transaction.id, word) || contains(transaction.transactionRequestId, word)) ||
      contains(transaction.orderId, word) ||
      contains(transaction.description, word) ||
      contains(transaction.resultMsg, word) ||
      ((isCardEnd || isName) && hasCard(transaction, word, isCardEnd))
    )
  }
}

const contains = (text: string | null, word: string): boolean => text?.toLowerCase().includes(word) === true

/** Whether the card's network contains a word, or its masked number ends with it. */
function hasCard({ cardRead: card }: Transaction, word: string, isCardEnd: boolean): boolean {
  if (card === null) return false
  return isCardEnd ? card.maskedPan?.endsWith(word) === true : contains(card.paymentMethod, word)
}

const hasAmount = (transaction: Transaction, amount: AmountBound): boolean =>
  isWithin({ from: amount, to: amount }, amountOf(transaction), exponentOf(transaction.currency) ?? 0)

/** `23.99`, `$23.99` or `1,234.50`; undefined for any other word. */
function searchedAmount(word: string): AmountBound | undefined {
  const digits = word.replace(/^\p{Sc}/u, '')
  const isGrouped = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits)
  return readMajorUnits(isGrouped ? digits.replaceAll(',', '') : digits)
}

const isDone = {
  refunded: ({ followUps }: Transaction) => totalOrZero(followUps?.refunded) > 0,
  voided: ({ followUps }: Transaction) => followUps?.voided === true,
  captured: ({ followUps }: Transaction) => followUps?.captured === true,
} as const

/** What later operations did to a transaction; a part refunded counts as refunded. */
type FollowUpWord = keyof typeof isDone

export const followUpWords = Object.keys(isDone) as readonly FollowUpWord[]

/** Filters for transactions; an absent one matches all. assumption: list-filters */
interface TransactionFilters {
  readonly statuses?: readonly Status[] | undefined
  readonly type?: TransactionType | undefined
  /** Serial number, or `online` for those on no terminal. */
  readonly terminal?: string | undefined
  readonly orderId?: string | undefined
  /** Last four digits of the card. */
  readonly last4?: string | undefined
  /** What was done to it since. */
  readonly followUp?: FollowUpWord | undefined
  /** Words that must all occur in a transaction. */
  readonly text?: string | undefined
  /** Sandbox time from which on they were created, in milliseconds. */
  readonly since?: number | undefined
  /** Sandbox time before which they were created, in milliseconds. */
  readonly until?: number | undefined
  readonly amount?: AmountRange | undefined
}

/** A test whether a transaction passes the filters, for the dashboard and the control interface. */
export function transactionMatcher(filters: TransactionFilters): (owned: OwnedTransaction) => boolean {
  const { statuses, type, terminal, orderId, last4, followUp, text, since, until, amount } = filters
  const contains = text === undefined ? undefined : textMatcher(text)
  return ({ ledger, transaction }) =>
    (statuses === undefined || statuses.includes(transaction.status)) &&
    (type === undefined || transaction.type === type) &&
    (terminal === undefined || (transaction.terminalSn ?? onlineTerminal) === terminal) &&
    (orderId === undefined || transaction.orderId === orderId) &&
    (last4 === undefined || hasCard(transaction, last4, true)) &&
    (since === undefined || transaction.createdAt >= since) &&
    (until === undefined || transaction.createdAt < until) &&
    (followUp === undefined || isDone[followUp](transaction)) &&
    (amount === undefined ||
      isWithin(amount, amountOf(transaction), exponentOf(transaction.currency) ?? 0)) &&
    (contains === undefined || contains({ ledger, transaction }))
}

/** Transactions that are read in one turn of the event loop. */
const transactionsPerTurn = 2_000

/** A search for transactions: each match is shown as it was when it was found. */
interface TransactionSearch<T> {
  readonly matches: (owned: OwnedTransaction) => boolean
  readonly show: (owned: OwnedTransaction) => T
  /** Most that are found. */
  readonly limit: number
}

interface MatchingTransaction<T> {
  readonly id: string
  readonly shown: T
}

/** The newest that match, newest first, found in turns of the event loop: payments go on meanwhile. */
export async function newestTransactions<T>(
  ledgers: Iterable<Ledger>,
  search: TransactionSearch<T>,
): Promise<T[]> {
  const found: MatchingTransaction<T>[] = []
  for (const ledger of [...ledgers]) await searchLedger(ledger, search, found)
  found.sort((one, other) => Number(other.id) - Number(one.id))
  return found.slice(0, search.limit).map(({ shown }) => shown)
}

/** Adds the newest of a ledger that match; ids ascend in it. */
async function searchLedger<T>(
  ledger: Ledger,
  { matches, show, limit }: TransactionSearch<T>,
  found: MatchingTransaction<T>[],
): Promise<void> {
  const most = found.length + limit
  let readCount = 0
  for (const transaction of ledger.transactions.newest()) {
    const owned = { ledger, transaction }
    if (matches(owned)) found.push({ id: transaction.id, shown: show(owned) })
    if (found.length === most) return
    readCount += 1
    if (readCount % transactionsPerTurn === 0) await nextTurn()
  }
}

/** A transaction in a list. */
export function transactionRow({ ledger, transaction }: OwnedTransaction): TransactionRow {
  const { cardRead: card } = transaction
  return {
    transactionId: transaction.id,
    transactionRequestId: transaction.transactionRequestId,
    referenceOrderId: transaction.orderId,
    originalTransactionId: transaction.originalId,
    merchantId: ledger.settings.merchantId,
    terminalSn: transaction.terminalSn,
    type: transaction.type,
    status: transaction.status,
    relatedTransactionStatus: relatedStatusOf(transaction),
    screen: transaction.screen,
    amount: amountOf(transaction),
    currency: transaction.currency,
    card: card && [card.paymentMethod, card.maskedPan].filter(Boolean).join(' '),
    resultCode: transaction.resultCode,
    resultMessage: transaction.resultMsg,
    waiting: waitingReason(ledger, transaction),
    createdAt: new Date(transaction.createdAt).toISOString(),
    completedAt: transaction.completedAt === null ? null : new Date(transaction.completedAt).toISOString(),
  }
}
