import { reject } from '../../contract/errors.ts'
import type { Command, Stamp } from '../../domain/model/commands.ts'
import type { Events } from '../../domain/model/events.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Follower } from '../../domain/notifications.ts'
import { applyDecision } from '../../domain/rules/apply-decision.ts'
import { decide } from '../../domain/rules/decide.ts'
import type { Settings } from '../../domain/settings.ts'
import {
  advanceJournalOrder,
  greatestIdIn,
  type JournalEntry,
  type ReadonlyState,
  type RequestMark,
  rememberRequest,
  type State,
} from '../../domain/state.ts'
import { nextTurn } from '../../shared/timers.ts'
import type { Store } from '../store/storage.ts'
import type { BackgroundWork, Replacement, Subscriber } from './changes.ts'
import { Gate, pauseAfterFailure, refuseStore } from './gate.ts'
import { type Identifiers, makeStamp, type SandboxClock } from './identifiers.ts'
import {
  closeOfDayStep,
  type DueEndpoint,
  type DueStep,
  dueCommand,
  expiryStep,
  nextDueStep,
  Schedule,
} from './schedule.ts'

export interface EngineOptions {
  readonly state: State
  readonly store: Store
  readonly clock: SandboxClock
  readonly identifiers: Identifiers
  /** Reports errors that belong to no request. */
  readonly report: (error: Error) => void
}

/** Steps that belong to a replacement of the state. */
export interface ReplaceSteps {
  /** Runs first, while the old state is durable and nothing changes it. */
  readonly before?: ((state: State) => Promise<void>) | undefined
  /** Makes the settings that belong to the new state, after that was made. */
  readonly settings?: () => Settings
  /** Called in the turn in which the new state is stored, before subscribers are told. It must not fail. */
  readonly committed?: () => void
}

/** Read access to the engine: the state, when it may be read, and the time of the next due event. */
export type EngineReader = Pick<Engine, 'ready' | 'isReloading' | 'earliest' | 'ahead'> & {
  readonly state: ReadonlyState
}

/** Access for most of the sandbox: reading and changing the state, but not replacing or stopping it. */
export type EngineAccess = Pick<Engine, 'state' | 'ready' | 'run' | 'written'>

/**
 * The only way to change the state: stamp → decide → evolve → append. Every request, terminal, expiry and
 * host answer goes through it. Events that are due immediately become part of the same entry.
 */
export class Engine {
  #state: State
  readonly #schedule: Schedule<DueStep>
  readonly #subscribers: Subscriber[] = []
  /** Endpoints, by their keys, that get a delivery of every notification, stored together with its event. */
  readonly followers = new Map<string, Follower>()
  #background: BackgroundWork | null = null
  #reading: Promise<void> | null = null
  readonly #gate: Gate
  #isClosed = false
  /** True from the moment in which another state is made until it takes the place of this one. */
  #isReplacing = false

