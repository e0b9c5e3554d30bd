import type { TerminalEventName } from '../../contract/sandbox/webhooks.ts'
import type { State } from '../../domain/state.ts'
import type { Replacement } from '../../engine/subscriptions.ts'
import { keyOfNotification, notificationId, ordinalOf } from './notification.ts'
import { notificationRunsOf } from './notification-runs.ts'
import { notificationIn, type PastNotification, pastNotifications } from './past-notifications.ts'

/** Id of the position before all notifications. */
const beginning = '0'

/** The position of a reader. */
export interface FeedPosition {
  /** Number of notifications before it. */
  readonly position: number
  /** The last notification that the reader saw, if the position comes before seen notifications of its transaction. */
  readonly after?: PastNotification | undefined
  /** Number of those seen notifications, which the reader skips. */
  readonly seen: number
}

/**
 * The order of all durable notifications, without their content, which is read from the timeline of the transaction.
 * Notifications of this process are in journal order. Loaded ones are ordered by time, then by transaction: the order
 * within one moment was not kept. assumption: event-stream
 */
export class NotificationIndex {
  /** Increases when positions change their meaning. */
  generation = 0
  #runs: ReturnType<typeof notificationRunsOf>
  /** Number of runs that were loaded. */
  #loaded: number
  /** The number of notifications when the state was last replaced in this process. */
  #replaced = 0

  constructor(state: State) {
    this.#runs = notificationRunsOf(state)
    this.#loaded = this.#runs.length
  }

  get count(): number {
    return this.#runs.count
  }

  /** Adds the notifications of a transaction at a moment, `order`: at least one, the newest durable ones. */
  append(
    merchantId: string,
    transactionId: string,
    journalOrder: number,
    events: readonly (TerminalEventName | null)[],
  ): void {
    const [first = null] = events
    this.#runs.add(merchantId, transactionId, journalOrder, ordinalOf(first), events.length)
  }

  /**
   * The whole state was replaced. After a failed write the durable notifications are unchanged, and their order here is
   * better than one read back. After a reset or restore they are read again. They are not sent again: readers whose
   * position no longer exists continue after them. assumption: restore-listeners
   */
  replace(state: State, cause: Replacement): void {
    const runs = notificationRunsOf(state)
    if (cause === 'reread' && runs.count === this.count) return
    if (cause === 'other') this.#replaced = runs.count
    this.#runs = runs
    this.#loaded = runs.length
    this.generation += 1
  }

  /** Id of the last notification, or of the beginning when there is none. */
  latestId(state: State): string {
    const [last] = this.from(state, Math.max(0, this.count - 1))
    return last === undefined ? beginning : notificationId(last.merchantId, last)
  }

  /** True for the id of an existing notification, and for the position before all of them. */
  isKnown(state: State, id: string): boolean {
    return id === beginning || notificationIn(state, id) !== undefined
  }

  /**
   * The position after the notification with that id; undefined for a foreign id. After a deleted notification come all
   * that were added since the state was replaced. After a loaded one, other transactions' notifications of the same
   * moment are repeated.
   */
  positionAfter(state: State, id: string): FeedPosition | undefined {
    if (id !== beginning && keyOfNotification(id) === undefined) return undefined
    const after = notificationIn(state, id)?.notification
    if (after === undefined) return { position: this.#replaced, seen: 0 }
    for (const run of this.#runs.of(after)) {
      const seen = this.#notificationsOf(state, run).findIndex(({ index }) => index === after.index) + 1
      if (seen === 0) continue
      if (run >= this.#loaded) return { position: this.#runs.startOf(run) + seen, seen: 0 }
      return { position: this.#runs.startOf(this.#runs.since(after.journalOrder)), after, seen }
    }
    return { position: this.#runs.startOf(this.#runs.since(after.journalOrder)), seen: 0 }
  }

  /** Reads the notifications from a position on, one by one; undefined for a deleted one. */
  *from(state: State, position: number): Generator<PastNotification | undefined> {
    for (let run = this.#runs.holding(position); run < this.#runs.length; run++) {
      const notifications = this.#notificationsOf(state, run)
      const start = this.#runs.startOf(run)
      for (let index = Math.max(0, position - start); index < this.#runs.sizeOf(run); index++)
        yield notifications[index]
    }
  }

  #notificationsOf(state: State, run: number): readonly PastNotification[] {
    const { merchantId, transactionId, first } = this.#runs.run(run)
    const ledger = state.ledgers.get(merchantId)
    const transaction = ledger?.transactions.get(transactionId)
    if (ledger === undefined || transaction === undefined) return []
    const past = pastNotifications(ledger, transaction)
    const begins = past.findIndex(({ event }) => ordinalOf(event) === first)
    return past.slice(begins, begins + this.#runs.sizeOf(run))
  }
}
