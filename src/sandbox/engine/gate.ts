import { Refusal } from '../../contract/errors.ts'
import type { State } from '../../domain/state.ts'
import { LostState, MendableError, resendRemedy, StoreError } from '../../shared/files/store-errors.ts'
import { clearTimeout, setTimeout } from '../../shared/timers.ts'
import type { Store } from '../store/storage.ts'

/** Pause after a failed write before timed steps try again. Milliseconds. */
export const pauseAfterFailure = 1_000

/** Longest pause between attempts to read the state back. Milliseconds. */
const longestPause = 60_000

interface GateOptions {
  readonly store: Store
  /** Called after a failed write, before each attempt to read the state back. */
  readonly failed: () => void
  /** Called with the durable state that was read back. */
  readonly reread: (state: State) => void
  /** Reports errors that belong to no request. */
  readonly report: (error: Error) => void
}

/** Blocks commands while the state is read back after a failed write, or must all be durable. */
export class Gate {
  /** The state is read back; rejected where that failed, until the next attempt. */
  #reloading: Promise<void> | null = null
  readonly #callers = new SerialQueue()
  /** Settles with the work that needs all of it durable: it may replace what is read back. */
  #working: Promise<unknown> = Promise.resolve()
  /** Number of callers that need all of it durable. */
  #waiting = 0
  #retry: NodeJS.Timeout | undefined
  #stopped = false

  constructor(private readonly options: GateOptions) {}

  get isClosed(): boolean {
    return this.#reloading !== null || this.#waiting > 0
  }

  /** Resolves when the gate is open. */
  async opened(): Promise<void> {
    while (this.isClosed) {
      await this.#reloading
      await this.#callers.idle()
    }
  }

  /** Reads the durable state back; retries after a failure, with growing pauses. A lost folder stays lost. */
  recover(pause = pauseAfterFailure): void {
    const { store, failed, reread, report } = this.options
    const longest = store.longestPause ?? longestPause
    failed()
    clearTimeout(this.#retry)
    // Writes under way belong to the state that is read back.
    const durable = store
      .written()
      .then(() => this.#working)
      .then(() => store.reload())
    const reloading: Promise<void> = durable.then(
      (state) => {
        reread(state)
        if (this.#reloading === reloading) this.#reloading = null
      },
      (error: Error) => {
        if (!this.#stopped && !(error instanceof LostState))
          this.#retry = setTimeout(
            () => this.recover(Math.min(pause * 2, longest)),
            Math.min(pause, longest),
          ).unref()
        return refuseStore(error)
      },
    )
    reloading.catch(report)
    this.#reloading = reloading
  }

  /** Runs `work` once everything is durable, and blocks commands until then; one caller after the other. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1
    try {
      return await this.#callers.run(async () => {
        while (this.options.store.pending) await this.options.store.written()
        await this.#reloading // a write failed
        const working = work()
        this.#working = working.catch(() => undefined)
        return working
      })
    } finally {
      this.#waiting -= 1
    }
  }

  /** Ends the attempts to read the state back. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#retry)
  }
}

/**
 * Throws a refusal unchanged, and any other error as SBX_STORE_FAIL: with that of the disk or the database,
 * or why the storage is lost.
 */
export function refuseStore(error: Error): never {
  throw storeRefusal(error)
}

/** Converts an error into a refusal, with its own remedy. `usual`: the remedy for an error without one. */
export function storeRefusal(error: Error, usual?: string): Refusal {
  if (error instanceof Refusal) return error
  const explanation =
    error instanceof MendableError
      ? { detail: error.why, remedy: `${error.remedy}. ${resendRemedy}` }
      : { detail: error.message, remedy: error instanceof StoreError ? error.remedy : usual }
  return new Refusal('SBX_STORE_FAIL', { ...explanation, cause: error })
}

/** Runs functions one after another, in the order of the calls; a failure does not stop the queue. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Resolves or rejects as `work` does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  /** Resolves when every call until now is over. */
  async idle(): Promise<void> {
    await this.#last
  }
}
