import { reject } from '../contract/errors.ts'
import {
  type Fault,
  type FaultRule,
  type FaultState,
  type FaultView,
  readFault,
} from '../contract/sandbox/faults.ts'
import type { ReadableClock } from '../engine/clock.ts'
import { clearTimeout, setTimeout } from '../timers.ts'
import { randomFrom } from './seeded-random.ts'

/** A request, as far as rules are chosen by it. */
export interface FaultTarget {
  readonly operation: string
  readonly merchantId: string | undefined
  /** Minor units; undefined for a request without an amount. */
  readonly amount: number | undefined
  /** Looked up only where a rule names a terminal. */
  readonly terminalSn: () => string | null | undefined
}

/** A fault that a request meets. */
export interface MetFault {
  readonly fault: Fault
  /** As it is written, such as `latency=100-500`. */
  readonly written: string
  /** Two numbers from 0 to below 1 that draw its parameters, for the same seed the same. */
  readonly draws: readonly [number, number]
}

/** A new rule; what is left out is null. */
export type FaultOrder = Omit<FaultRule, 'id' | 'used' | 'met'>

/** Settings that hold the rules. */
interface StoredRules {
  readonly data: { faultRules: FaultRule[] }
  write(): Promise<void>
}

interface FaultRulesOptions {
  readonly settings: StoredRules
  readonly clock: Pick<ReadableClock, 'now'>
  readonly report: (error: Error) => void
}

/** How often a rule was used, and how many requests were met by it. */
interface Counts {
  used: number
  met: number
}

/** Rules that are kept at most. */
const mostRules = 100

/** How long counts wait before they are written, together. Milliseconds. */
const writeDelay = 500

/**
 * The faults that are injected into answers. Rules are tried in the order in which they were added; the first that fits
 * is used. Counts are exact while the sandbox runs; they are written a little later. assumption: api-faults
 */
export class FaultRules {
  readonly #options: FaultRulesOptions
  /** The counts that hold; those of the settings are of when they were written. */
  readonly #counts = new Map<string, Counts>()
  #last = 0
  #headers = 0
  #writing: NodeJS.Timeout | undefined

  constructor(options: FaultRulesOptions) {
    this.#options = options
    for (const { id } of this.#rules) this.#last = Math.max(this.#last, Number(id.slice(1)) || 0)
  }

  /** The fault that a request meets by the rules; null for none. It counts as used. */
  meet(target: FaultTarget): MetFault | null {
    for (const rule of this.#rules) {
      if (this.#stateOf(rule) !== 'on' || !fits(rule, target)) continue
      const counts = this.#countsOf(rule)
      const next = randomFrom(rule.seed, counts.met)
      counts.met += 1
      if (rule.share !== null && next() >= rule.share) continue
      counts.used += 1
      this.#writeSoon()
      return metFault(rule.kind, [next(), next()])
    }
    return null
  }

  /** A fault that a header names. */
  named(written: string): MetFault {
    const next = randomFrom(0, this.#headers++)
    return metFault(written, [next(), next()])
  }

  /** The oldest first. */
  list(): FaultView[] {
    return this.#rules.map((rule) => this.#viewOf(rule))
  }

  /** True when any rule may hit a request, now or later. */
  get isOn(): boolean {
    return this.#rules.some((rule) => ['on', 'later'].includes(this.#stateOf(rule)))
  }

  /** Adds a rule to the settings; the caller writes them. Errors: SBX_FAULTS_FULL. */
  add(order: FaultOrder): FaultView {
    const spent = (rule: FaultRule) => !['on', 'later'].includes(this.#stateOf(rule))
    const dropped = this.#rules.length < mostRules ? undefined : this.#rules.find(spent)
    if (this.#rules.length >= mostRules && dropped === undefined)
      reject('SBX_FAULTS_FULL', { detail: `there are ${mostRules}` })
    this.#last += 1
    const rule: FaultRule = { id: `f${this.#last}`, ...order, used: 0, met: 0 }
    this.#replace([...this.#rules.filter((each) => each !== dropped), rule])
    return this.#viewOf(rule)
  }

  /** Removes a rule from the settings; the caller writes them. Errors: SBX_FAULT_NONE. */
  remove(id: string): void {
    if (!this.#rules.some((rule) => rule.id === id))
      reject('SBX_FAULT_NONE', { field: 'id', detail: `there is no fault ${id.slice(0, 64)}` })
    this.#replace(this.#rules.filter((rule) => rule.id !== id))
  }

  /** Removes every rule from the settings; the caller writes them. */
  clear(): void {
    this.#replace([])
  }

  /** Writes the counts that wait to be written. */
  async stop(): Promise<void> {
    if (this.#writing === undefined) return
    clearTimeout(this.#writing)
    await this.#write()
  }

  get #rules(): readonly FaultRule[] {
    return this.#options.settings.data.faultRules
  }

  /** Counts go along, so that whoever writes the settings writes them too. */
  #replace(rules: readonly FaultRule[]): void {
    this.#options.settings.data.faultRules = rules.map((rule) => ({ ...rule, ...this.#countsOf(rule) }))
  }

  #countsOf({ id, used, met }: FaultRule): Counts {
    const known = this.#counts.get(id)
    if (known !== undefined) return known
    const counts = { used, met }
    this.#counts.set(id, counts)
    return counts
  }

  #stateOf(rule: FaultRule): FaultState {
    const now = this.#options.clock.now()
    if (rule.times !== null && this.#countsOf(rule).used >= rule.times) return 'used-up'
    if (rule.until !== null && now >= rule.until) return 'over'
    return rule.from !== null && now < rule.from ? 'later' : 'on'
  }

  #viewOf(rule: FaultRule): FaultView {
    const { met, from, until, ...shown } = rule
    const { used } = this.#countsOf(rule)
    return { ...shown, used, state: this.#stateOf(rule), from: timeText(from), until: timeText(until) }
  }

  #writeSoon(): void {
    this.#writing ??= setTimeout(() => this.#write(), writeDelay)
  }

  async #write(): Promise<void> {
    this.#writing = undefined
    this.#replace(this.#rules)
    await this.#options.settings.write().catch(this.#options.report)
  }
}

const timeText = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

/** True when a request is one that the rule is for. */
function fits({ operation, merchantId, amount, terminalSn }: FaultRule, target: FaultTarget): boolean {
  if (operation !== null && operation !== target.operation) return false
  if (merchantId !== null && merchantId !== target.merchantId) return false
  if (amount !== null && amount !== target.amount) return false
  return terminalSn === null || terminalSn === target.terminalSn()
}

/** What was written has been checked before. */
function metFault(written: string, draws: readonly [number, number]): MetFault {
  const fault = readFault(written)
  if (typeof fault === 'string') throw new Error(`${written}: ${fault}`)
  return { fault, written, draws }
}
