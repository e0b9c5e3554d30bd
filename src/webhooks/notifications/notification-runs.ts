import type { TerminalEventName } from '../../contract/sandbox/webhooks.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Timeline, Transaction } from '../../domain/model/transaction.ts'
import type { State } from '../../domain/state.ts'
import { ordinalOf } from './notification.ts'
import { NumberColumn } from './number-column.ts'
import { haveSameNotifications, type NotifiedFacts, visitNotifications } from './past-notifications.ts'

/** The transaction of a run, and its first notification. */
interface NotificationRun {
  readonly merchantId: string
  readonly transactionId: string
  /** Time of the run: never smaller than that of the previous run. */
  readonly journalOrder: number
  /** Ordinal of its first notification. */
  readonly first: number
}

/**
 * Notifications as runs: the consecutive notifications of one transaction at one moment. Stored in columns, because
 * every sale has a run: about 30 bytes each.
 */
export class NotificationRuns {
  readonly #merchantIds: string[] = []
  /** Index of each merchant among the ids. */
  readonly #merchantIndexes = new Map<string, number>()
  readonly #merchants = new NumberColumn(Uint32Array)
  /** Transaction ids: they are whole numbers. */
  readonly #transactions = new NumberColumn(Float64Array)
  readonly #journalOrders = new NumberColumn(Float64Array)
  readonly #firsts = new NumberColumn(Uint8Array)
  /** The number of notifications up to the end of each run. */
  readonly #ends = new NumberColumn(Uint32Array)
  /** False once a run was added after one of a later moment. */
  #inOrder = true

  get length(): number {
    return this.#ends.length
  }

  get count(): number {
    return this.startOf(this.length)
  }

  /** Adds `count` notifications: to the last run if they continue it, otherwise as a new run. */
  add(merchantId: string, transactionId: string, journalOrder: number, first: number, count: number): void {
    const last = this.length - 1
    const end = this.count + count
    const transaction = Number(transactionId)
    const merchant = this.#merchantIndex(merchantId)
    const goesOn =
      this.#transactions.at(last) === transaction && this.#journalOrders.at(last) === journalOrder
    if (goesOn && this.#merchants.at(last) === merchant) {
      this.#ends.set(last, end)
      return
    }
    if (journalOrder < this.#journalOrders.at(last)) this.#inOrder = false
    this.#merchants.push(merchant)
    this.#transactions.push(transaction)
    this.#journalOrders.push(journalOrder)
    this.#firsts.push(first)
    this.#ends.push(end)
  }

  run(index: number): NotificationRun {
    return {
      merchantId: this.#merchantIds[this.#merchants.at(index)] as string,
      transactionId: String(this.#transactions.at(index)),
      journalOrder: this.#journalOrders.at(index),
      first: this.#firsts.at(index),
    }
  }

  /** Number of notifications before the run. */
  startOf(run: number): number {
    return this.#ends.at(run - 1)
  }

  /** Number of notifications in the run. */
  sizeOf(run: number): number {
    return this.#ends.at(run) - this.startOf(run)
  }

  /** The run with the notification at `position`; `length` when there is none. */
  holding(position: number): number {
    return firstWhere(this.length, (run) => this.#ends.at(run) > position)
  }

  /** The first run at that moment or later. */
  since(journalOrder: number): number {
    return firstWhere(this.length, (run) => this.#journalOrders.at(run) >= journalOrder)
  }

  /** Runs of a transaction at a moment. */
  *of({ merchantId, transactionId, journalOrder }: Omit<NotificationRun, 'first'>): Generator<number> {
    const [transaction, merchant] = [Number(transactionId), this.#merchantIndexes.get(merchantId)]
    for (
      let run = this.since(journalOrder);
      run < this.length && this.#journalOrders.at(run) === journalOrder;
      run++
    )
      if (this.#transactions.at(run) === transaction && this.#merchants.at(run) === merchant) yield run
  }

  /** The runs by moment, then by transaction. */
  sorted(): NotificationRuns {
    if (this.#inOrder) return this
    const order = Array.from({ length: this.length }, (_, run) => run).sort(
      (one, other) =>
        this.#journalOrders.at(one) - this.#journalOrders.at(other) ||
        this.#transactions.at(one) - this.#transactions.at(other),
    )
    const sorted = new NotificationRuns()
    for (const run of order) {
      const { merchantId, transactionId, journalOrder, first } = this.run(run)
      sorted.add(merchantId, transactionId, journalOrder, first, this.sizeOf(run))
    }
    return sorted
  }

  #merchantIndex(merchantId: string): number {
    const known = this.#merchantIndexes.get(merchantId)
    if (known !== undefined) return known
    this.#merchantIndexes.set(merchantId, this.#merchantIds.length)
    return this.#merchantIds.push(merchantId) - 1
  }
}

/** The runs of all transactions of the state. */
export function notificationRunsOf({ ledgers }: State): NotificationRuns {
  const runs = new NotificationRuns()
  for (const ledger of ledgers.values()) {
    const { merchantId } = ledger.settings
    const notified = new NotifiedMoments(ledger)
    for (const transaction of ledger.transactions)
      for (const { after, first, count } of notified.of(transaction))
        runs.add(merchantId, transaction.id, transaction.createdAt + after, first, count)
  }
  return runs.sorted()
}

/** The notifications of a transaction at one moment. */
interface NotifiedMoment {
  /** Milliseconds from the transaction's creation to the moment, by journal order. */
  readonly after: number
  /** Ordinal of the first notification. */
  readonly first: number
  count: number
}

/** The notified moments of a ledger's transactions, computed once for each common history. */
class NotifiedMoments {
  readonly #ledger: Ledger
  readonly #known = new Map<
    Timeline,
    { readonly facts: NotifiedFacts; readonly moments: readonly NotifiedMoment[] }
  >()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  of(transaction: Transaction): readonly NotifiedMoment[] {
    const known = this.#known.get(transaction.timeline)
    if (known !== undefined && haveSameNotifications(known.facts, transaction)) return known.moments
    const moments = notifiedMoments(this.#ledger, transaction)
    this.#known.set(transaction.timeline, { facts: transaction, moments })
    return moments
  }
}

function notifiedMoments(ledger: Ledger, transaction: Transaction): readonly NotifiedMoment[] {
  const moments: NotifiedMoment[] = []
  visitNotifications(ledger, transaction, (events, journalOrder) => {
    const after = journalOrder - transaction.createdAt
    const last = moments.at(-1)
    if (last?.after === after) last.count += events.length
    else
      moments.push({ after, first: ordinalOf(events[0] as TerminalEventName | null), count: events.length })
  })
  return moments
}

/**
 * The first number below `count` for which `holds` is true, otherwise `count`. It must then be true for all later
 * numbers.
 */
function firstWhere(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
