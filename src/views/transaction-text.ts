import { exponentOf } from '../contract/currencies.ts'
import { type AmountBound, isWithin, readMajorUnits } from '../contract/sandbox/transactions/amount-range.ts'
import { cardReadOf } from '../domain/model/cards.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { amountOf, type Transaction } from '../domain/model/transaction.ts'

/** A transaction with its ledger. */
export interface OwnedTransaction {
  readonly ledger: Ledger
  readonly transaction: Transaction
}

type Match = (owned: OwnedTransaction) => boolean

/**
 * A test whether each word of a text is found in a transaction: in its ids, order, description, result or card, or as
 * its amount. assumption: dashboard-search
 */
export function textMatcher(text: string): Match {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).map(wordMatcher)
  return (owned) => words.every((matches) => matches(owned))
}

function wordMatcher(word: string): Match {
  const isCardEnd = /^\d{4}$/.test(word)
  const isName = /^[a-z]/.test(word)
  const isShortNumber = /^\d{1,3}$/.test(word) // an id holds it by chance
  const amount = amountIn(word)
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
      ((isCardEnd || isName) && hasCard(owned, word, isCardEnd))
    )
  }
}

const contains = (text: string | null, word: string): boolean => text?.toLowerCase().includes(word) === true

/** Whether the card's network contains a word, or its masked number ends with it. */
export function hasCard(
  { ledger, transaction }: OwnedTransaction,
  word: string,
  isCardEnd: boolean,
): boolean {
  const card = cardReadOf(ledger, transaction)
  if (card === null) return false
  return isCardEnd ? card.maskedPan?.endsWith(word) === true : contains(card.paymentMethod, word)
}

const hasAmount = (transaction: Transaction, amount: AmountBound): boolean =>
  isWithin({ from: amount, to: amount }, amountOf(transaction), exponentOf(transaction.currency) ?? 0)

/** `23.99`, `$23.99` or `1,234.50`; undefined for any other word. */
function amountIn(word: string): AmountBound | undefined {
  const digits = word.replace(/^\p{Sc}/u, '')
  const isGrouped = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits)
  return readMajorUnits(isGrouped ? digits.replaceAll(',', '') : digits)
}