  constructor(private readonly options: EngineOptions) {
    const { state, store, clock, identifiers, report } = options
    this.#state = state
    identifiers.startAfter(greatestIdIn(state))
    this.#schedule = new Schedule(clock, () => this.runDue())
    this.#gate = new Gate({
      store,
      report,
      failed: () => this.#background?.hold(),
      reread: (state) => {
        this.#schedule.holdFor(pauseAfterFailure)
        this.#replace(state, 'reread')
      },
    })
    store.whenFailed(() => this.#gate.recover())
  }

  /** Starts due events, including overdue ones. Call it once all subscribers have subscribed. */
  begin(): void {
    this.#scheduleAll()
  }

  /** Informs the subscriber from now on, after earlier subscribers. */
  subscribe(subscriber: Subscriber): void {
    this.#subscribers.push(subscriber)
  }

  /** Adds background work, which is also a subscriber. */
  attach(work: BackgroundWork): void {
    this.#background = work
    this.subscribe(work)
  }

  /** The state with every decision, durable or not. */
  get state(): State {
    return this.#state
  }

  /** Resolves when the engine accepts commands. */
  ready(): Promise<void> {
    return this.#gate.opened()
  }

  /**
   * Carries out a command and resolves when it is durable. Everything up to the write runs synchronously,
   * `answer` included: look up the ledger in the same tick, so that nothing comes between check and change.
   */
  run(ledger: Ledger, command: Command): Promise<void>
  run<T>(ledger: Ledger, command: Command, answer: (stamp: Stamp) => T, mark?: RequestMark): Promise<T>
  run<T>(ledger: Ledger, command: Command, answer?: (stamp: Stamp) => T, mark?: RequestMark) {
    this.#requireCurrent(ledger)
    const stamp = this.#stamp()
    const decided = decide(ledger, command, stamp)
    try {
      const events = this.#applyDecision(ledger, decided, stamp)
      return this.#append(ledger, stamp, events, mark, answer?.(stamp))
    } catch (error) {
      this.#gate.recover() // memory has part of the change, the disk none
      throw error
    }
  }

  /** Records the request id of a request that changed nothing: it was refused, or replayed. */
  rememberRequest(home: Ledger, mark: RequestMark): Promise<void> {
    this.#requireCurrent(home)
    return this.#append(home, this.#stamp(), [], mark, undefined)
  }

  /** Resolves when every decision until now is durable; to false when one could not be written. */
  async written(): Promise<boolean> {
    const done = await this.options.store.written()
    await this.ready()
    return done
  }

  /**
   * Resolves when the state may be read: at the end of this turn of the event loop, once for all that ask in
   * it. Answers that leave together wake their clients once.
   */
  readable(): Promise<void> {
    this.#reading ??= nextTurn().then(() => {
      this.#reading = null
      if (this.isReloading) return this.ready()
    })
    return this.#reading
  }

  /** True while the state is read back, or replaced. */
  get isReloading(): boolean {
    return this.#gate.isClosed
  }

  /** True while the state may have changes that are not durable. */
  get unsettled(): boolean {
    return this.options.store.pending || this.#gate.isClosed
  }

  /** True once it was closed: nothing changes any more. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Runs due events by the sandbox clock, in order. Waits while the state is read back. */
  runDue(): void {
    if (this.#gate.isClosed || this.#isClosed) return
    for (let due = this.#schedule.next(); due !== undefined; due = this.#schedule.next()) this.#wake(due)
  }

  /** Sandbox time of the next due event. */
  earliest(): number | undefined {
    const times = [this.#schedule.earliest(), this.#background?.earliest()].filter(
      (time) => time !== undefined,
    )
    return times.length === 0 ? undefined : Math.min(...times)
  }

  /** What falls due next, of transactions, merchants and endpoints, the earliest first. */
  ahead(most: number): readonly (DueStep | DueEndpoint)[] {
    const found = [...this.#schedule.ahead(most), ...(this.#background?.ahead(most) ?? [])]
    return found.sort((one, other) => one.at - other.at).slice(0, most)
  }

  /** The attached background work; null when there is none. */
  get background(): BackgroundWork | null {
    return this.#background
  }

  /** The clock was set, frozen or resumed: runs the events that are now due. */
  clockChanged(): void {
    this.runDue()
    this.#schedule.rearm()
    this.#background?.rearm()
  }

  /** Replaces the whole state, stored first; requests wait. */
  reset(make: () => State, { before, settings, committed }: ReplaceSteps = {}): Promise<void> {
    const swapped = (state: State) => {
      for (const subscriber of this.#subscribers) subscriber.replacing?.(this.#state)
      committed?.()
      this.#replace(state, 'other')
    }
    return this.#gate.alone(async () => {
      this.#requireOpen()
      await before?.(this.#state)
      await this.#unchanged(async (begin) => {
        const prepared = async () => {
          begin()
          const state = make()
          for (const subscriber of this.#subscribers) await subscriber.prepare?.(state)
          return state
        }
        await this.options.store.replace(prepared, { settings, swapped })
      })
    })
  }

  /** Makes a change that stored records are read by, and reads the state again; requests wait. */
  reread(change: () => void): Promise<void> {
    const { store } = this.options
    return this.#gate.alone(async () => {
      this.#requireOpen()
      await this.#unchanged(async (begin) => {
        const current = async () => {
          begin()
          return this.#state
        }
        await store.replace(current, { swapped: () => undefined }) // as a stop writes it, every terminal included
        change()
        this.#replace(await store.reload(), 'reread')
      })
    })
  }

  /** Runs `work`; from `begin` on, every change is refused: it would be lost with the state. */
  async #unchanged(work: (begin: () => void) => Promise<void>): Promise<void> {
    const begin = () => {
      this.#isReplacing = true
    }
    try {
      await work(begin).catch(refuseStore)
    } finally {
      this.#isReplacing = false
    }
  }

  /** Runs `work` while the whole state is durable; requests wait meanwhile. */
  whileDurable<T>(work: (state: State) => T | Promise<T>): Promise<T> {
    return this.#gate.alone(async () => work(this.#state))
  }

  /** Stops the timers, writes the state file unless the state could not be read back, closes the store. */
  async close(): Promise<void> {
    this.#gate.stop()
    this.#schedule.stop()
    const isDurable = await this.written().then(
      () => true,
      () => false,
    )
    this.#isClosed = true
    await this.options.store.close(isDurable ? this.#state : null)
  }

  #replace(state: State, cause: Replacement): void {
    this.#state = state
    this.options.identifiers.startAfter(greatestIdIn(state))
    this.#schedule.clear()
    this.#scheduleAll()
    for (const subscriber of this.#subscribers) subscriber.replaced?.(state, cause)
  }

  #scheduleAll(): void {
    for (const ledger of this.#state.ledgers.values()) {
      for (const transaction of ledger.transactions) this.#noteDue(nextDueStep(ledger, transaction))
      this.#noteDue(closeOfDayStep(ledger))
    }
  }

  #noteDue(due: DueStep | undefined): void {
    if (due !== undefined) this.#schedule.add(due)
  }

  /** Rejects a change after the close, when the state may belong to another sandbox, or in a replacement. */
  #requireOpen(): void {
    if (this.#isClosed) reject('SBX_STORE_FAIL', { detail: 'the sandbox has stopped' })
    if (this.#isReplacing) reject('SBX_STORE_FAIL', { detail: 'the state is being replaced' })
  }

  /** Rejects a ledger of a replaced state, which would bring deleted data back. */
  #requireCurrent(ledger: Ledger): void {
    this.#requireOpen()
    const { merchantId } = ledger.settings
    const current = this.#state.ledgers.get(merchantId)
    const begins = this.#state.journalOrder.removed?.sequence ?? 0
    const isNew = current === undefined && ledger.sequence === begins
    if (current !== ledger && !isNew)
      reject('SBX_STORE_FAIL', { detail: `the state of ${merchantId} was replaced meanwhile` })
  }

  /** Applies events and those that follow immediately, and schedules later ones. */
  #applyDecision(ledger: Ledger, decided: Events, stamp: Stamp): Events {
    const { merchantId, appId } = ledger.settings
    const named = ledger.name === null ? {} : { name: ledger.name }
    const registered: Events = this.#state.ledgers.has(merchantId)
      ? []
      : [{ type: 'merchant-registered', appId, ...named }]
    this.#state.ledgers.set(merchantId, ledger)
    const { at, setBack } = stamp
    const next = () => makeStamp(this.options.identifiers, at, setBack)
    const result = applyDecision(ledger, [...registered, ...decided], stamp, next, [
      ...this.followers.values(),
    ])
    for (const transaction of result.touched) this.#noteDue(nextDueStep(ledger, transaction))
    this.#noteDue(closeOfDayStep(ledger))
    return result.events
  }

  #stamp(): Stamp {
    const at = this.options.clock.now()
    return makeStamp(this.options.identifiers, at, advanceJournalOrder(this.#state.journalOrder, at))
  }

  #wake({ merchantId, key }: DueStep): void {
    const ledger = this.#state.ledgers.get(merchantId)
    const stamp = this.#stamp()
    const command = ledger && dueCommand(ledger, key, stamp.at)
    if (ledger === undefined || command === undefined) return
    const events = this.#applyDecision(ledger, decide(ledger, command, stamp), stamp)
    if (events.length === 0) this.#noteDue(expiryStep(ledger, key))
    // After a failed write, the gate reads the state back and schedules these events again.
    if (events.length > 0)
      this.#append(ledger, stamp, events, undefined, undefined).catch(this.options.report)
  }

  /** Resolves to `result` when the entry is durable and the subscribers are informed. */
  #append<T>(
    ledger: Ledger,
    { at, setBack }: Stamp,
    events: Events,
    request: RequestMark | undefined,
    result: T,
  ): Promise<T> {
    ledger.sequence += 1
    if (request !== undefined) rememberRequest(this.#state, request)
    const entry: JournalEntry = {
      stream: ledger.settings.merchantId,
      sequence: ledger.sequence,
      at,
      setBack: setBack === 0 ? undefined : setBack,
      request,
      events,
    }
    return this.options.store.append(entry).then(() => {
      for (const subscriber of this.#subscribers) subscriber.durable?.(ledger, entry)
      return result
    }, refuseStore)
  }
}
