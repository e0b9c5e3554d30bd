import { type AttemptFault, attemptFaultNames, type FaultOf } from '../../contract/control/attempt-faults.ts'
import type { FaultRule } from '../../contract/control/fault-list.ts'
import { isOnline, operationNames, operationRow } from '../../contract/operations.ts'
import type { SignedContent, Signing } from '../../contract/signature/signature.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Delivery } from '../../domain/model/outbox.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import { randomFrom } from '../../shared/seeded-random.ts'
import type { FaultRules, FaultTarget } from '../faults/fault-rules.ts'

/** The current faults of the deliveries of a ledger. */
export type DeliveryFaults = (ledger: Ledger) => LedgerFaults

/** Faults injected into one attempt. */
export type InjectedFaults = ReadonlySet<AttemptFault>

/** How a delivery that is the first in line lets others pass. */
export interface Reorder {
  /** How many deliveries of the line may be next. */
  readonly among: number
  readonly seed: number
  /** Number of the delivery in the draws of its rule. */
  readonly number: number
}

/** What is drawn for a delivery besides the faults of its attempts; each has random numbers of its own. */
const draws = { isDelayed: 0x64656c61, delay: 0x74696d65, order: 0x6f726472 } as const

/**
 * Chooses the faults of deliveries by the rules. Setting the same seed again repeats the draws. assumption:
 * webhook-faults
 */
export class LedgerFaults {
  constructor(
    private readonly rules: FaultRules,
    private readonly ledger: Ledger,
  ) {}

  /** Undefined without a fault: the first in line is next. */
  reorder(first: Delivery): Reorder | undefined {
    for (const { rule, fault, number } of this.#thatFit(first))
      if (fault.kind === 'reorder') return { among: fault.among, seed: rule.seed, number }
    return undefined
  }

  /** Delay of the first attempt, in milliseconds. */
  delay(delivery: Delivery): number {
    for (const { rule, fault, number } of this.#thatFit(delivery)) {
      if (fault.kind !== 'delay') continue
      const { seed, share } = rule
      if (share !== null && randomFrom(seed, number, draws.isDelayed)() >= share) continue
      return Math.round(fault.from + randomFrom(seed, number, draws.delay)() * (fault.to - fault.from))
    }
    return 0
  }

  /** Draws the faults of the next attempt, which count as used; `giveBack`: where none was made. */
  draw(delivery: Delivery) {
    const injected = new Set<AttemptFault>()
    const used: FaultRule[] = []
    for (const { rule, fault, number } of this.#thatFit(delivery)) {
      const index = attemptFaultNames.indexOf(fault.kind as AttemptFault)
      const name = attemptFaultNames[index]
      if (name === undefined || injected.has(name)) continue
      const next = randomFrom(rule.seed, number, delivery.attempts)
      for (let skipped = 0; skipped < index; skipped++) next()
      if (rule.share !== null && next() >= rule.share) continue
      injected.add(name)
      this.rules.use(rule)
      used.push(rule)
    }
    const giveBack = () => {
      for (const rule of used) this.rules.giveBack(rule)
    }
    return { injected, giveBack }
  }

  /** The rules that match a delivery, each with the number of the delivery in its draws. */
  *#thatFit(delivery: Delivery) {
    if (this.rules.isEmpty) return
    const { merchantId } = this.ledger.settings
    for (const { rule, fault } of this.rules.thatFit(deliveryTarget(this.ledger, delivery)))
      yield { rule, fault, number: delivery.number - this.rules.drawsAfter(rule, merchantId) }
  }
}

/** The facts of a delivery by which rules are matched: those of its transaction. */
function deliveryTarget(ledger: Ledger, { transactionId }: Delivery): FaultTarget {
  const transaction = ledger.transactions.get(transactionId)
  return {
    operations: transaction === undefined ? [] : openingOperations(transaction),
    merchantId: ledger.settings.merchantId,
    amount: transaction?.order,
    terminalSn: () => transaction?.terminalSn,
  }
}

/** Operations that open a transaction of this kind. */
const openingOperations = ({ type, online }: Transaction): readonly string[] =>
  operationNames.filter((name) => {
    const operation = operationRow(name)
    return operation.opens === type && isOnline(operation) === (online !== null)
  })

/** Age of a stale timestamp in milliseconds, and the secret of a bad signature. */
const [staleBy, wrongSecret] = [3_600_000, 'whsec_d3JvbmcgZG9uZSBvbiBwdXJwb3Nl']

type SignatureInput = [signing: Signing, signed: SignedContent]

/** How each fault of the signature changes its input. */
const signatureFaults: {
  readonly [F in FaultOf<'signature'>]: (input: SignatureInput) => SignatureInput
} = {
  'bad-signature': ([signing, signed]) => [{ ...signing, secrets: [wrongSecret] }, signed],
  stale: ([signing, signed]) => [signing, { ...signed, at: signed.at - staleBy }],
}
const signatureFaultNames = Object.keys(signatureFaults) as (keyof typeof signatureFaults)[]

/** The signature input of an attempt, with its injected faults. */
export function signedWithFaults(injected: InjectedFaults, ...input: SignatureInput): SignatureInput {
  let changed = input
  for (const name of signatureFaultNames) if (injected.has(name)) changed = signatureFaults[name](changed)
  return changed
}

/** How often a notification is sent with each fault of sending: a listener learns only these two. */
const timesWith: Readonly<Record<FaultOf<'sending'>, 0 | 2>> = { drop: 0, duplicate: 2 }

/** How often an attempt sends its notification: once, or as the first of its faults of sending says. */
export function timesSent(injected: InjectedFaults): 0 | 1 | 2 {
  const name = attemptFaultNames.find((each) => each in timesWith && injected.has(each))
  return name === undefined ? 1 : timesWith[name as keyof typeof timesWith]
}

/**
 * Index in the line of the next delivery: a random one of the first few. After `among - 1` deliveries
 * overtook the first one (`overtakenBy`), it is next.
 */
export function reorderIndex({ among, seed, number }: Reorder, waiting: number, overtakenBy: number): number {
  if (overtakenBy >= among - 1) return 0
  return Math.floor(randomFrom(seed, number, draws.order, overtakenBy)() * Math.min(among, waiting))
}

/** Faults of the time of an attempt. */
export interface Timing {
  /** True for a delayed first attempt. */
  readonly delay: boolean
  /** True when it was taken before an earlier delivery. */
  readonly reorder: boolean
}

/** No fault of the time. */
export const onTime: Timing = { delay: false, reorder: false }

const timingFaults = ['delay', 'reorder'] as const

/** Names of the faults of an attempt, for the list; null without one. */
export function injectedFaultNames(injected: InjectedFaults, timing: Timing): string | null {
  const names = [
    ...attemptFaultNames.filter((name) => injected.has(name)),
    ...timingFaults.filter((name) => timing[name]),
  ]
  return names.length === 0 ? null : names.join(', ')
}
