import type { TerminalEventName } from '../../contract/sandbox/webhooks.ts'
import type { State } from '../../domain/state.ts'
import type { Replacement } from '../../engine/subscriptions.ts'
import { keyOfNotification, type NotificationKey, notificationId } from './notification.ts'
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

/** A notification without its content, which is read from the timeline of its transaction. */
interface IndexedNotification extends NotificationKey {
  readonly merchantId: string
  readonly journalOrder: number
}

/**
 * The order of all durable notifications. Those of this process are in journal order. Loaded ones are ordered by time,
 * then by transaction: the order within one moment was not kept. assumption: event-stream
 */
export class NotificationIndex {
  /** Increases when positions change their meaning. */
  generation = 0
  #all: IndexedNotification[]
  /** Number of notifications that were loaded. */
  #loaded: number
  /** The number of notifications when the state was last replaced in this process. */
  #replaced = 0

  constructor(state: State) {
    this.#all = notificationsIn(state)
    this.#loaded = this.count
  }

  get count(): number {
    return this.#all.length
  }

  /** Adds the notifications of a transaction at a moment: the newest durable ones. */
  append(
    merchantId: string,
    transactionId: string,
    journalOrder: number,
    events: readonly (TerminalEventName | null)[],
  ): void {
    for (const event of events) this.#all.push({ merchantId, transactionId, journalOrder, event })
  }

  /**
   * The whole state was replaced. After a failed write the durable notifications are unchanged, and their order here is
   * better than one read back. After a reset or restore they are read again. They are not sent again: readers whose
   * position no longer exists continue after them. assumption: restore-listeners
   */
  replace(state: State, cause: Replacement): void {
    const all = notificationsIn(state)
    if (cause === 'reread' && all.length === this.count) return
    if (cause === 'other') this.#replaced = all.length
    this.#all = all
    this.#loaded = all.length
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
    const { merchantId, transactionId, journalOrder } = after
    const isOfTransaction = (each: IndexedNotification) =>
      each.transactionId === transactionId && each.merchantId === merchantId
    const at = this.#all.findIndex((each) => isOfTransaction(each) && each.event === after.event)
    if (at >= this.#loaded) return { position: at + 1, seen: 0 }
    const position = this.#since(journalOrder)
    if (at === -1) return { position, seen: 0 }
    return { position, after, seen: this.#all.slice(position, at + 1).filter(isOfTransaction).length }
  }

  /** Reads the notifications from a position on, one by one; undefined for a deleted one. */
  *from(state: State, position: number): Generator<PastNotification | undefined> {
    for (let at = position; at < this.#all.length; at++) {
      const { merchantId, transactionId, event } = this.#all[at] as IndexedNotification
      const ledger = state.ledgers.get(merchantId)
      const transaction = ledger?.transactions.get(transactionId)
      yield ledger === undefined || transaction === undefined
        ? undefined
        : pastNotifications(ledger, transaction).find((past) => past.event === event)
    }
  }

  /** The position of the first notification at that moment or later. */
  #since(journalOrder: number): number {
    const at = this.#all.findIndex((each) => each.journalOrder >= journalOrder)
    return at === -1 ? this.count : at
  }
}

/** The notifications of all transactions, by moment, then by transaction. */
function notificationsIn({ ledgers }: State): IndexedNotification[] {
  const all: IndexedNotification[] = []
  for (const ledger of ledgers.values())
    for (const transaction of ledger.transactions)
      for (const { merchantId, transactionId, journalOrder, event } of pastNotifications(ledger, transaction))
        all.push({ merchantId, transactionId, journalOrder, event })
  return all.sort(
    (one, other) =>
      one.journalOrder - other.journalOrder || Number(one.transactionId) - Number(other.transactionId),
  )
}
