import { Refusal } from '../contract/errors.ts'
import type { State } from '../domain/state.ts'
import { MendableError } from '../store/mendable-error.ts'
import type { Store } from '../store/store.ts'
import { clearTimeout, setTimeout } from '../timers.ts'

/** Pause after a failed write before timed steps try again. Milliseconds. */
export const pauseAfterFailure = 1_000

/** A state that cannot be read back is tried at least so often. Milliseconds. */
const longestPause = 60_000

interface GateOptions {
  readonly store: Store
  /** A write failed; called before each try to read the state back. */
  readonly failed: () => void
  /** What is durable was read back. */
  readonly reread: (state: State) => void
  /** Told what went wrong where no request is there to be told. */
  readonly report: (error: Error) => void
}

/** Lets nothing be decided while the state is read back after a failed write, or while somebody needs all of it durable. */
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

  /** Resolves when it is open. Errors: SBX_STORE_FAIL when the state cannot be read back. */
  async opened(): Promise<void> {
    await this.#closed
  }

  /** Reads back what is durable, and tries again, less and less often; a folder that is lost stays lost. */
  recover(pause = pauseAfterFailure): void {
    const { store, failed, reread, report } = this.#options
    const longest = store.longestPause ?? longestPause
    failed()
    clearTimeout(this.#retry)
    // What is on its way to the disk is part of the state that is read back.
    const durable = store.written().then(() => store.reload())
    const reloading: Promise<void> = durable.then(
      (state) => {
        reread(state)
        if (this.#closed === reloading) this.#closed = null
      },
      (error: Error) => {
        if (!this.#stopped && error.name !== 'LostState')
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

  /** Works when everything that was decided is durable, and stays closed meanwhile. Errors: SBX_STORE_FAIL; those of `work`. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const { store } = this.#options
    await this.#closed
    let own: Promise<void> | null = null
    const working = (async () => {
      await store.written()
      while (this.#closed !== own || store.pending) {
        if (this.#closed === own) await store.written()
        else await this.#closed // a write failed meanwhile: what is durable is the state again
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

  /** No more tries. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#retry)
  }
}

/** What a client does about a database or a node that is away. assumption: postgres-doubt */
export const resendRemedy =
  'Send the request again with the same ids, in a second: it happens once, however often it is sent'

/** What to do about an error of the store, by its name; of any other the error table says it. */
const remedies: Readonly<Record<string, string>> = {
  LostState:
    'Another sandbox may go on with it: send the request again with the same ids. Start one where none runs',
  DatabaseAway: resendRemedy,
}

/** Errors: a refusal as it is, else SBX_STORE_FAIL with what the disk or the database said, or why the place is lost. */
export function refuseStore(error: Error): never {
  throw storeRefusal(error, remedies[error.name])
}

/** What was thrown, as a refusal. `usual`: what to do about an error that does not say what mends it. */
export function storeRefusal(error: Error, usual?: string): Refusal {
  if (error instanceof Refusal) return error
  const told =
    error instanceof MendableError
      ? { detail: error.why, remedy: `${error.remedy}. ${resendRemedy}` }
      : { detail: error.message, remedy: usual }
  return new Refusal('SBX_STORE_FAIL', { ...told, cause: error })
}
