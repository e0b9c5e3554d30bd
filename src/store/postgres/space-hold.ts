import { elapsedTime, sleep } from '../../timers.ts'
import { LostState } from '../lost-state.ts'
import { UnusableDatabase } from './connection/address.ts'
import type { Database } from './connection/database.ts'
import { DatabaseAway } from './connection/database-errors.ts'
import type { TakenSpace } from './lease.ts'

export interface SpaceHoldOptions {
  readonly database: Database
  readonly space: string
  /** Name of this node in the database. */
  readonly node: string
  readonly taken: TakenSpace
  /** Called when the space is lost: nothing more is acknowledged. */
  readonly lost: (error: LostState) => void
}

/** The epoch and position that a write expects, and those that it sets. */
export interface WriteCondition {
  readonly space: string
  readonly epoch: number
  /** Sequence of the last event before the write. */
  readonly position: number
  readonly next: number
}

/** Pause between two attempts to reach the database. Milliseconds. */
const pause = 50

/** True for an error after which it is unknown whether the write happened. */
export const isAway = (error: unknown): error is DatabaseAway | UnusableDatabase =>
  error instanceof DatabaseAway || error instanceof UnusableDatabase

/**
 * This node's hold on a space. Each write names the epoch and the position that it expects, so that it takes effect
 * once, and never after another node took the space. assumption: postgres-doubt
 */
export class SpaceHold {
  readonly #options: SpaceHoldOptions
  #epoch: number
  #position: number
  #lost: LostState | null = null
  /** The write whose result is unknown; null if there is none. */
  #doubt: WriteCondition | null = null
  /** Names of the connections lost during that write, or while its result was being found out. */
  readonly #lostConnections = new Set<string>()

  constructor(options: SpaceHoldOptions) {
    this.#options = options
    this.#epoch = options.taken.epoch
    this.#position = options.taken.position
  }

  /** Sequence of the last event that is known to be durable. */
  get position(): number {
    return this.#position
  }

  get epoch(): number {
    return this.#epoch
  }

  /** Why the space is lost; null while this node holds it. */
  get lost(): LostState | null {
    return this.#lost
  }

  /** True while it is unknown whether the last write took effect. */
  get isInDoubt(): boolean {
    return this.#doubt !== null
  }

  /**
   * Writes, and advances the position by `count`. `attempt` resolves to false when epoch or position differ from the
   * condition; it is repeated after a lost connection if the write is known to have had no effect. Errors: LostState;
   * an Error of the server, without effect; DatabaseAway, without effect unless the result is still unknown.
   */
  async write(
    count: number,
    attempt: (condition: WriteCondition, patience: number) => Promise<boolean>,
  ): Promise<void> {
    const { unavailableAfter } = this.#options.database.address
    const until = elapsedTime() + unavailableAfter
    for (;;) {
      const condition = this.#conditionFor(count)
      try {
        // The other half of the time is for what follows a missing answer.
        if (!(await attempt(condition, (until - elapsedTime()) / 2))) throw this.lose(takenOver)
        this.#position = condition.next
        return
      } catch (error) {
        if (!isAway(error)) throw error
        this.#doubt = condition
        this.#noteLost(error)
        if (await this.settle(until)) return
        if (elapsedTime() + 2 * pause >= until) throw error // too short for another attempt
      }
    }
  }

  /**
   * Finds out whether the write with an unknown result took effect; it first raises the epoch, so that the write cannot
   * take effect later. `until`: by `elapsedTime`. Errors: LostState; DatabaseAway, and the result stays unknown.
   */
  async settle(until: number): Promise<boolean> {
    const doubt = this.#doubt
    if (doubt === null) return false
    for (;;) {
      try {
        await this.#raiseEpoch(Math.max(1, until - elapsedTime()))
        this.#doubt = null
        if (this.#position !== doubt.position && this.#position !== doubt.next) throw this.lose(changed)
        return this.#position === doubt.next
      } catch (error) {
        if (this.#lost !== null) throw this.#lost
        this.#noteLost(error)
        if (elapsedTime() + pause >= until) throw this.#unanswered(error as Error)
        await sleep(pause)
      }
    }
  }

  /** Ends all acknowledgement. Returns the reason as an error. */
  lose(why: string): LostState {
    if (this.#lost !== null) return this.#lost
    const { database, space, lost } = this.#options
    this.#lost = new LostState(`The space ${space} of ${database.address.shown}`, why)
    lost(this.#lost)
    return this.#lost
  }

  /** Errors: LostState. */
  requireHeld(): void {
    if (this.#lost !== null) throw this.#lost
  }

  #unanswered(error: Error): Error {
    return isAway(error) ? error : new DatabaseAway(this.#options.database.address.shown, error.message)
  }

  #conditionFor(count: number): WriteCondition {
    this.requireHeld()
    const { space } = this.#options
    return { space, epoch: this.#epoch, position: this.#position, next: this.#position + count }
  }

  #noteLost(error: unknown): void {
    const connection = error instanceof DatabaseAway ? error.connection : null
    if (connection !== null) this.#lostConnections.add(connection)
  }

  /** Statements on lost connections may lock the row or raise the epoch again, so those connections are ended first. */
  async #raiseEpoch(patience: number): Promise<void> {
    const { database, space, node } = this.#options
    if (this.#lostConnections.size > 0)
      await database.run(
        'select pg_terminate_backend(pid) from pg_stat_activity where application_name = any($1)',
        [[...this.#lostConnections]],
        patience,
      )
    const { rows } = await database.run(
      `update spaces set epoch = nextval('epochs') where name = $1 and owner = $2 and epoch >= $3 returning epoch, position`,
      [space, node, this.#epoch],
      patience,
    )
    const [row] = rows
    if (row === undefined) throw this.lose(takenOver)
    this.#lostConnections.clear()
    this.#epoch = Number(row.epoch)
    this.#position = Number(row.position)
  }
}

const takenOver = 'another node has taken it over, or it was removed'

const changed = 'its events were changed by something else'
