import type { IncomingMessage } from 'node:http'
import { bearerPattern } from '../../contract/headers.ts'
import { operationPaths } from '../../contract/operations.ts'
import { firstSpace } from '../../contract/sandbox/spaces/space-name.ts'
import type { Directory } from '../../engine/directory.ts'

/** Maps API keys to spaces: on the plain paths of the payment API, a client needs only its key. assumption: spaces */
export class SpaceKeys {
  readonly #spaces = new Map<string, string>()
  readonly #keys = new Map<string, readonly string[]>()

  /** Replaces the keys of a space. A key that another space has stays there. */
  learn(space: string, keys: readonly string[]): void {
    this.forget(space)
    const own = keys.filter((key) => !this.#spaces.has(key))
    this.#keys.set(space, own)
    for (const key of own) this.#spaces.set(key, space)
  }

  forget(space: string): void {
    for (const key of this.#keys.get(space) ?? []) this.#spaces.delete(key)
    this.#keys.delete(space)
  }

  /**
   * The space of the API key in a payment request; the first space for an unknown key. `first`: its keys take
   * precedence.
   */
  spaceOf(incoming: IncomingMessage, first: Directory): string {
    const key = apiKeyOf(incoming)
    const space = key === undefined ? undefined : this.#spaces.get(key)
    return key === undefined || space === undefined || first.ownerOfKey(key) !== undefined
      ? firstSpace
      : space
  }
}

/** The API key of a payment request; undefined for any other request. */
export function apiKeyOf({ url = '', headers }: IncomingMessage): string | undefined {
  const query = url.indexOf('?')
  if (!operationPaths.has(query === -1 ? url : url.slice(0, query))) return undefined
  return bearerPattern.exec(headers.authorization ?? '')?.[1]
}
