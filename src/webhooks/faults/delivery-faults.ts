import { isOnline, type Operation, operationNames, operations } from '../../contract/operations.ts'
import type { FaultRule } from '../../contract/sandbox/fault-list.ts'
import { type FaultShare, faultShares, shareMembers } from '../../contract/sandbox/fault-shares.ts'
import { faultsFrom, noFaults } from '../../contract/sandbox/webhooks.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Delivery } from '../../domain/model/outbox.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import type { FaultRules, FaultTarget } from '../../faults/fault-rules.ts'
import { randomFrom } from '../../faults/seeded-random.ts'
import { type DrawnFaults, draws } from './drawn-faults.ts'

/** The stage at which a fault acts: on the order of deliveries, the delay of the first attempt, or one attempt. */
type Stage = 'order' | 'delay' | 'attempt'

/** The current faults of a delivery; those of an attempt count as used. */
export type DeliveryFaults = (ledger: Ledger, delivery: Delivery, stage: Stage) => DrawnFaults

/** Kinds of attempt faults, in the order in which they are drawn. */
const drawnKinds: readonly string[] = Object.values(faultShares).map(({ kind }) => kind)

/**
 * Chooses faults by the rules. A drawn fault is returned with share 1. Setting the same seed again repeats the draws.
 * assumption: webhook-faults
 */
export const deliveryFaults =
  (rules: FaultRules): DeliveryFaults =>
  (ledger, delivery, stage) => {
    if (rules.isEmpty) return noFaults
    const target = targetOf(ledger, delivery)
    const { number } = delivery
    const after = (rule: FaultRule) => rules.drawsAfter(rule, ledger.settings.merchantId)
    if (stage === 'attempt') return attemptFaults(rules, target, delivery, after)
    for (const { rule, fault } of rules.thatFit(target)) {
      const { seed, share } = rule
      if (stage === 'order' && fault.kind === 'reorder')
        return { ...faultsFrom({ reorder: fault.among, seed }), after: after(rule) }
      if (stage !== 'delay' || fault.kind !== 'delay') continue
      if (share === null || randomFrom(seed, number - after(rule), draws.isDelayed)() < share)
        return { ...faultsFrom({ delayMs: [fault.from, fault.to], seed }), after: after(rule) }
    }
    return noFaults
  }

function attemptFaults(
  rules: FaultRules,
  target: FaultTarget,
  { number, attempts }: Delivery,
  after: (rule: FaultRule) => number,
): DrawnFaults {
  const hit: { [member in FaultShare]?: 1 } = {}
  for (const { rule, fault } of rules.thatFit(target)) {
    const kindIndex = drawnKinds.indexOf(fault.kind)
    const member = shareMembers[kindIndex]
    if (member === undefined || hit[member]) continue
    const next = randomFrom(rule.seed, number - after(rule), attempts)
    for (let skipped = 0; skipped < kindIndex; skipped++) next()
    if (rule.share !== null && next() >= rule.share) continue
    hit[member] = 1
    rules.use(rule)
  }
  return faultsFrom(hit)
}

/** The facts of a delivery by which rules are matched: those of its transaction. */
function targetOf(ledger: Ledger, { transactionId }: Delivery): FaultTarget {
  const transaction = ledger.transactions.get(transactionId)
  return {
    operations: transaction === undefined ? [] : operationsOf(transaction),
    merchantId: ledger.settings.merchantId,
    amount: transaction?.order,
    terminalSn: () => transaction?.terminalSn,
  }
}

/** Operations that open a transaction of this kind. */
const operationsOf = ({ type, online }: Transaction): readonly string[] =>
  operationNames.filter((name) => {
    const operation: Operation = operations[name]
    return operation.opens === type && isOnline(operation) === (online !== null)
  })
