import type { TerminalEventName } from '../../../contract/control/webhooks.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { visitMoments } from '../../../domain/model/timeline.ts'
import type { Transaction } from '../../../domain/model/transaction.ts'
import { notificationsAt } from '../../../domain/notifications.ts'
import type { State } from '../../../domain/state.ts'
import { firstIndex } from '../../../shared/first-index.ts'
import { inTurns } from '../../../shared/timers.ts'
import type { Replacement } from '../../engine/changes.ts'
import { keyOfNotification, notificationId } from './notification.ts'
import { notificationIn, type PastNotification, pastNotifications } from './past-notifications.ts'

/** Id of the position before all notifications. */
const beginning = '0'

/** The position of a reader. */
export interface FeedPosition {
  /** Number of notifications before it. */
  readonly position: number
  /** The last notification that the reader saw, if the position is before seen ones of its transaction. */
  readonly after?: PastNotification | undefined
  /** Number of those seen notifications, which the reader skips. */
  readonly seen: number
}

/** Consecutive notifications of one transaction at one moment; their content is read from its timeline. */
interface NotificationRun {
  readonly merchantId: string
  readonly transactionId: string
  readonly journalOrder: number
  /** Event of the first; each event happens once in a transaction. */
  readonly first: TerminalEventName | null
  /** Number of notifications before it, and in it. */
  start: number
  count: number
}

/**
 * The order of all durable notifications. Those of this process are in journal order. Loaded ones are ordered
 * by time, then by transaction: the order within one moment was not kept. assumption: event-stream
 */
export class NotificationIndex {
  /** Increases when positions change their meaning. */
  generation = 0
  #runs: NotificationRun[]
  /** Number of runs that were loaded. */
  #loaded: number
  /** The number of notifications when the state was last replaced in this process. */
  #replaced = 0
  /** The runs of states that may replace the current one. */
  readonly #prepared = new WeakMap<State, NotificationRun[]>()

  constructor(state: State) {
    this.#runs = runsIn(state)
    this.#loaded = this.#runs.length
  }

