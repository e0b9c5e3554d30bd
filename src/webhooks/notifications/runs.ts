import type { TerminalEventName } from '../../contract/sandbox/webhooks.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import type { State } from '../../domain/state.ts'
import { ordinalOf } from './notification.ts'
import { visitNotifications } from './past-notifications.ts'

/** Whose a run is, and what it begins with. */
interface Run {
  readonly merchantId: string
  readonly transactionId: string
  /** Of its moment: never smaller than that of the run before it. */
  readonly order: number
  /** Ordinal of its first notification. */
  readonly first: number
}

/**
 * What was told, as runs: one is what a transaction told at one moment, one thing after the other. In columns, because
 * there is one for every sale: some 50 bytes each.
 */
export class Runs {
  readonly #merchants: string[] = []
  readonly #transactions: string[] = []
  readonly #orders: number[] = []
  readonly #firsts: number[] = []
  /** How many notifications were told up to the end of each run. */
  readonly #ends: number[] = []

  get length(): number {
    return this.#ends.length
  }

  /** How many notifications there are. */
  get count(): number {
    return this.#ends.at(-1) ?? 0
  }

  /** Adds `count` notifications: to the last run when they go on with it, else as a new one. */
  add(merchantId: string, transactionId: string, order: number, first: number, count: number): void {
    const last = this.length - 1
    const goesOn = this.#transactions[last] === transactionId && this.#orders[last] === order
    if (goesOn && this.#merchants[last] === merchantId) {
      this.#ends[last] = this.count + count
      return
    }
    const end = this.count + count
    this.#merchants.push(merchantId)
    this.#transactions.push(transactionId)
    this.#orders.push(order)
    this.#firsts.push(first)
    this.#ends.push(end)
  }

  run(at: number): Run {
    return {
      merchantId: this.#merchants[at] as string,
      transactionId: this.#transactions[at] as string,
      order: this.#orders[at] as number,
      first: this.#firsts[at] as number,
    }
  }

  /** How many notifications come before the run. */
  startOf(run: number): number {
    return run === 0 ? 0 : (this.#ends[run - 1] as number)
  }

  /** How many notifications the run has. */
  sizeOf(run: number): number {
    return (this.#ends[run] as number) - this.startOf(run)
  }

  /** The run in which the notification stands that so many come before; `length` when there is none. */
  holding(position: number): number {
    return firstWhere(this.length, (run) => (this.#ends[run] as number) > position)
  }

  /** The first run of that moment or a later one. */
  since(order: number): number {
    return firstWhere(this.length, (run) => (this.#orders[run] as number) >= order)
  }

  /** Runs of that transaction at that moment. */
  *of({ merchantId, transactionId, order }: Omit<Run, 'first'>): Generator<number> {
    for (let run = this.since(order); this.#orders[run] === order; run++)
      if (this.#transactions[run] === transactionId && this.#merchants[run] === merchantId) yield run
  }

  /** The same in the order of their moments, and of the same moment by transaction. */
  sorted(): Runs {
    if (this.#isSorted()) return this
    const places = Array.from(this.#ends.keys()).sort(
      (one, other) =>
        (this.#orders[one] as number) - (this.#orders[other] as number) ||
        Number(this.#transactions[one]) - Number(this.#transactions[other]),
    )
    const sorted = new Runs()
    for (const place of places) {
      const { merchantId, transactionId, order, first } = this.run(place)
      sorted.add(merchantId, transactionId, order, first, this.sizeOf(place))
    }
    return sorted
  }

  #isSorted(): boolean {
    return this.#orders.every((order, at) => at === 0 || order >= (this.#orders[at - 1] as number))
  }
}

/** The runs of everything that the transactions of the state told. */
export function runsOf({ ledgers }: State): Runs {
  const runs = new Runs()
  for (const ledger of ledgers.values())
    for (const transaction of ledger.transactions.values()) addAll(runs, ledger, transaction)
  return runs.sorted()
}

const addAll = (runs: Runs, ledger: Ledger, transaction: Transaction): void =>
  visitNotifications(ledger, transaction, (events, order) =>
    runs.add(
      ledger.settings.merchantId,
      transaction.id,
      order,
      ordinalOf(events[0] as TerminalEventName | null),
      events.length,
    ),
  )

/** The first of so many numbers for which that holds, as it does for all after it; else their count. */
function firstWhere(count: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
