import type { IncomingMessage } from 'node:http'
import { firstSpace } from '../../contract/sandbox/spaces/space-name.ts'
import { elapsedTime } from '../../timers.ts'
import { apiKeyOf } from '../spaces/space-keys.ts'

/** Time for which the space of a key is cached. Milliseconds. */
const remembered = 60_000

/** Most keys in the cache. */
const mostKeys = 100_000

/**
 * The space of an API key, from the database. Found keys are cached for a while; unknown keys are not, because a space
 * may get one at any moment. assumption: spaces
 */
export class KeyLookup {
  readonly #ask: (key: string) => Promise<string | undefined>
  readonly #first: ReadonlySet<string>
  readonly #known = new Map<string, { readonly name: string; readonly until: number }>()

  /** `first`: keys of the first space, which need no query. */
  constructor(ask: (key: string) => Promise<string | undefined>, first: readonly string[]) {
    this.#ask = ask
    this.#first = new Set(first)
  }

  /** The space of a request without a space in its path; undefined when the database must be asked. */
  known(incoming: IncomingMessage): string | undefined {
    const key = apiKeyOf(incoming)
    if (key === undefined || this.#first.has(key)) return firstSpace
    const known = this.#known.get(key)
    return known !== undefined && known.until > elapsedTime() ? known.name : undefined
  }

  /**
   * The space of a request, from the database if it is not cached. An unknown key goes to the first space, which
   * refuses it. Errors: those of the query.
   */
  async find(incoming: IncomingMessage): Promise<string> {
    const key = apiKeyOf(incoming) ?? ''
    const space = await this.#ask(key)
    if (space === undefined) return firstSpace
    if (this.#known.size >= mostKeys) this.#known.clear()
    this.#known.set(key, { name: space, until: elapsedTime() + remembered })
    return space
  }

  /** Empties the cache, after keys were added or removed. */
  forget(): void {
    this.#known.clear()
  }
}
