import { type Card, cardNamed, cards, type Outcome, outcomeNamed, outcomes } from '../fixtures.ts'
import type { CardRead, Terminal, Transaction, Wishes } from './ledger.ts'

/** The rule that decided an outcome, in the order they are tried. assumption: outcome-order */
export type OutcomeRule = 'header' | 'queue' | 'person' | 'terminal' | 'amount' | 'card' | 'default'

/** An outcome and the rule that decided it. */
export interface Decision {
  readonly outcome: Outcome
  readonly rule: OutcomeRule
}

const byAmount = new Map(outcomes.flatMap((outcome) => (outcome.amount ? [[outcome.amount, outcome]] : [])))
const byMethod = new Map(cards.filter((card) => card.outcome).map((card) => [maskedPan(card), card]))
const approval = outcomes[0] as Outcome

/** First rule that applies. The trigger amounts are those of the service's public sandbox, compared to orderAmount. */
export function outcomeFor(transaction: Transaction, terminal: Terminal | undefined): Decision {
  const named = (name: string | undefined, rule: OutcomeRule): Decision | undefined => {
    const outcome = name === undefined ? undefined : outcomeNamed(name)
    return outcome && { outcome, rule }
  }
  const amount = byAmount.get(transaction.order)
  return (
    named(transaction.wishes?.outcome, 'header') ??
    named(terminal?.queue[0]?.outcome, 'queue') ??
    named(terminal?.profile.outcome, 'terminal') ??
    (amount && transaction.type !== 'VOID' ? { outcome: amount, rule: 'amount' } : undefined) ??
    named(byMethod.get(transaction.card?.maskedPan ?? null)?.outcome, 'card') ?? {
      outcome: approval,
      rule: 'default',
    }
  )
}

/** The card that a person would present: the terminal's own, else the first that fits what the request asks for. */
export function cardFor(terminal: Terminal, wishes: Wishes | null): Card {
  const own = terminal.profile.card === undefined ? undefined : cardNamed(terminal.profile.card)
  return own ?? cards.find((card) => fits(card, wishes)) ?? (cards[0] as Card)
}

function fits(card: Card, wishes: Wishes | null): boolean {
  if (card.outcome !== undefined) return false
  const [category, type] = wishes?.category?.split('-') ?? []
  if (category !== undefined && card.category !== category) return false
  if (category === 'CARD' && type !== undefined && card.cardNetworkType !== type) return false
  if (wishes?.method !== undefined && category !== 'CARD' && card.paymentMethod !== wishes.method)
    return false
  const network = wishes?.cardNetworkType
  return network === undefined || network === 'UNKNOWN' || card.cardNetworkType === network
}

/** What is kept of a card. */
export const readCard = (card: Card): CardRead => ({
  maskedPan: maskedPan(card),
  cardNetworkType: card.cardNetworkType,
  paymentMethod: card.paymentMethod,
  subPaymentMethod: card.subPaymentMethod ?? null,
  entryMode: card.entryMode,
  authenticationMethod: card.authenticationMethod,
})

/** First six and last four digits. spec: Transaction record, maskedPan */
function maskedPan(card: Card): string | null {
  const number = card.number
  return number === undefined ? null : number.slice(0, 6) + '*'.repeat(number.length - 10) + number.slice(-4)
}
