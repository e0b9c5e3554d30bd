import { sharedTimeline } from '../../../domain/model/timeline.ts'
import type { Transaction } from '../../../domain/model/transaction.ts'

/** Strings seen so far, up to a limit: each is kept once, however many transactions have it. */
const sharedTexts = new Map<string, string>()
const maxSharedTexts = 10_000

function shared(text: string): string {
  const known = sharedTexts.get(text)
  if (known !== undefined) return known
  if (sharedTexts.size < maxSharedTexts) sharedTexts.set(text, text)
  return text
}

type Writable<T> = { -readonly [M in keyof T]: T[M] }

/** A parsed transaction whose common strings are shared with other transactions: a parser makes new copies. */
export function withSharedTexts(transaction: Writable<Transaction>): Transaction {
  const { terminalSn, description, card, outcome } = transaction
  if (terminalSn !== null) transaction.terminalSn = shared(terminalSn)
  if (description !== null) transaction.description = shared(description)
  if (card !== null) transaction.card = shared(card)
  if (outcome !== null) transaction.outcome = shared(outcome)
  transaction.timeline = sharedTimeline(transaction.timeline)
  return transaction
}
