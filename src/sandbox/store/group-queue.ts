import { deferred, nextTurn } from '../../shared/timers.ts'

interface GroupOptions<T> {
  /** An empty group. */
  readonly begin: () => T
  /** Makes a group durable. */
  readonly write: (group: T) => Promise<void>
  /** Called when a write failed, before its callers are told. */
  readonly failed: (error: Error) => void
}

interface WaitingGroup<T> {
  readonly content: T
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * Group commit: entries of one turn of the event loop, or added while a group is being written, become
 * durable together. After a failure, all waiting entries are rejected.
 */
export class GroupQueue<T> {
  #waiting: WaitingGroup<T> | null = null
  #underWay: WaitingGroup<T> | null = null
  #busy: Promise<void> | null = null

  constructor(private readonly options: GroupOptions<T>) {}

  /** True while an entry waits to be durable. */
  get pending(): boolean {
    return this.#busy !== null
  }

  /** The group that is written next. After adding to it, call `commit` in the same turn. */
  get next(): T {
    this.#waiting ??= { content: this.options.begin(), ...deferred<void>() }
    return this.#waiting.content
  }

  /** Resolves when the entries added to `next` are durable. */
  commit(): Promise<void> {
    const { promise } = this.#waiting as WaitingGroup<T>
    this.#busy ??= this.#drain()
    return promise
  }

  /** Resolves when everything committed until now is durable; to false when it could not be written. */
  written(): Promise<boolean> {
    const last = this.#waiting ?? this.#underWay
    if (last === null) return Promise.resolve(true)
    return last.promise.then(
      () => true,
      () => false,
    )
  }

  /** Resolves when nothing waits, whether it was written or not. */
  async settled(): Promise<void> {
    while (this.#busy !== null) await this.#busy
  }

  async #drain(): Promise<void> {
    while (this.#waiting !== null) {
      await nextTurn()
      const group = this.#take() as WaitingGroup<T>
      try {
        this.#underWay = group
        await this.options.write(group.content)
        group.resolve()
      } catch (error) {
        const later = this.#take()
        this.options.failed(error as Error)
        group.reject(error as Error)
        later?.reject(error as Error)
      }
    }
    this.#underWay = null
    this.#busy = null
  }

  #take(): WaitingGroup<T> | null {
    const group = this.#waiting
    this.#waiting = null
    return group
  }
}
