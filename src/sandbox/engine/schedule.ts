import TinyQueue from 'tinyqueue'
import type { Command } from '../../domain/model/commands.ts'
import type { Endpoint } from '../../domain/model/endpoint.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import { isDue } from '../../domain/rules/apply-decision.ts'
import { closeOfDayAt } from '../../domain/rules/settlement.ts'
import { clearTimeout, setTimeout } from '../../shared/timers.ts'
import type { ReadableClock } from './identifiers.ts'

/** An entry that falls due at a sandbox time. */
export interface Due {
  readonly at: number
  /** Names the entry: the same key is not queued twice for the same time. */
  readonly key: string
}

const byTime = (one: Due, other: Due) => one.at - other.at

/** Longest delay of setTimeout. Milliseconds. */
const longestTimeout = 2 ** 31 - 1

/** Entries by due time, with one timer for the earliest. A frozen clock lets only overdue entries fire. */
export class Schedule<D extends Due> {
  #queue = new TinyQueue<D>([], byTime)
  /** The last time that each key was queued for. */
  #times = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #armedFor = Number.POSITIVE_INFINITY
  #stopped = false
  /** Wall-clock time before which the timer does not fire. */
  #heldUntil = 0

  constructor(
    private readonly clock: ReadableClock,
    private readonly run: () => void,
  ) {}

  add(due: D): void {
    if (this.#times.get(due.key) === due.at) return
    this.#times.set(due.key, due.at)
    this.#queue.push(due)
    if (due.at < this.#armedFor) this.rearm()
  }

  /** Takes out the earliest entry that is due now; undefined when none is. */
  next(): D | undefined {
    if ((this.earliest() ?? Number.POSITIVE_INFINITY) > this.clock.now()) return undefined
    const due = this.#queue.pop()
    if (due !== undefined && this.#times.get(due.key) === due.at) this.#times.delete(due.key)
    return due
  }

  /** Sandbox time of the earliest entry. */
  earliest(): number | undefined {
    return this.#queue.peek()?.at
  }

  /** The next entries, the earliest first, without those that were queued again for another time. */
  ahead(most: number): D[] {
    const queue = new TinyQueue<D>([...this.#queue.data], byTime)
    const found: D[] = []
    for (let due = queue.pop(); due !== undefined && found.length < most; due = queue.pop())
      if (this.#times.get(due.key) === due.at) found.push(due)
    return found
  }

  clear(): void {
    this.#times.clear()
    this.#queue = new TinyQueue<D>([], byTime)
    this.rearm()
  }

  /** Sets the timer again after a change of the queue or the clock. */
  rearm(): void {
    clearTimeout(this.#timer)
    this.#armedFor = Number.POSITIVE_INFINITY
    const earliest = this.earliest()
    if (this.#stopped || earliest === undefined) return
    const ahead = earliest - this.clock.now()
    if (ahead > 0 && this.clock.frozen) return
    const wait = Math.max(ahead / this.clock.speed, this.#heldUntil - this.clock.wall())
    this.#armedFor = earliest
    this.#timer = setTimeout(() => this.#fire(), Math.min(Math.max(wait, 0), longestTimeout))
  }

  /** Pauses the timer for a while. */
  holdFor(milliseconds: number): void {
    this.#heldUntil = this.clock.wall() + milliseconds
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  #fire(): void {
    this.#armedFor = Number.POSITIVE_INFINITY
    this.run()
    this.rearm()
  }
}

/** A transaction that acts by itself at a time, by its id, or the end of a merchant's day. */
export interface DueStep extends Due {
  readonly merchantId: string
}

/** An endpoint whose next delivery is due later. */
export interface DueEndpoint extends DueStep {
  readonly endpoint: Endpoint
}

/** The schedule's key of the end of a merchant's day; the other keys are transaction ids. */
const closeOfDayKey = (merchantId: string): string => `close-of-day ${merchantId}`

/** The end of the merchant's day, where open batches close by themselves. */
export function closeOfDayStep(ledger: Ledger): DueStep | undefined {
  const { autoClose, merchantId } = ledger.settings
  if (autoClose === null) return undefined
  const at = closeOfDayAt(ledger)
  return Number.isFinite(at) ? { at, merchantId, key: closeOfDayKey(merchantId) } : undefined
}

/** The next time at which a transaction acts by itself. */
export const nextDueStep = ({ settings }: Ledger, { id, wakeAt }: Transaction): DueStep | undefined =>
  wakeAt === null ? undefined : { at: wakeAt, merchantId: settings.merchantId, key: id }

/** Expiry of a transaction without an earlier due event: it must end in time even if the fixtures changed. */
export function expiryStep({ settings, transactions }: Ledger, id: string): DueStep | undefined {
  const { expiresAt = null, wakeAt = null } = transactions.get(id) ?? {}
  if (expiresAt === null || wakeAt === null || wakeAt >= expiresAt) return undefined
  return { at: expiresAt, merchantId: settings.merchantId, key: id }
}

/** The command for a due key; undefined when it is no longer due. */
export function dueCommand(ledger: Ledger, key: string, at: number): Command | undefined {
  if (key === closeOfDayKey(ledger.settings.merchantId))
    return closeOfDayAt(ledger) <= at ? { type: 'close-of-day' } : undefined
  const transaction = ledger.transactions.get(key)
  return transaction !== undefined && isDue(transaction, at)
    ? { type: 'wake', transactionId: transaction.id }
    : undefined
}
