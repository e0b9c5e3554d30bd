import { statusLetters } from '../../api/statuses.ts'
import type { StreamedNotification } from '../../api/webhooks.ts'
import type { Ledger } from '../../domain/ledger.ts'
import { tells } from '../../domain/outbox.ts'
import { type Signing, webhookHeaders } from '../../webhook/signature.ts'
import type { Book, Entry } from '../book.ts'
import { type Happened, notificationBody, notificationId, statusWhen } from './notification.ts'

/** Something to tell, not written yet: a few members, so that many can wait. */
export interface News extends Happened {
  readonly merchantId: string
  /** Its place among all that happened: of the same moment, or a later one, when it is not smaller. */
  readonly order: number
}

/** What is announced of an entry. */
type Told = Pick<Entry, 'events' | 'at' | 'setBack' | 'sequence'>

/** Somebody who is told everything; `sequence` numbers the entry of the merchant's ledger. */
type Listener = (news: News, sequence: number) => void

/** Tells listeners what happens, once it is durable. It costs nothing while nobody listens. */
export class Announcer {
  readonly #listeners = new Set<Listener>()
  readonly #signingOf: (ledger: Ledger) => Signing
  readonly #wall: () => number

  constructor(signingOf: (ledger: Ledger) => Signing, wall: () => number) {
    this.#signingOf = signingOf
    this.#wall = wall
  }

  /** Returns how to stop listening. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get heard(): boolean {
    return this.#listeners.size > 0
  }

  /** An entry of a ledger became durable. */
  announce(ledger: Ledger, { events, at, setBack = 0, sequence }: Told): void {
    if (!this.heard) return
    const { merchantId } = ledger.settings
    for (const event of events) {
      const transaction = 'id' in event ? ledger.transactions.get(event.id) : undefined
      if (transaction === undefined) continue
      const { id: transactionId, tip } = transaction
      const status = statusWhen(event.type, transaction.status)
      for (const what of tells(event, transaction)) {
        const order = at + setBack
        const news = { merchantId, transactionId, event: what, createdAt: at, order, status, tip }
        for (const listener of this.#listeners) listener(news, sequence)
      }
    }
  }

  /** A notification as it would be sent now; undefined when its transaction was forgotten since. */
  write({ ledgers }: Book, news: News): StreamedNotification | undefined {
    const { merchantId, transactionId, event, status } = news
    const ledger = ledgers.get(merchantId)
    const transaction = ledger?.transactions.get(transactionId)
    if (ledger === undefined || transaction === undefined) return undefined
    const id = notificationId(merchantId, news)
    const body = notificationBody(ledger, news)
    return {
      id,
      kind: event === null ? 'payment' : 'terminal',
      event,
      merchantId,
      transactionId,
      transactionStatus: statusLetters[status],
      terminalSn: transaction.terminalSn,
      headers: webhookHeaders(this.#signingOf(ledger), { id, at: this.#wall(), body }),
      body,
    }
  }
}
