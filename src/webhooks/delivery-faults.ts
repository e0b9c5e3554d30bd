import { isOnline, type Operation, operationNames, operations } from '../contract/operations.ts'
import type { FaultRule } from '../contract/sandbox/fault-list.ts'
import {
  type FaultShare,
  faultShares,
  forEachShare,
  type ShareThatChanges,
  shareMembers,
} from '../contract/sandbox/fault-shares.ts'
import { faultsFrom, noFaults, type WebhookFaults } from '../contract/sandbox/webhooks.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import type { Delivery } from '../domain/model/outbox.ts'
import type { Transaction } from '../domain/model/transaction.ts'
import type { FaultRules, FaultTarget } from '../faults/fault-rules.ts'
import { randomFrom } from '../faults/seeded-random.ts'
import type { SignedContent, Signing } from '../signature/signature.ts'

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
  const used: FaultRule[] = []
  for (const { rule, fault } of rules.thatFit(target)) {
    const kindIndex = drawnKinds.indexOf(fault.kind)
    const member = shareMembers[kindIndex]
    if (member === undefined || hit[member]) continue
    const next = randomFrom(rule.seed, number - after(rule), attempts)
    for (let skipped = 0; skipped < kindIndex; skipped++) next()
    if (rule.share !== null && next() >= rule.share) continue
    hit[member] = 1
    rules.use(rule)
    used.push(rule)
  }
  const giveBack = () => {
    for (const rule of used) rules.giveBack(rule)
  }
  return { ...faultsFrom(hit), giveBack }
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

/** Faults that are drawn by the number of a delivery. */
export interface DrawnFaults extends WebhookFaults {
  /** Number of the delivery after which draws begin; absent: 0. */
  readonly after?: number
  /** Takes back the use of the rules, of an attempt that was not made. */
  readonly giveBack?: () => void
}

/** Faults injected into one attempt. */
export type InjectedFaults = Readonly<Record<FaultShare, boolean>>

/** The attempts of most notifications. */
export const noneInjected: InjectedFaults = forEachShare(() => false)

/** What is drawn for a delivery besides the faults of its attempts; each has random numbers of its own. */
const draws = { isDelayed: 0x64656c61, delay: 0x74696d65, order: 0x6f726472 } as const

/** The faults of an attempt; equal for equal seed, delivery and attempt. assumption: webhook-faults */
export function faultsFor(faults: WebhookFaults, number: number, attempt: number): InjectedFaults {
  if (faults === noFaults) return noneInjected
  const next = randomFrom(faults.seed, number, attempt)
  return forEachShare((name) => next() < faults[name])
}

/** Age of a stale timestamp in milliseconds, and the secret of a bad signature. */
const [staleBy, wrongSecret] = [3_600_000, 'whsec_d3JvbmcgZG9uZSBvbiBwdXJwb3Nl']

/** Key and content of a signature. */
type SignatureInput = [signing: Signing, signed: SignedContent]

/** How each fault of the signature changes its input. */
const signatureFaults: {
  readonly [F in ShareThatChanges<'signature'>]: (input: SignatureInput) => SignatureInput
} = {
  badSignature: ([signing, signed]) => [{ ...signing, secrets: [wrongSecret] }, signed],
  stale: ([signing, signed]) => [signing, { ...signed, at: signed.at - staleBy }],
}
const signatureMembers = Object.keys(signatureFaults) as (keyof typeof signatureFaults)[]

/** The signature input of an attempt, with its injected faults. */
export function signedWithFaults(injected: InjectedFaults, ...input: SignatureInput): SignatureInput {
  let changed = input
  for (const name of signatureMembers) if (injected[name]) changed = signatureFaults[name](changed)
  return changed
}

/** How often a notification is sent with each fault of sending. No other number: a listener learns only `drop` and `duplicate`. */
const timesWith: Readonly<Record<ShareThatChanges<'sending'>, 0 | 2>> = { drop: 0, duplicate: 2 }

/** How often an attempt sends its notification: once, or as the first of its faults of sending says. */
export function timesSent(injected: InjectedFaults): 0 | 1 | 2 {
  const name = shareMembers.find((each) => each in timesWith && injected[each])
  return name === undefined ? 1 : timesWith[name as keyof typeof timesWith]
}

/** Delay of a delivery's first attempt, in milliseconds. */
export function delayFor({ delayMs, seed, after = 0 }: DrawnFaults, number: number): number {
  if (delayMs === null) return 0
  const [least, most] = delayMs
  return Math.round(least + randomFrom(seed, number - after, draws.delay)() * (most - least))
}

/**
 * Index in the line of the next delivery: the first, or with `reorder` a random one of the first few. After `reorder -
 * 1` deliveries overtook it (`overtakenBy`), the first one is next.
 */
export function reorderIndex(
  { reorder, seed, after = 0 }: DrawnFaults,
  number: number,
  waiting: number,
  overtakenBy: number,
): number {
  if (overtakenBy >= reorder - 1) return 0
  return Math.floor(randomFrom(seed, number - after, draws.order, overtakenBy)() * Math.min(reorder, waiting))
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
export function namesOf(injected: InjectedFaults, timing: Timing): string | null {
  if (injected === noneInjected && timing === onTime) return null // the usual case
  const names = [
    ...shareMembers.filter((name) => injected[name]),
    ...timingFaults.filter((name) => timing[name]),
  ]
  return names.length === 0 ? null : names.join(', ')
}
