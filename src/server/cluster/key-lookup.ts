import type { IncomingMessage } from 'node:http'
import { firstSpace } from '../../contract/sandbox/spaces.ts'
import { elapsedTime } from '../../timers.ts'
import { apiKeyOf } from '../spaces/space-views.ts'

/** Time after which the cache is emptied. Milliseconds. */
const remembered = 60_000

/**
 * The space of an API key, from the database. Found keys are cached for a while; unknown keys are not, because a space
 * may get one at any moment. assumption: spaces
 */
export class KeyLookup {
  readonly #ask: (key: string) => Promise<string | undefined>
  readonly #first: ReadonlySet<string>
  readonly #known = new Map<string, string>()
  #since = elapsedTime()

  /** `first`: keys of the first space, which need no query. */
  constructor(ask: (key: string) => Promise<string | undefined>, first: readonly string[]) {
    this.#ask = ask
    this.#first = new Set(first)
  }

  /** The space of a request without a space in its path; undefined when the database must be asked. */
  known(incoming: IncomingMessage): string | undefined {
    const key = apiKeyOf(incoming)
    if (key === undefined || this.#first.has(key)) return firstSpace
    if (elapsedTime() - this.#since > remembered) this.forget()
    return this.#known.get(key)
  }

  /**
   * The space of a request, from the database. An unknown key goes to the first space, which refuses it. Errors: those of
   * the query.
   */
  async find(incoming: IncomingMessage): Promise<string> {
    const key = apiKeyOf(incoming) ?? ''
    const space = await this.#ask(key)
    if (space !== undefined) this.#known.set(key, space)
    return space ?? firstSpace
  }

  /** Empties the cache, after keys were added or removed. */
  forget(): void {
    this.#known.clear()
    this.#since = elapsedTime()
  }
}
