import type { StreamedNotification } from '../../contract/sandbox/webhooks.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import { notificationsOf } from '../../domain/notifications.ts'
import type { JournalEntry, ReadonlyState, State } from '../../domain/state.ts'
import type { Replacement, Subscriber } from '../../engine/changes.ts'
import type { Signing } from '../../signature/signature.ts'
import { notificationId, notificationView, type OrderedNotification, signedRequest } from './notification.ts'
import { NotificationIndex } from './notification-index.ts'

/** The part of a journal entry that is announced. */
type AnnouncedEntry = Pick<JournalEntry, 'events' | 'at' | 'setBack'>

/** Tells readers of durable notifications; they read them from the index. */
export class Announcer implements Subscriber {
  readonly index: NotificationIndex
  readonly #listeners = new Set<() => void>()
  readonly #signingOf: (ledger: Ledger) => Signing
  readonly #wall: () => number

  /** `state`: the durable state. */
  constructor(state: State, signingOf: (ledger: Ledger) => Signing, wall: () => number) {
    this.index = new NotificationIndex(state)
    this.#signingOf = signingOf
    this.#wall = wall
  }

  /** Calls `wake` after each entry that has a notification. Returns a function that stops it. */
  listen(wake: () => void): () => void {
    this.#listeners.add(wake)
    return () => this.#listeners.delete(wake)
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0
  }

  /** An entry of a ledger became durable. */
  durable(ledger: Ledger, { events, at, setBack = 0 }: AnnouncedEntry): void {
    const { count } = this.index
    for (const event of events) {
      const transaction = 'id' in event ? ledger.transactions.get(event.id) : undefined
      const notifications = transaction === undefined ? [] : notificationsOf(event, transaction)
      if (transaction !== undefined && notifications.length > 0)
        this.index.append(ledger.settings.merchantId, transaction.id, at + setBack, notifications)
    }
    if (this.index.count > count) for (const wake of this.#listeners) wake()
  }

  /** The whole state was replaced. */
  replaced(state: State, cause: Replacement): void {
    this.index.replace(state, cause)
  }

  /** Id of a notification. */
  idOf(notification: OrderedNotification): string {
    return notificationId(notification.merchantId, notification)
  }

  /** A notification as it would be sent now; undefined when its transaction was deleted. */
  write(
    { ledgers }: Pick<ReadonlyState, 'ledgers'>,
    ordered: OrderedNotification,
  ): StreamedNotification | undefined {
    const { merchantId, transactionId } = ordered
    const ledger = ledgers.get(merchantId)
    const transaction = ledger?.transactions.get(transactionId)
    if (ledger === undefined || transaction === undefined) return undefined
    const request = signedRequest(this.#signingOf(ledger), ledger, ordered, this.#wall())
    return {
      ...notificationView(ledger, ordered),
      terminalSn: transaction.terminalSn,
      headers: request.requestHeaders,
      body: request.requestBody,
    }
  }
}
