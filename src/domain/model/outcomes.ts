import { takesBack } from '../../contract/statuses.ts'
import type { Outcome } from '../../fixtures.ts'
import type { Ledger, Terminal } from './ledger.ts'
import type { OutcomeRule, Transaction } from './transaction.ts'

/** An outcome and the rule that decided it. */
export interface Decision {
  readonly outcome: Outcome
  readonly rule: OutcomeRule
}

/**
 * The outcome by the first rule that applies. Trigger amounts are those of the service's public sandbox, and are
 * compared to orderAmount. They select no outcome of what takes money back: a partial refund must not fail by
 * coincidence. assumption: outcome-order
 */
export function outcomeFor(
  { catalogue }: Pick<Ledger, 'catalogue'>,
  transaction: Transaction,
  terminal: Terminal | undefined,
): Decision {
  const named = (name: string | undefined, rule: OutcomeRule): Decision | undefined => {
    const outcome = name === undefined ? undefined : catalogue.outcomeNamed(name)
    return outcome && { outcome, rule }
  }
  const amount = catalogue.outcomeOfAmount(transaction.order)
  return (
    named(transaction.instructions?.outcome, 'header') ??
    named(terminal?.queue[0]?.outcome, 'queue') ??
    (transaction.rule === 'person' ? named(transaction.outcome ?? undefined, 'person') : undefined) ??
    named(terminal?.profile.outcome, 'terminal') ??
    (amount && !takesBack(transaction.type) ? { outcome: amount, rule: 'amount' } : undefined) ??
    named(catalogue.cardNamed(transaction.card ?? '')?.outcome, 'card') ?? {
      outcome: catalogue.approval,
      rule: 'default',
    }
  )
}
