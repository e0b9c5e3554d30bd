import type { TerminalEventName } from '../../contract/sandbox/webhooks.ts'
import type { State } from '../../domain/state.ts'
import type { Replacement } from '../../engine/subscriptions.ts'
import { keyOfNotification, notificationId, ordinalOf } from './notification.ts'
import { notificationIn, type PastNotification, pastNotifications } from './past-notifications.ts'
import { runsOf } from './runs.ts'

/** Id of the place before everything that happened. */
const beginning = '0'

/** Where a reader goes on. */
export interface FeedPosition {
  /** How many notifications come before it. */
  readonly position: number
  /** The notification that the reader saw last, when some that follow it again are of its own transaction. */
  readonly after?: PastNotification | undefined
  /** How many those are: the reader has seen them. */
  readonly seen: number
}

/**
 * The order of all notifications that are durable, without the notifications: what a transaction told is read back from
 * its timeline. What became durable in this process stands in the order of the journal. What was loaded stands in the
 * order of its moments; of the same moment by transaction, for which came first is not kept. assumption: event-stream
 */
export class NotificationIndex {
  /** Counts up when positions change their meaning. */
  generation = 0
  #runs: ReturnType<typeof runsOf>
  /** How many runs were loaded. */
  #loaded: number
  /** How many notifications there were when another state was put in place in this process. */
  #replaced = 0

  constructor(state: State) {
    this.#runs = runsOf(state)
    this.#loaded = this.#runs.length
  }

  /** How many notifications there are. */
  get count(): number {
    return this.#runs.count
  }

  /** Adds what a transaction told at a moment, `journalOrder`, at least one thing: the last that became durable. */
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
   * The whole state was replaced. After a failed write it holds what was durable before, which stands here in a better
   * order than can be read back; after a reset or a restore it holds something else, and is read. What it holds then is
   * not told again: readers whose place is gone go on after it. assumption: restore-listeners
   */
  replace(state: State, cause: Replacement): void {
    const runs = runsOf(state)
    if (cause === 'reread' && runs.count === this.count) return
    if (cause === 'other') this.#replaced = runs.count
    this.#runs = runs
    this.#loaded = runs.length
    this.generation += 1
  }

  /** Id of the last notification; of the beginning while there is none. */
  latestId(state: State): string {
    const [last] = this.from(state, Math.max(0, this.count - 1))
    return last === undefined ? beginning : notificationId(last.merchantId, last)
  }

  /** True for the id of a notification that is there, and for the place before all of them. */
  isKnown(state: State, id: string): boolean {
    return id === beginning || notificationIn(state, id) !== undefined
  }

  /**
   * The place after the notification of that id; undefined for an id that is not ours. After one that was forgotten
   * everything follows that was not there when the state was replaced. Of the moment of one that was loaded, what other transactions told follows again.
   */
  positionAfter(state: State, id: string): FeedPosition | undefined {
    if (id !== beginning && keyOfNotification(id) === undefined) return undefined
    const after = notificationIn(state, id)?.notification
    if (after === undefined) return { position: this.#replaced, seen: 0 }
    for (const run of this.#runs.of(after)) {
      const seen = this.#notificationsOf(state, run).findIndex(({ place }) => place === after.place) + 1
      if (seen === 0) continue
      if (run >= this.#loaded) return { position: this.#runs.startOf(run) + seen, seen: 0 }
      return { position: this.#runs.startOf(this.#runs.since(after.journalOrder)), after, seen }
    }
    return { position: this.#runs.startOf(this.#runs.since(after.journalOrder)), seen: 0 }
  }

  /** What stands there from a position on, read one by one; undefined for what was forgotten. */
  *from(state: State, position: number): Generator<PastNotification | undefined> {
    for (let run = this.#runs.holding(position); run < this.#runs.length; run++) {
      const notifications = this.#notificationsOf(state, run)
      const start = this.#runs.startOf(run)
      for (let place = Math.max(0, position - start); place < this.#runs.sizeOf(run); place++)
        yield notifications[place]
    }
  }

  #notificationsOf(state: State, run: number): readonly PastNotification[] {
    const { merchantId, transactionId, first } = this.#runs.run(run)
    const ledger = state.ledgers.get(merchantId)
    const transaction = ledger?.transactions.read(transactionId)
    if (ledger === undefined || transaction === undefined) return []
    const past = pastNotifications(ledger, transaction)
    const begins = past.findIndex(({ event }) => ordinalOf(event) === first)
    return past.slice(begins, begins + this.#runs.sizeOf(run))
  }
}
