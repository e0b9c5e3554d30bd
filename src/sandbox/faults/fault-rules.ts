import type { FaultRule, FaultState, FaultView } from '../../contract/control/fault-list.ts'
import { type Fault, faultMoment, reachOf } from '../../contract/control/faults.ts'
import { reject } from '../../contract/errors.ts'
import { randomFrom } from '../../shared/seeded-random.ts'
import { clearTimeout, setTimeout } from '../../shared/timers.ts'
import type { ReadableClock } from '../engine/identifiers.ts'
import { parseFault } from './parse-fault.ts'

/** A new rule; members that were left out are null. */
export type FaultRequest = Omit<FaultRule, 'id' | 'used' | 'met' | 'since'>

/** The facts of a request or a webhook by which rules are matched. */
export interface FaultTarget {
  /** The operation of a request, or the operations that a webhook may come from. */
  readonly operations: readonly string[]
  readonly merchantId: string | undefined
  /** Minor units; undefined for a request without an amount. */
  readonly amount: number | undefined
  /** Called only when a rule names a terminal. */
  readonly terminalSn: () => string | null | undefined
  /** True for a request whose header names its outcome, which meets no fault of the host. */
  readonly namesOutcome?: boolean
}

/** A fault that is injected into a request. */
export interface InjectedFault {
  readonly fault: Fault
  /** The fault in its text form, such as `latency=100-500`. */
  readonly written: string
  /** Two numbers in [0, 1) that determine its parameters; equal for equal seeds. */
  readonly draws: readonly [number, number]
  /** Takes the use back; absent for a fault that a header names. */
  readonly giveBack?: () => void
}

/** Settings that hold the rules. */
interface StoredRules {
  readonly data: { faultRules: FaultRule[] }
  write(): Promise<void>
}

interface FaultRulesOptions {
  readonly settings: StoredRules
  readonly clock: Pick<ReadableClock, 'now'>
  /** Number of the last delivery by merchant; merchants without deliveries are left out. */
  readonly lastDeliveries: () => Readonly<Record<string, number>>
  readonly report: (error: Error) => void
}

/** Uses of a rule, and the requests that it matched. */
interface Counts {
  used: number
  met: number
}

const mostRules = 100

/** Delay after which changed counts are written together. Milliseconds. */
const writeDelay = 500

/**
 * The rules by which faults are injected. They are tried in the order in which they were added, and the first
 * match is used. Counts in memory are exact; they are written with a delay. assumption: api-faults
 */
export class FaultRules {
  /** The current counts; those in the settings may be older. */
  readonly #counts = new Map<string, Counts>()
  #last = 0
  #headers = 0
  #writing: NodeJS.Timeout | undefined

