import type { TransactionRow } from '../control/transaction-list.ts'
import { type RelatedStatus, type Status, statusWordOf, typeNames } from '../statuses.ts'
import { amountSign, amountText } from './money.ts'

/** How people read the state of a transaction: the same words and groups on pages and in commands. */

/** Statuses that count, and look, as one. */
export type StatusGroup = 'success' | 'fail' | 'closed' | 'open'

/** Every group, in the order of the charts. */
export const statusGroups: readonly StatusGroup[] = ['success', 'fail', 'closed', 'open']

const groupByStatus: Readonly<Record<Status, StatusGroup>> = {
  SUCCESS: 'success',
  FAIL: 'fail',
  CLOSED: 'closed',
  INITIAL: 'open',
  PROCESSING: 'open',
}

/** Both statuses before the final ones count as open. */
export const statusGroupOf = (status: Status): StatusGroup => groupByStatus[status]

/** The group that a state looks like: a payment that was taken back whole looks as one that took no money. */
export const displayGroup = ({ status, relatedTransactionStatus: since }: ReadState): StatusGroup =>
  status === 'SUCCESS' && (since === 'VOIDED' || since === 'REFUNDED') ? 'closed' : statusGroupOf(status)

/** What the word for a state depends on; of another service its status and what was done since. */
export interface ReadState {
  readonly status: Status
  readonly relatedTransactionStatus?: RelatedStatus | null | undefined
  /** What an open transaction shows on its terminal. */
  readonly screen?: string | undefined
  readonly isOnline?: boolean
}

/** The word that a table has for a name of another service, which may be any text. */
const wordIn = (table: Readonly<Record<string, string | undefined>>, name: string | null | undefined) =>
  name != null && Object.hasOwn(table, name) ? table[name] : undefined

/** What later transactions made of an approved one; after a raise it is approved as before. */
const wordsSince: Readonly<Partial<Record<RelatedStatus, string>>> = {
  VOIDED: 'voided',
  CAPTURE: 'captured',
  PART_REFUNDED: 'partially refunded',
  REFUNDED: 'refunded',
}

/** What an open transaction waits for, by the screen of its terminal. */
const waitingWords: Readonly<Record<string, string>> = {
  waiting: 'waiting in line',
  'present-card': 'waiting for card',
  'insert-card': 'waiting for card',
  tip: 'waiting for tip',
  pin: 'waiting for PIN',
  signature: 'waiting for signature',
  processing: 'processing',
  host: 'waiting for host',
  done: 'processing',
}

/** The state in words: `approved`, `declined`, `closed`, `voided`, `partially refunded`, or why it waits. */
export function stateInWords({ status, relatedTransactionStatus, screen, isOnline }: ReadState): string {
  const word = statusWordOf(status)
  if (status === 'SUCCESS') return wordIn(wordsSince, relatedTransactionStatus) ?? word
  if (statusGroupOf(status) !== 'open') return word
  return isOnline && screen === 'waiting' ? 'waiting for shopper' : (wordIn(waitingWords, screen) ?? word)
}

/** A type in words: `sale`, `capture`; an unknown one in small letters. */
export const typeInWords = (type: string): string => (wordIn(typeNames, type) ?? type).toLowerCase()

/** What a line about a transaction says: `refund`, `−4.00 USD`, `approved`. */
export const rowInWords = ({ type, amount, currency, waiting, ...row }: TransactionRow) => ({
  type: typeInWords(type),
  amount: `${amountSign(type)}${amountText(amount, currency)}`,
  state: stateInWords({ ...row, isOnline: waiting?.for === 'shopper' }),
})
