import { onTestFinished } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import { type NodeOptions, type RunningNode, startNode } from '../../../src/server/cluster/start-node.ts'
import type { AnyJson } from '../any-json.ts'
import { askJson } from '../network/ask-json.ts'
import { apiHeaders, sale, temporaryFolder } from '../service/service.ts'

/** A node in this process. Answers are their members, with the status as `httpStatus`. */
export interface OpenNode extends RunningNode {
  readonly url: string
  ask(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<AnyJson>
  /** Sells for 1.00 with that key. `base`: path of a space. */
  sell(apiKey: string, base?: string, more?: object): Promise<AnyJson>
  /** Returns the API key of the new space. */
  createSpace(name: string): Promise<string>
  /** How many transactions a space has. */
  count(base?: string): Promise<number>
}

/** Starts a node in this process; it is closed after the test. */
export async function openNode(store: string, given: Partial<NodeOptions> = {}): Promise<OpenNode> {
  const running = await startNode({ store, state: temporaryFolder(), ...given })
  onTestFinished(() => running.close())
  const { url } = running.connection
  const ask: OpenNode['ask'] = (method, path, ...rest) => askJson(url + path, method, ...rest)
  const sell: OpenNode['sell'] = (apiKey, base = '', more = {}) =>
    ask('POST', base + operations.sale.path, sale(100, more), apiHeaders(apiKey))
  const createSpace = async (name: string) =>
    (await ask('POST', '/_sandbox/spaces', { name })).data.apiKey as string
  const count = async (base = '') => (await ask('GET', `${base}/_sandbox/state`)).data.transactions as number
  return { ...running, url, ask, sell, createSpace, count }
}

/** Two nodes of one database. */
export const openTwo = async (store: string, given: Partial<NodeOptions> = {}) =>
  [await openNode(store, given), await openNode(store, given)] as const
