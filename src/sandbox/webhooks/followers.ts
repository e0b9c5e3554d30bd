import type { Retries } from '../../contract/control/retries.ts'
import type { Endpoint } from '../../domain/model/endpoint.ts'
import { endpointKey } from '../../domain/model/endpoint.ts'
import type { Follower } from '../../domain/notifications.ts'
import type { Settings } from '../../domain/settings.ts'
import type { State } from '../../domain/state.ts'
import type { Replacement, Subscriber } from '../engine/changes.ts'
import type { Engine } from '../engine/engine.ts'
import type { Announcer } from './notifications/feed.ts'
import type { PastNotification } from './notifications/past-notifications.ts'
import type { ReadyAttempt, Transport } from './post.ts'

/** An endpoint that gets every notification it wants, and how it is reached. */
export interface FollowingEndpoint extends Follower {
  readonly transport: Transport
  /** Pauses between attempts; null: those of the sandbox. */
  readonly retries: Retries | null
  /** True when deliveries wait for a receiver that is down; false when that fails the attempt. */
  readonly isPatient: boolean
  /** Called with the reason when the receiver takes no connection, and with null when it does again. */
  readonly presence?: (gone: string | null) => void
  /** Shows an attempt that a fault dropped. */
  readonly dropped?: (ready: ReadyAttempt) => void
  /** Called with true when a later one for the same URL is used instead, with false when that has left. */
  readonly superseded?: (isSuperseded: boolean) => void
  /** Aborts when it can no longer be reached. */
  readonly ended?: AbortSignal
}

interface FollowersOptions {
  readonly engine: Pick<Engine, 'state' | 'followers' | 'whileDurable' | 'run'>
  readonly announcer: Announcer
  readonly settings: { readonly data: Settings; write(): Promise<void> }
  readonly report: (error: Error) => void
}

/** Most endpoints whose position is kept; the one that followed longest ago is forgotten first. */
const mostPositions = 100

/** Result of deliveries that `listen --from-now` skips. */
const skipped = 'skipped by listen --from-now'

/**
 * The endpoints that get every notification: of `--forward-to`, and of connected listeners. While an endpoint
 * follows, each event adds its deliveries to the outbox; while it does not, only its position is kept, and
 * what it missed is added when it follows again. assumption: followers
 */
export class Followers implements Subscriber {
  /** By key of the endpoint; the latest one of several is used. */
  readonly #following = new Map<string, FollowingEndpoint[]>()

  constructor(private readonly options: FollowersOptions) {}

  at(endpoint: Endpoint): FollowingEndpoint | undefined {
    return this.#following.get(endpointKey(endpoint))?.findLast(({ ended }) => ended?.aborted !== true)
  }

  /** False for an endpoint of a listener that is not connected. */
  isReachable(endpoint: Endpoint): boolean {
    return endpoint.listener === undefined || this.at(endpoint) !== undefined
  }

  /**
   * Adds the deliveries that the endpoint missed, and those of every event from now on. `fromNow` skips the
   * former. Resolves to the number of missed notifications once all of it is durable.
   */
  async follow(endpoint: FollowingEndpoint, fromNow = false): Promise<number> {
    const { engine, settings } = this.options
    const key = endpointKey(endpoint)
    const { count, stored } = await engine.whileDurable((state) => {
      const missed = fromNow ? [] : [...this.#missed(state, key)]
      this.at(endpoint)?.superseded?.(true)
      this.#set(key, [...(this.#following.get(key) ?? []), endpoint])
      const commands = fromNow ? this.#skipPending(state, key) : this.#addMissed(state, endpoint, missed)
      this.keepPosition(endpoint)
      return { count: missed.length, stored: Promise.all(commands) }
    })
    try {
      await stored
      await settings.write()
      return count
    } catch (error) {
      await this.leave(endpoint)
      throw error
    }
  }

  /** Ends the deliveries of further events, and keeps the position. */
  async leave(endpoint: FollowingEndpoint): Promise<void> {
    const key = endpointKey(endpoint)
    const following = this.#following.get(key) ?? []
    this.#set(
      key,
      following.filter((each) => each !== endpoint),
    )
    const next = this.at(endpoint)
    if (next === undefined) await this.savePosition(endpoint)
    else if (following.at(-1) === endpoint) next.superseded?.(false)
  }

  /** Id of the last notification that the endpoint got in its time; undefined for one that never followed. */
  positionOf(endpoint: Endpoint): string | undefined {
    return this.options.settings.data.followers[endpointKey(endpoint)]
  }

  /** Writes a position: of the last notification, unless another is named. A failure is reported. */
  async savePosition(endpoint: Endpoint, id?: string): Promise<void> {
    this.keepPosition(endpoint, id)
    await this.options.settings.write().catch(this.options.report)
  }

  /** Notes a position, which the next write of the settings stores. */
  keepPosition(endpoint: Endpoint, id = this.#latestId): void {
    const { data } = this.options.settings
    const { [endpointKey(endpoint)]: _, ...others } = data.followers
    const kept = Object.entries(others).slice(1 - mostPositions)
    data.followers = { ...Object.fromEntries(kept), [endpointKey(endpoint)]: id }
  }

  /** Positions that another state lacks become its last notification: earlier ones are not sent again. */
  replaced(state: State, cause: Replacement): void {
    const { announcer, settings, report } = this.options
    if (cause !== 'other') return
    const { data } = settings
    data.followers = Object.fromEntries(
      Object.entries(data.followers).map(([key, id]) => [
        key,
        announcer.index.isKnown(state, id) ? id : this.#latestId,
      ]),
    )
    if (Object.keys(data.followers).length > 0) settings.write().catch(report)
  }

  get #latestId(): string {
    const { announcer, engine } = this.options
    return announcer.index.latestId(engine.state)
  }

  #set(key: string, following: FollowingEndpoint[]): void {
    const { followers } = this.options.engine
    const last = following.at(-1)
    if (last === undefined) {
      this.#following.delete(key)
      followers.delete(key)
    } else {
      this.#following.set(key, following)
      followers.set(key, last)
    }
  }

  #missed(state: State, key: string): Iterable<PastNotification> {
    const position = this.options.settings.data.followers[key]
    return position === undefined ? [] : this.options.announcer.index.after(state, position)
  }

  /** Those that were added before a crash are not added again. */
  #addMissed(
    { ledgers }: State,
    { url, listener, wants }: FollowingEndpoint,
    missed: readonly PastNotification[],
  ): Promise<void>[] {
    return [...ledgers.values()].flatMap((ledger) => {
      const what = missed
        .filter(({ merchantId }) => merchantId === ledger.settings.merchantId)
        .filter((notification) => wants(ledger, notification))
        .map(({ transactionId, event, createdAt, status, tip }) => ({
          transactionId,
          event,
          url,
          listener,
          facts: { createdAt, status, tip },
        }))
      if (what.length === 0) return []
      const command = { type: 'send-again', onlyMissing: true, what } as const
      return [this.options.engine.run(ledger, command)]
    })
  }

  #skipPending({ ledgers }: State, key: string): Promise<void>[] {
    return [...ledgers.values()].flatMap((ledger) => {
      const { queues, deliveries } = ledger.outbox
      const results = (queues.get(key)?.numbers() ?? []).map((number) => ({
        ...({ type: 'delivery-attempted', number, round: deliveries.get(number)?.round } as const),
        last: skipped,
        fault: null,
        delivered: false,
        nextAt: null,
      }))
      if (results.length === 0) return []
      return [this.options.engine.run(ledger, { type: 'record-attempts', results })]
    })
  }
}
