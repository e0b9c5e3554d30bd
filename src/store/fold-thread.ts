import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { packageRoot } from '../package-root.ts'
import { clearTimeout, elapsedTime, setTimeout } from '../timers.ts'

/** The answer of the thread to an order. */
export type FoldAnswer = { readonly done: unknown } | { readonly error: FoldError }

/** The members of an error that are passed between threads: a copied error loses even its name. */
type FoldError = Pick<Error, 'message'>

/** Time without an order after which the thread ends and frees its memory. Milliseconds. */
const idleTimeoutMs = 10_000

/** Rest before a fold that can wait, as a multiple of the last fold's duration. */
const restFactor = 9

/** The folding thread of this process, which runs one order after another: warm code takes a quarter of the time. */
export class FoldThread {
  #worker: Worker | null = null
  #last: Promise<unknown> = Promise.resolve()
  #orders = 0
  #restsUntil = 0
  #idle: NodeJS.Timeout | undefined

  /** False during a fold and for a while after it, so that folds that can wait take a tenth of the time. */
  get isRested(): boolean {
    return this.#orders === 0 && elapsedTime() >= this.#restsUntil
  }

  /** Runs an order in the thread. Errors: those of the fold. */
  run<T>(order: object): Promise<T> {
    this.#orders += 1
    clearTimeout(this.#idle)
    const done = this.#last.then(() => this.#carryOut(order))
    this.#last = done.catch(() => undefined).finally(() => this.#carriedOut())
    return done as Promise<T>
  }

  async #carryOut(order: object): Promise<unknown> {
    const from = elapsedTime()
    this.#worker ??= new Worker(join(packageRoot, 'dist/store/folding/fold-worker.js'))
    const answer = await this.#answerTo(order, this.#worker)
    const now = elapsedTime()
    this.#restsUntil = now + restFactor * (now - from)
    if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.done
  }

  /** Errors: those that ended the thread; the next order then starts a new one. */
  async #answerTo(order: object, worker: Worker): Promise<FoldAnswer> {
    const over = new AbortController()
    const ended = once(worker, 'exit', over).then(([code]) => {
      throw new Error(`the thread ended with ${code}`)
    })
    worker.ref()
    try {
      worker.postMessage(order)
      const [answer] = await Promise.race([once(worker, 'message', over), ended])
      return answer
    } catch (error) {
      this.#worker = null
      throw error
    } finally {
      over.abort()
      worker.unref()
    }
  }

  #carriedOut(): void {
    this.#orders -= 1
    if (this.#orders > 0) return
    this.#idle = setTimeout(() => {
      void this.#worker?.terminate()
      this.#worker = null
    }, idleTimeoutMs).unref()
  }
}

export const foldThread = new FoldThread()
