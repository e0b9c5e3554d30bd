import type { Ledger } from '../../../domain/model/ledger.ts'
import { deliveryState } from '../../../domain/model/outbox.ts'
import type { Transaction } from '../../../domain/model/transaction.ts'
import type { OwnedTransaction } from '../../../views/transaction-text.ts'
import type { LedgerDelivery } from '../../../webhooks/deliveries.ts'
import type { PagesContext } from '../../frame/page-view.tsx'

/** The steps to a first payment, tap and webhook, with their results; undefined until done. */
export interface FirstSteps {
  readonly payment: OwnedTransaction | undefined
  /** The first payment for which a person presented a card at a terminal. */
  readonly tap: OwnedTransaction | undefined
  readonly webhook: LedgerDelivery | undefined
}

/** Up to this number of transactions the home page shows the steps that are left. assumption: dashboard-list */
const firstTransactions = 10

/** The results of the first steps. */
export function firstStepsOf({ statistics }: PagesContext): FirstSteps {
  const { transactions, deliveries } = statistics.current
  return {
    payment: transactions[0],
    tap: transactions.find(({ transaction }) => transaction.presentedByPerson),
    webhook:
      deliveries.count('delivered') === 0
        ? undefined
        : deliveries.all.find(({ delivery }) => deliveryState(delivery) === 'delivered'),
  }
}

/** How many of the steps are done. */
export const countDone = (steps: FirstSteps): number =>
  Object.values(steps).filter((step) => step !== undefined).length

/** True while the home page shows the steps: the sandbox is empty, or has little and a step is left. */
export const isFirstRun = (context: PagesContext): boolean =>
  context.statistics.current.transactions.length <= firstTransactions && countDone(firstStepsOf(context)) < 3

/** The first attended terminal, and its current payment; undefined when the sandbox has none. */
export function attendedTerminal({
  engine,
}: PagesContext):
  | { readonly terminalSn: string; readonly ledger: Ledger; readonly running: Transaction | undefined }
  | undefined {
  for (const ledger of engine.state.ledgers.values())
    for (const { terminalSn, profile, line } of ledger.terminals.values())
      if (profile.mode === 'attended' && profile.online !== false)
        return { terminalSn, ledger, running: ledger.transactions.get(line[0] ?? '') }
  return undefined
}
