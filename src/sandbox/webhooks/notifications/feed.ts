import type { StreamedNotification } from '../../../contract/control/webhook-stream.ts'
import type { Signing } from '../../../contract/signature/signature.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { eventNotifications } from '../../../domain/notifications.ts'
import type { JournalEntry, ReadonlyState, State } from '../../../domain/state.ts'
import { elapsedTime, sleep } from '../../../shared/timers.ts'
import type { Replacement, Subscriber } from '../../engine/changes.ts'
import type { Engine } from '../../engine/engine.ts'
import type { StreamTurns } from '../../http/stream-turns.ts'
import { notificationId, notificationView, type OrderedNotification, signedRequest } from './notification.ts'
import { type FeedPosition, NotificationIndex, wasSeen } from './notification-index.ts'

/** Most notifications in a slice, which is read ahead for a reader. */
const mostAhead = 50

/** Milliseconds after which a slice ends, so that other work can run. */
const longestSlice = 1

/** Most texts that are kept for other readers, in a second. */
const mostTexts = 200

/** Pause before rereading notifications that may not be durable. Milliseconds. */
const pauseAfterFailure = 100

/** The source of a feed. */
export interface FeedSource {
  readonly engine: Pick<Engine, 'state' | 'written' | 'unsettled'>
  readonly announcer: Announcer
  readonly turns: StreamTurns
}

/**
 * Follows the notifications after that of `lastId`. Without `lastId`, or with an unknown one, it begins with
 * the next notification. A slow reader misses nothing, and costs only its position: it reads slice by slice,
 * each in a turn of its own. `write` makes the reader's form of a notification; undefined skips it.
 * assumption: event-stream
 */
export class Feed<T> {
  /** Id of the notification after which the feed begins. */
  readonly begins: string
  #position: FeedPosition
  #generation: number
  #last: OrderedNotification | undefined
  #wake = () => {}

  constructor(
    private readonly followed: FeedSource,
    lastId: string | undefined,
    private readonly write: (notification: OrderedNotification) => T | undefined,
  ) {
    const { engine, announcer } = followed
    const { index } = announcer
    const requestedPosition = lastId === undefined ? undefined : index.positionAfter(engine.state, lastId)
    this.begins =
      lastId !== undefined && requestedPosition !== undefined ? lastId : index.latestId(engine.state)
    this.#position = requestedPosition ?? { position: index.count, seen: 0 }
    this.#generation = index.generation
  }

  /** Number of notifications that are not read yet. */
  get remaining(): number {
    const { position, seen } = this.#current()
    return this.followed.announcer.index.count - position - seen
  }

  /** Missed notifications, then new ones as they become durable, until the signal; no slice is empty. */
  async *slices(signal: AbortSignal): AsyncGenerator<readonly T[]> {
    const wake = () => this.#wake()
    const quiet = this.followed.announcer.listen(wake)
    signal.addEventListener('abort', wake)
    try {
      while (!signal.aborted) {
        const slice = this.remaining === 0 ? await this.#idle() : await this.#next(signal)
        if (slice.length > 0 && !signal.aborted) yield slice
      }
    } finally {
      signal.removeEventListener('abort', wake)
      quiet()
    }
  }

