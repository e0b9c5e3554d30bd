import { Refusal } from '../contract/errors.ts'
import type { State } from '../domain/state.ts'
import { LostState } from '../store/lost-state.ts'
import { MendableError } from '../store/mendable-error.ts'
import { DatabaseAway, UnstorableValue } from '../store/postgres/connection/database-errors.ts'
import type { Store } from '../store/store.ts'
import { clearTimeout, setTimeout } from '../timers.ts'

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

/** Blocks commands while the state is read back after a failed write, or while a caller needs all of it durable. */
export class Gate {
  readonly #options: GateOptions
  #closed: Promise<void> | null = null
  #retry: NodeJS.Timeout | undefined
  #stopped = false

  constructor(options: GateOptions) {
    this.#options = options
  }

  get isClosed(): boolean {
    return this.#closed !== null
  }

  /** Resolves when the gate is open. Errors: SBX_STORE_FAIL when the state cannot be read back. */
  async opened(): Promise<void> {
    await this.#closed
  }

  /** Reads the durable state back; retries after a failure, with growing pauses. A lost folder stays lost. */
  recover(pause = pauseAfterFailure): void {
    const { store, failed, reread, report } = this.#options
    const longest = store.longestPause ?? longestPause
    failed()
    clearTimeout(this.#retry)
    // Writes under way belong to the state that is read back.
    const durable = store.written().then(() => store.reload())
    const reloading: Promise<void> = durable.then(
      (state) => {
        reread(state)
        if (this.#closed === reloading) this.#closed = null
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
    this.#closed = reloading
  }

  /**
   * Runs `work` once everything is durable, and blocks commands until then. Errors: SBX_STORE_FAIL; those of `work`.
   */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const { store } = this.#options
    await this.#closed
    let own: Promise<void> | null = null
    const working = (async () => {
      await store.written()
      while (this.#closed !== own || store.pending) {
        if (this.#closed === own) await store.written()
        else await this.#closed // a write failed: wait until the durable state is read back
        this.#closed = own
      }
      return work()
    })()
    own = working
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        if (this.#closed === own) this.#closed = null
      })
    this.#closed = own
    return working
  }

  /** Ends the attempts to read the state back. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#retry)
  }
}

/** The remedy for a client while a database or node is away. assumption: postgres-doubt */
export const resendRemedy =
  'Send the request again with the same ids, in a second: it happens once, however often it is sent'

/** The remedy for an error of the store; undefined where that of the error table does. */
function remedyFor(error: Error): string | undefined {
  if (error instanceof LostState)
    return 'Another sandbox may go on with it: send the request again with the same ids. Start one where none runs'
  if (error instanceof DatabaseAway) return resendRemedy
  if (error instanceof UnstorableValue)
    return 'Change the request: it can never be stored as it is. Requests beside it can be sent again'
  return undefined
}

/**
 * Errors: a refusal unchanged; any other error as SBX_STORE_FAIL, with the error of the disk or the database, or the
 * reason why the storage is lost.
 */
export function refuseStore(error: Error): never {
  throw storeRefusal(error, remedyFor(error))
}

/** Converts an error into a refusal. `usual`: the remedy for an error without its own. */
export function storeRefusal(error: Error, usual?: string): Refusal {
  if (error instanceof Refusal) return error
  const explanation =
    error instanceof MendableError
      ? { detail: error.why, remedy: `${error.remedy}. ${resendRemedy}` }
      : { detail: error.message, remedy: usual }
  return new Refusal('SBX_STORE_FAIL', { ...explanation, cause: error })
}