  get count(): number {
    return countInRuns(this.#runs)
  }

  /** Adds the notifications of a transaction at a moment: at least one, the newest durable ones. */
  append(
    merchantId: string,
    transactionId: string,
    journalOrder: number,
    events: readonly (TerminalEventName | null)[],
  ): void {
    for (const event of events) addTo(this.#runs, { merchantId, transactionId, journalOrder, event })
  }

  /** Reads the notifications of a state, in turns, before it replaces the current one. */
  async prepare(state: State): Promise<void> {
    const runs: NotificationRun[] = []
    await inTurns(transactionsIn(state), (each) => addPast(runs, each))
    this.#prepared.set(state, inOrder(runs))
  }

  /**
   * The whole state was replaced. After a failed write the durable notifications are unchanged, and their
   * order here is better than one read back. After a reset or restore they are read again. They are not sent
   * again: readers whose position no longer exists continue after them. assumption: restore
   */
  replace(state: State, cause: Replacement): void {
    const runs = this.#prepared.get(state) ?? runsIn(state)
    if (cause === 'reread' && countInRuns(runs) === this.count) return
    if (cause === 'other') this.#replaced = countInRuns(runs)
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
   * The position after the notification with that id; undefined for a foreign id. After a deleted
   * notification come all that were added since the state was replaced. After a loaded one, other
   * transactions' notifications of the same moment are repeated.
   */
  positionAfter(state: State, id: string): FeedPosition | undefined {
    if (id !== beginning && keyOfNotification(id) === undefined) return undefined
    const after = notificationIn(state, id)?.notification
    if (after === undefined) return { position: this.#replaced, seen: 0 }
    const since = firstIndex(this.#runs, after.journalOrder, (run) => run.journalOrder)
    const position = this.#runs[since]?.start ?? this.count
    for (let at = since; this.#runs[at]?.journalOrder === after.journalOrder; at++) {
      const run = this.#runs[at] as NotificationRun
      if (run.transactionId !== after.transactionId || run.merchantId !== after.merchantId) continue
      const seen = notificationsInRun(state, run).findIndex(({ index }) => index === after.index) + 1
      if (seen > 0)
        return at < this.#loaded ? { position, after, seen } : { position: run.start + seen, seen: 0 }
    }
    return { position, seen: 0 }
  }

  /** Reads the notifications after the one with that id, except deleted ones; none for a foreign id. */
  *after(state: State, id: string): Generator<PastNotification> {
    const begin = this.positionAfter(state, id)
    if (begin === undefined) return
    let { seen } = begin
    for (const past of this.from(state, begin.position)) {
      if (seen > 0 && wasSeen(past, begin.after)) seen -= 1
      else if (past !== undefined) yield past
    }
  }

  /** Reads the notifications from a position on, one by one; undefined for a deleted one. */
  *from(state: State, position: number): Generator<PastNotification | undefined> {
    const first = firstIndex(this.#runs, position + 1, ({ start, count }) => start + count)
    for (let at = first; at < this.#runs.length; at++) {
      const run = this.#runs[at] as NotificationRun
      const notifications = notificationsInRun(state, run)
      for (let index = Math.max(0, position - run.start); index < run.count; index++)
        yield notifications[index]
    }
  }
}

/** True for a notification that the reader saw: before `after`, of its transaction and moment. */
export const wasSeen = (past: PastNotification | undefined, after: PastNotification | undefined): boolean =>
  past !== undefined &&
  past.transactionId === after?.transactionId &&
  past.merchantId === after.merchantId &&
  past.index <= after.index

/** Adds a notification: to the last run if it continues that. */
function addTo(
  runs: NotificationRun[],
  {
    merchantId,
    transactionId,
    journalOrder,
    event,
  }: Pick<PastNotification, 'merchantId' | 'transactionId' | 'journalOrder' | 'event'>,
): void {
  const last = runs.at(-1)
  const goesOn =
    last?.transactionId === transactionId &&
    last.journalOrder === journalOrder &&
    last.merchantId === merchantId
  if (goesOn) last.count += 1
  else
    runs.push({ merchantId, transactionId, journalOrder, first: event, start: countInRuns(runs), count: 1 })
}

function countInRuns(runs: readonly NotificationRun[]): number {
  const last = runs.at(-1)
  return last === undefined ? 0 : last.start + last.count
}

/** The notifications of all transactions, by moment, then by transaction. */
function runsIn(state: State): NotificationRun[] {
  const runs: NotificationRun[] = []
  for (const each of transactionsIn(state)) addPast(runs, each)
  return inOrder(runs)
}

interface OwnTransaction {
  readonly ledger: Ledger
  readonly transaction: Transaction
}

function* transactionsIn({ ledgers }: State): Generator<OwnTransaction> {
  for (const ledger of ledgers.values())
    for (const transaction of ledger.transactions) yield { ledger, transaction }
}

function addPast(runs: NotificationRun[], { ledger, transaction }: OwnTransaction): void {
  const { merchantId } = ledger.settings
  const transactionId = transaction.id
  visitMoments(transaction, (_, what, journalOrder) => {
    for (const event of notificationsAt(what, transaction))
      addTo(runs, { merchantId, transactionId, journalOrder, event })
  })
}

function inOrder(runs: NotificationRun[]): NotificationRun[] {
  runs.sort(
    (one, other) =>
      one.journalOrder - other.journalOrder || Number(one.transactionId) - Number(other.transactionId),
  )
  let start = 0
  for (const run of runs) {
    run.start = start
    start += run.count
  }
  return runs
}

function notificationsInRun({ ledgers }: State, run: NotificationRun): readonly PastNotification[] {
  const ledger = ledgers.get(run.merchantId)
  const transaction = ledger?.transactions.get(run.transactionId)
  if (ledger === undefined || transaction === undefined) return []
  const past = pastNotifications(ledger, transaction)
  const begins = past.findIndex(({ event }) => event === run.first)
  return past.slice(begins, begins + run.count)
}
