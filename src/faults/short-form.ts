import type { FaultRule } from '../contract/sandbox/fault-list.ts'
import { faultShares, forEachShare } from '../contract/sandbox/fault-shares.ts'
import { type Fault, faultMoment, isFault, readFault } from '../contract/sandbox/faults.ts'
import { noFaults, type WebhookFaults } from '../contract/sandbox/webhook-faults.ts'

/** Webhook faults that hit every webhook without end, as `webhook fault` sets and shows them: rules like all others. */

/** A new rule; members that were left out are null. */
export type FaultRequest = Omit<FaultRule, 'id' | 'used' | 'met' | 'since'>

/** Parses the text of a fault that was checked when it was set. */
export function faultIn(written: string): Fault {
  const fault = readFault(written)
  if (isFault(fault)) return fault
  throw new Error(`${written} ${fault.wrong}: ${fault.remedy}`)
}

const kindOfShare = forEachShare((name) => faultShares[name].kind)

/** True for a rule of the short form. */
export const isShortForm = (rule: FaultRule): boolean =>
  faultMoment(faultIn(rule.kind)) === 'webhook' &&
  [rule.operation, rule.terminalSn, rule.merchantId, rule.amount, rule.times, rule.from, rule.until].every(
    (each) => each === null,
  )

/** The short form of its rules; of several rules of one kind, the first counts. */
export function webhookFaultsOf(rules: readonly FaultRule[]): WebhookFaults {
  const faults = rules.map(({ kind }) => faultIn(kind))
  const delay = faults.find((fault) => fault.kind === 'delay')
  const reorder = faults.find((fault) => fault.kind === 'reorder')
  return {
    ...forEachShare((name) => {
      const rule = rules.find(({ kind }) => kind === kindOfShare[name])
      return rule === undefined ? 0 : (rule.share ?? 1)
    }),
    delayMs: delay === undefined ? null : [delay.from, delay.to],
    reorder: reorder?.among ?? noFaults.reorder,
    seed: rules[0]?.seed ?? noFaults.seed,
  }
}

/** The rules that a short form stands for. */
export function faultRequestsOf({ delayMs, reorder, seed, ...shares }: WebhookFaults): FaultRequest[] {
  const request = (kind: string, share: number | null = null): FaultRequest => ({
    kind,
    share,
    seed,
    times: null,
    from: null,
    until: null,
    operation: null,
    terminalSn: null,
    merchantId: null,
    amount: null,
  })
  return [
    ...Object.values(forEachShare((name) => request(kindOfShare[name], shares[name]))).filter(
      ({ share }) => share !== 0,
    ),
    ...(delayMs === null ? [] : [request(`delay=${[...new Set(delayMs)].join('-')}`)]),
    ...(reorder > 1 ? [request(`reorder=${reorder}`)] : []),
  ]
}
