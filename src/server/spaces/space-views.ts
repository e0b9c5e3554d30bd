import type { IncomingMessage } from 'node:http'
import { firstSpace } from '../../contract/control/spaces.ts'
import { bearerPattern } from '../../contract/headers.ts'
import { operationPaths } from '../../contract/operations.ts'
import { countTransactions } from '../../domain/state.ts'
import type { KnownSpace, OpenedSpace } from '../../sandbox/control/control-context.ts'
import type { Directory } from '../../sandbox/engine/directory.ts'
import { defaultAccess } from '../../sandbox/views/views.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/** The record of the first space: a state folder does not store its age. */
export const firstRecord = { name: firstSpace, createdAt: null, expiresAt: null, madeBy: null }

type NamedSpace = Pick<KnownSpace, 'name' | 'createdAt' | 'expiresAt' | 'madeBy'>

/** A space as its server knows it; `sandbox`: null when it is closed. */
export function knownSpace(
  { name, createdAt, expiresAt, madeBy }: NamedSpace,
  sandbox: Pick<Sandbox, 'engine'> | null,
): KnownSpace {
  const transactions = sandbox && countTransactions(sandbox.engine.state)
  return { name, createdAt, expiresAt, inMemory: sandbox !== null, transactions, madeBy }
}

/** The data that a client needs to use an open space. */
export const openedSpace = (
  { name, createdAt, expiresAt }: NamedSpace,
  sandbox: Parameters<typeof defaultAccess>[0],
): OpenedSpace => ({
  name,
  createdAt,
  expiresAt,
  ...defaultAccess(sandbox),
})

/** Maps API keys to spaces: on the plain paths of the API a client needs only its key. assumption: spaces */
export class SpaceKeys {
  readonly #spaces = new Map<string, string>()
  readonly #keys = new Map<string, readonly string[]>()

  /** Replaces the keys of a space. A key that another space has stays there. */
  learn(space: string, keys: readonly string[]): void {
    this.forget(space)
    const newKeys = keys.filter((key) => !this.#spaces.has(key))
    this.#keys.set(space, newKeys)
    for (const key of newKeys) this.#spaces.set(key, space)
  }

  forget(space: string): void {
    for (const key of this.#keys.get(space) ?? []) this.#spaces.delete(key)
    this.#keys.delete(space)
  }

  /**
   * The space of the API key in a payment request; the first space for an unknown key. `first`: its keys take
   * precedence.
   */
  spaceNameFor(incoming: IncomingMessage, first: Directory): string {
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

const prefix = /^\/s\/([^/?#]*)(.*)$/

/** The space in the path of a request, and the path within the space; undefined when the path names none. */
export function parseSpacePath({ url }: Pick<IncomingMessage, 'url'>) {
  const [, name, rest] = prefix.exec(url ?? '') ?? []
  if (name === undefined || rest === undefined) return undefined
  return { name, path: rest.startsWith('/') ? rest : `/${rest}` }
}