  constructor(private readonly options: FaultRulesOptions) {
    this.reload()
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  /** The fault that the rules inject into a request, which counts as a use of its rule; null for none. */
  meet(target: FaultTarget): InjectedFault | null {
    for (const { rule, fault } of this.thatFit(target)) {
      const reach: readonly string[] = reachOf(fault)
      const moment = faultMoment(fault)
      if (moment === 'webhook' || !target.operations.some((name) => reach.includes(name))) continue
      if (moment === 'host' && target.namesOutcome) continue
      const counts = this.#ruleCounts(rule)
      const next = randomFrom(rule.seed, counts.met)
      counts.met += 1
      this.#writeLater()
      if (rule.share !== null && next() >= rule.share) continue
      this.use(rule)
      return { fault, written: rule.kind, draws: [next(), next()], giveBack: () => this.giveBack(rule) }
    }
    return null
  }

  /** The active rules that match a target, the oldest first. */
  *thatFit(target: FaultTarget): Generator<{ readonly rule: FaultRule; readonly fault: Fault }> {
    for (const rule of this.#rules)
      if (this.#ruleState(rule) === 'on' && fits(rule, target)) yield { rule, fault: parseFault(rule.kind) }
  }

  use(rule: FaultRule): void {
    this.#ruleCounts(rule).used += 1
    this.#writeLater()
  }

  /** Takes a use back; the rule may have been removed, or replaced, meanwhile. */
  giveBack({ id }: FaultRule): void {
    const counts = this.#counts.get(id)
    if (counts === undefined || counts.used === 0) return
    counts.used -= 1
    this.#writeLater()
  }

  /** Number of the delivery after which draws begin: setting the same seed again repeats the draws. */
  drawsAfter(rule: FaultRule, merchantId: string): number {
    return rule.since?.[merchantId] ?? 0
  }

  #writeLater(): void {
    this.#writing ??= setTimeout(() => this.#write(), writeDelay)
  }

  /** The fault that a request names in a header. */
  named(written: string): InjectedFault {
    const next = randomFrom(0, this.#headers++)
    return { fault: parseFault(written), written, draws: [next(), next()] }
  }

  /** All rules, the oldest first. */
  list(): FaultView[] {
    return this.#rules.map((rule) => this.#ruleView(rule))
  }

  /** Milliseconds until a rule begins or ends by the clock, from a second to a day; null: none does. */
  untilNextState(): number | null {
    const now = this.options.clock.now()
    const ahead = this.#rules.flatMap(({ from, until }) => [from ?? 0, until ?? 0]).filter((at) => at > now)
    return ahead.length === 0 ? null : Math.min(Math.max(1_000, Math.min(...ahead) - now), 86_400_000)
  }

  /** Adds a rule to the settings; the caller writes them. */
  add(request: FaultRequest): FaultView {
    this.#add(this.#rules, [request])
    return this.#ruleView(this.#rules.at(-1) as FaultRule)
  }

  /** Removes rules by id and adds others, or changes nothing; the caller writes the settings. */
  exchange(gone: readonly string[], requests: readonly FaultRequest[]): void {
    this.#add(
      this.#rules.filter(({ id }) => !gone.includes(id)),
      requests,
    )
  }

  /** Removes a rule from the settings; the caller writes them. */
  remove(id: string): void {
    if (!this.#rules.some((rule) => rule.id === id))
      reject('SBX_FAULT_NONE', { field: 'id', message: `There is no fault ${id.slice(0, 64)}` })
    this.#replace(this.#rules.filter((rule) => rule.id !== id))
  }

  /** Removes every rule from the settings; the caller writes them. */
  clear(): void {
    this.#replace([])
  }

  /** Reads the counts again after the rules in the settings were replaced. */
  reload(): void {
    this.#counts.clear()
    for (const { id } of this.#rules) this.#last = Math.max(this.#last, Number(id.slice(1)) || 0)
  }

  /** The rules with their current counts, to be saved. */
  get rulesWithCounts(): readonly FaultRule[] {
    return this.#rules.map((rule) => ({ ...rule, ...this.#ruleCounts(rule) }))
  }

  /** Writes the counts that are not written yet. */
  async stop(): Promise<void> {
    if (this.#writing === undefined) return
    clearTimeout(this.#writing)
    await this.#write()
  }

  get #rules(): readonly FaultRule[] {
    return this.options.settings.data.faultRules
  }

  /** Rules that can no longer match make room for new ones. */
  #add(rules: readonly FaultRule[], requests: readonly FaultRequest[]): void {
    for (const id of this.#counts.keys())
      if (!this.#rules.some((rule) => rule.id === id)) this.#counts.delete(id) // removed before, for good
    const most = mostRules - requests.length
    const remaining = rules.length <= most ? rules : rules.filter((rule) => this.#mayHit(rule))
    if (remaining.length > most)
      reject('SBX_FAULTS_FULL', { field: 'kind', detail: `there are ${remaining.length} faults` })
    const since = this.options.lastDeliveries()
    const added = requests.map((request) => ({
      id: `f${++this.#last}`,
      ...request,
      used: 0,
      met: 0,
      ...(faultMoment(parseFault(request.kind)) === 'webhook' && { since }),
    }))
    this.#replace([...remaining, ...added])
  }

  #mayHit(rule: FaultRule): boolean {
    return ['on', 'later'].includes(this.#ruleState(rule))
  }

  /** Includes the current counts, so that the caller's write saves them too. */
  #replace(rules: readonly FaultRule[]): void {
    this.options.settings.data.faultRules = rules.map((rule) => ({ ...rule, ...this.#ruleCounts(rule) }))
  }

  #ruleCounts({ id, used, met }: FaultRule): Counts {
    const existing = this.#counts.get(id)
    if (existing !== undefined) return existing
    const counts = { used, met }
    this.#counts.set(id, counts)
    return counts
  }

  #ruleState(rule: FaultRule): FaultState {
    const now = this.options.clock.now()
    if (rule.times !== null && this.#ruleCounts(rule).used >= rule.times) return 'used-up'
    if (rule.until !== null && now >= rule.until) return 'over'
    return rule.from !== null && now < rule.from ? 'later' : 'on'
  }

  #ruleView(rule: FaultRule): FaultView {
    const { met, since, from, until, ...shown } = rule
    const { used } = this.#ruleCounts(rule)
    return { ...shown, used, state: this.#ruleState(rule), from: timeText(from), until: timeText(until) }
  }

  async #write(): Promise<void> {
    this.#writing = undefined
    this.#replace(this.rulesWithCounts)
    await this.options.settings.write().catch(this.options.report)
  }
}

const timeText = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

/** True when a rule matches a request. */
function fits({ operation, merchantId, amount, terminalSn }: FaultRule, target: FaultTarget): boolean {
  if (operation !== null && !target.operations.includes(operation)) return false
  if (merchantId !== null && merchantId !== target.merchantId) return false
  if (amount !== null && amount !== target.amount) return false
  return terminalSn === null || terminalSn === target.terminalSn()
}
