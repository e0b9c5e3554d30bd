import type { IncomingMessage } from 'node:http'
import { firstSpace } from '../../contract/sandbox/spaces/space-name.ts'
import { elapsedTime } from '../../timers.ts'
import { apiKeyOf } from '../spaces/space-keys.ts'

/** So long a key is known to lead to a space. Milliseconds. */
const remembered = 60_000

/** Keys that are remembered at most. */
const mostKeys = 100_000

/**
 * Which space an API key leads to, by the database. What it said is remembered for a while, but not that no space has a key:
 * the next moment one may have it. assumption: spaces
 */
export class KeyLookup {
  readonly #ask: (key: string) => Promise<string | undefined>
  readonly #first: ReadonlySet<string>
  readonly #known = new Map<string, { readonly name: string; readonly until: number }>()

  /** `first`: keys that lead to the first space without being asked for. */
  constructor(ask: (key: string) => Promise<string | undefined>, first: readonly string[]) {
    this.#ask = ask
    this.#first = new Set(first)
  }

  /** The space of a request whose path names none; undefined when the database has to be asked. */
  known(incoming: IncomingMessage): string | undefined {
    const key = apiKeyOf(incoming)
    if (key === undefined || this.#first.has(key)) return firstSpace
    const known = this.#known.get(key)
    return known !== undefined && known.until > elapsedTime() ? known.name : undefined
  }

  /** The same, once the database was asked. A key that no space has leads to the first one, which refuses it. Errors: those of asking. */
  async find(incoming: IncomingMessage): Promise<string> {
    const key = apiKeyOf(incoming) ?? ''
    const found = await this.#ask(key)
    if (found === undefined) return firstSpace
    if (this.#known.size >= mostKeys) this.#known.clear()
    this.#known.set(key, { name: found, until: elapsedTime() + remembered })
    return found
  }

  /** Keys were made or taken away. */
  forget(): void {
    this.#known.clear()
  }
}
