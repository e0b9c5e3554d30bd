import type { ControlInput } from '../contract/sandbox/controls/controls.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { beginRound, type Delivery, deliveryState } from '../domain/model/outbox.ts'
import type { State } from '../domain/state.ts'
import type { Subscriber } from '../engine/subscriptions.ts'
import { safeHeaders } from '../http/hide-headers.ts'
import type { Attempts, LoggedAttempt } from './attempt-log.ts'
import { keyOfNotification, type Notification } from './notifications/notification.ts'
import { pastNotification } from './notifications/past-notifications.ts'

/** An attempt that a listener made and reported. */
export interface ReportedAttempt extends LoggedAttempt {
  /** Id of the notification. */
  readonly id: string
  /** Number of the attempt from 1; starts again after a resend. */
  readonly attempt: number
  /** Attempts before the last resend; absent: none. */
  readonly earlier?: number | undefined
  /** Wall clock; null: none follows. */
  readonly nextAt: number | null
}

/** Read access to the record. */
export type ReadableListenerRecord = Pick<ListenerRecord, 'deliveries' | 'ofTransaction'> & {
  readonly attempts: Pick<Attempts<ReportedAttempt>, 'of' | 'latest'>
}

/** Deliveries of listeners have numbers below zero: those of an outbox count up from 1. */
export const isListened = ({ number }: Pick<Delivery, 'number'>): boolean => number < 0

/** Most deliveries that are kept; the oldest is deleted first. assumption: listener-record */
const maxDeliveries = 10_000

interface RecordedDelivery {
  readonly merchantId: string
  readonly delivery: Delivery
}

/**
 * Deliveries that listeners reported: a bounded record, with their attempts in a file beside the state. It is only for
 * display: a listener knows which notifications it still has to send. assumption: listener-record
 */
export class ListenerRecord implements Subscriber {
  readonly attempts: Attempts<ReportedAttempt>
  readonly #state: () => State
  /** By notification and endpoint, oldest first. */
  readonly #deliveries = new Map<string, RecordedDelivery>()
  #last = 0

  private constructor(attempts: Attempts<ReportedAttempt>, state: () => State) {
    this.attempts = attempts
    this.#state = state
  }

  /** Reads the attempts back; unreadable ones are reported and left in the file. */
  static async open(
    attempts: Attempts<ReportedAttempt>,
    state: () => State,
    report: (error: Error) => void,
  ): Promise<ListenerRecord> {
    const record = new ListenerRecord(attempts, state)
    try {
      for await (const attempt of record.attempts.all()) record.#readBack(attempt)
    } catch (error) {
      report(error as Error)
    }
    return record
  }

  /** Every kept delivery, oldest first. */
  get deliveries(): { readonly ledger: Ledger; readonly delivery: Delivery }[] {
    const { ledgers } = this.#state()
    return [...this.#deliveries.values()].flatMap(({ merchantId, delivery }) => {
      const ledger = ledgers.get(merchantId)
      return ledger === undefined ? [] : [{ ledger, delivery }]
    })
  }

  /** The kept deliveries of a transaction. */
  ofTransaction(transactionId: string): Delivery[] {
    return [...this.#deliveries.values()].flatMap(({ delivery }) =>
      delivery.transactionId === transactionId ? [delivery] : [],
    )
  }

  /** Records an attempt of a listener, without the secrets in its headers. Returns the delivery. */
  note(ledger: Ledger, notification: Notification, reported: ControlInput<'report-attempt'>): Delivery {
    const { merchantId } = ledger.settings
    const { id, url, attempt, at, status, error, fault, nextAt } = reported
    const { delivery } = this.#enter(merchantId, id, url, notification)
    const entry: ReportedAttempt = {
      merchantId,
      number: delivery.number,
      id,
      attempt,
      earlier: delivery.earlier,
      at: Date.parse(at),
      url,
      requestHeaders: Object.fromEntries(safeHeaders(reported.requestHeaders)),
      requestBody: reported.requestBody,
      status: status ?? null,
      responseHeaders: Object.fromEntries(safeHeaders(reported.responseHeaders)),
      responseBody: reported.responseBody,
      durationMs: reported.durationMs,
      error: error ?? null,
      fault: fault ?? null,
      nextAt: nextAt == null ? null : Date.parse(nextAt),
    }
    apply(delivery, entry)
    this.attempts.add(entry)
    return delivery
  }

  /** Notes a request to a listener to resend: the delivery is pending until its next attempt. `at`: wall clock. */
  sentAgain(delivery: Delivery, at: number): void {
    beginRound(delivery, at)
  }

  /** Deletes the deliveries of transactions that the new state lacks. */
  replaced({ ledgers }: State): void {
    for (const [key, { merchantId, delivery }] of this.#deliveries)
      if (!ledgers.get(merchantId)?.transactions.has(delivery.transactionId)) this.#deliveries.delete(key)
  }

  #enter(
    merchantId: string,
    id: string,
    url: string,
    notification: Notification,
    number?: number,
  ): RecordedDelivery {
    const key = `${id} ${url}`
    const known = this.#deliveries.get(key)
    if (known !== undefined) return known
    this.#last = Math.max(this.#last + 1, -(number ?? 0))
    const { transactionId, event, createdAt, status, tip } = notification
    const facts = { transactionId, event, createdAt, status, tip, url }
    const fresh = { attempts: 0, nextAt: null, last: null, fault: null, delivered: false }
    const recorded: RecordedDelivery = {
      merchantId,
      delivery: { number: number ?? -this.#last, ...facts, ...fresh },
    }
    this.#deliveries.set(key, recorded)
    if (this.#deliveries.size > maxDeliveries) this.#forgetOne()
    return recorded
  }

  /** Deletes the oldest finished delivery, or the oldest if none is finished. */
  #forgetOne(): void {
    const [first] = this.#deliveries.keys()
    for (const [key, { delivery }] of this.#deliveries)
      if (deliveryState(delivery) !== 'pending') {
        this.#deliveries.delete(key)
        return
      }
    this.#deliveries.delete(first ?? '')
  }

  #readBack(attempt: ReportedAttempt): void {
    const { merchantId, id, url, number } = attempt
    const ledger = this.#state().ledgers.get(merchantId)
    const key = keyOfNotification(id)
    const past = ledger && key && pastNotification(ledger, key)
    if (past === undefined || !(number < 0)) return
    apply(this.#enter(merchantId, id, url, past, number).delivery, attempt)
  }
}

function apply(
  delivery: Delivery,
  { attempt, earlier, status, error, fault, nextAt }: ReportedAttempt,
): void {
  delivery.attempts = attempt
  delivery.earlier = earlier
  delivery.last = status ?? error ?? 'no answer'
  delivery.fault = fault
  delivery.delivered = status === 200
  delivery.nextAt = nextAt
}
