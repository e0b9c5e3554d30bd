import type { TransactionType } from '../../contract/statuses.ts'
import { approval, cardNamed, type Outcome, outcomeNamed, outcomes } from '../../fixtures.ts'
import type { Terminal } from './ledger.ts'
import type { OutcomeRule, Transaction } from './transaction.ts'

/** An outcome and the rule that decided it. */
export interface Decision {
  readonly outcome: Outcome
  readonly rule: OutcomeRule
}

const byAmount = new Map(outcomes.flatMap((outcome) => (outcome.amount ? [[outcome.amount, outcome]] : [])))

/** Amounts decide payments only: a partial refund must not fail by chance. assumption: outcome-order */
const takesBack: ReadonlySet<TransactionType> = new Set(['REFUND', 'VOID'])

/** First rule that applies. The trigger amounts are those of the service's public sandbox, compared to orderAmount. */
export function outcomeFor(transaction: Transaction, terminal: Terminal | undefined): Decision {
  const named = (name: string | undefined, rule: OutcomeRule): Decision | undefined => {
    const outcome = name === undefined ? undefined : outcomeNamed(name)
    return outcome && { outcome, rule }
  }
  const amount = byAmount.get(transaction.order)
  return (
    named(transaction.instructions?.outcome, 'header') ??
    named(terminal?.queue[0]?.outcome, 'queue') ??
    (transaction.rule === 'person' ? named(transaction.outcome ?? undefined, 'person') : undefined) ??
    named(terminal?.profile.outcome, 'terminal') ??
    (amount && !takesBack.has(transaction.type) ? { outcome: amount, rule: 'amount' } : undefined) ??
    named(cardNamed(transaction.card ?? '')?.outcome, 'card') ?? {
      outcome: approval,
      rule: 'default',
    }
  )
}