  /** Waits for a notification or the signal. */
  async #idle(): Promise<readonly T[]> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    return []
  }

  /** Reads the next slice in a turn of its own; empty when the state was replaced or may not be durable. */
  async #next(signal: AbortSignal): Promise<readonly T[]> {
    const { engine, announcer, turns } = this.followed
    const { written, position, last } = await turns.next().then(() => this.#read(signal))
    const isWritten = await engine.written().catch(() => false) // read again later
    if (!isWritten) await sleep(pauseAfterFailure, signal)
    if (!isWritten || this.#generation !== announcer.index.generation) return []
    this.#position = position
    this.#last = last
    return written
  }

  /** The position; looked up again after the state was replaced. */
  #current(): FeedPosition {
    const { engine, announcer } = this.followed
    const { generation } = announcer.index
    if (this.#generation !== generation) {
      const id = this.#last === undefined ? this.begins : announcer.idOf(this.#last)
      this.#position = announcer.index.positionAfter(engine.state, id) ?? { position: 0, seen: 0 }
      this.#generation = generation
    }
    return this.#position
  }

  /** Reads the next few notifications, and the position after them; none for a reader that has left. */
  #read(signal: AbortSignal) {
    const { engine, announcer } = this.followed
    let [{ position, after, seen }, last] = [this.#current(), this.#last]
    const written: T[] = []
    const until = elapsedTime() + (signal.aborted ? 0 : longestSlice)
    for (const past of announcer.index.from(engine.state, position)) {
      position += 1
      if (seen > 0 && wasSeen(past, after)) seen -= 1
      else if (past !== undefined) {
        last = past
        const each = this.write(past)
        if (each !== undefined) written.push(each)
      }
      if (written.length >= mostAhead || elapsedTime() >= until) break
    }
    return { written, position: { position, after, seen }, last }
  }
}

type AnnouncedEntry = Pick<JournalEntry, 'events' | 'at' | 'setBack'>

/** Tells readers of durable notifications; they read them from the index. */
export class Announcer implements Subscriber {
  readonly index: NotificationIndex
  readonly #listeners = new Set<() => void>()
  #texts = { second: 0, byFacts: new Map<string, string>() }

  /** `state`: the durable state. */
  constructor(
    state: State,
    private readonly signingOf: (ledger: Ledger) => Signing,
    private readonly wall: () => number,
  ) {
    this.index = new NotificationIndex(state)
  }

  /** Calls `wake` after each entry that has a notification. Returns a function that stops it. */
  listen(wake: () => void): () => void {
    this.#listeners.add(wake)
    return () => this.#listeners.delete(wake)
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0
  }

  durable(ledger: Ledger, { events, at, setBack = 0 }: AnnouncedEntry): void {
    const { count } = this.index
    for (const event of events) {
      const transaction = 'id' in event ? ledger.transactions.get(event.id) : undefined
      const notifications = transaction === undefined ? [] : eventNotifications(event, transaction)
      if (transaction !== undefined && notifications.length > 0)
        this.index.append(ledger.settings.merchantId, transaction.id, at + setBack, notifications)
    }
    if (this.index.count > count) for (const wake of this.#listeners) wake()
  }

  prepare(state: State): Promise<void> {
    return this.index.prepare(state)
  }

  replaced(state: State, cause: Replacement): void {
    this.#texts.byFacts.clear()
    this.index.replace(state, cause)
  }

  idOf(notification: OrderedNotification): string {
    return notificationId(notification.merchantId, notification)
  }

  /**
   * A notification as a server-sent event, signed now or a moment ago: all readers get one text, because
   * signing takes longer than sending. Undefined when its transaction was deleted. Its JSON contains no line
   * breaks.
   */
  text({ ledgers }: Pick<ReadonlyState, 'ledgers'>, ordered: OrderedNotification): string | undefined {
    const ledger = ledgers.get(ordered.merchantId)
    if (ledger === undefined) return undefined
    const { transactionId, event, status, tip } = ordered
    const facts = [transactionId, event, status, tip, ...this.signingOf(ledger).secrets].join(' ')
    const second = Math.floor(this.wall() / 1_000)
    if (this.#texts.second !== second || this.#texts.byFacts.size > mostTexts)
      this.#texts = { second, byFacts: new Map() }
    const known = this.#texts.byFacts.get(facts)
    if (known !== undefined) return known
    const notification = this.write({ ledgers }, ordered)
    if (notification === undefined) return undefined
    const { id, kind } = notification
    const text = `event: ${kind}\ndata: ${JSON.stringify(notification)}\nid: ${id}\n\n`
    this.#texts.byFacts.set(facts, text)
    return text
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
    const request = signedRequest(this.signingOf(ledger), ledger, ordered, this.wall())
    return {
      ...notificationView(ledger, ordered),
      terminalSn: transaction.terminalSn,
      headers: request.requestHeaders,
      body: request.requestBody,
    }
  }
}
