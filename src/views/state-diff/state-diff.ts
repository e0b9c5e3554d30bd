import type { MemberChange, StateDiff } from '../../contract/sandbox/checkpoint-answers.ts'
import type { FaultRule } from '../../contract/sandbox/fault-list.ts'
import type { DeliveryOrder } from '../../contract/sandbox/webhooks.ts'
import type { State } from '../../domain/state.ts'
import { offsetInWords } from '../../text/duration-words.ts'
import { changesBetween, diffRecords } from './compared-members.ts'
import { batchesOf, comparedTerminals, comparedTransactions, comparedWebhooks } from './compared-records.ts'

/** A state to compare, and the settings saved with it. */
export interface ComparedState {
  /** Null for the current state. */
  readonly name: string | null
  readonly state: State
  readonly facts: {
    readonly sandboxTime: string
    readonly transactions: number
    readonly settings: {
      readonly clock: { readonly offset: number; readonly frozenAt: number | null }
      readonly faultRules: readonly FaultRule[]
      readonly webhookOrder: DeliveryOrder | null
      readonly webhookHold: boolean
    }
  }
}

/** Differences of the second state from the first: transactions, batches, terminals, webhooks, clock and faults. */
export function diffStates(from: ComparedState, to: ComparedState): StateDiff {
  const differences = {
    transactions: diffRecords(comparedTransactions(from.state), comparedTransactions(to.state)),
    batches: diffRecords(batchesOf(from.state), batchesOf(to.state)),
    terminals: diffRecords(comparedTerminals(from.state), comparedTerminals(to.state)),
    webhooks: diffRecords(comparedWebhooks(from.state), comparedWebhooks(to.state)),
    settings: changesBetween(settingsOf(from), settingsOf(to)),
  }
  const same = Object.values(differences).every((list) => list.length === 0)
  return { from: headOf(from), to: headOf(to), same, ...differences }
}

const headOf = ({ name, facts: { sandboxTime, transactions } }: ComparedState): StateDiff['from'] => ({
  name,
  sandboxTime,
  transactions,
})

function settingsOf({ facts: { settings } }: ComparedState): Record<string, MemberChange['to']> {
  const { clock, faultRules, webhookOrder, webhookHold } = settings
  const faults = faultRules.map(({ id, kind, used }) => `${id} ${kind} (used ${used})`)
  return {
    clock:
      clock.frozenAt === null
        ? offsetInWords(clock.offset)
        : `frozen at ${new Date(clock.frozenAt).toISOString()}`,
    faults: faults.join(', ') || null,
    webhooks: webhookHold ? 'held' : 'sent',
    webhookOrder: webhookOrder && `${webhookOrder.order}${atOnce(webhookOrder)}`,
  }
}

const atOnce = ({ order, concurrency }: DeliveryOrder): string =>
  order === 'concurrent' ? `, ${concurrency} at once` : ''
