import { onTestFinished } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import { type NodeOptions, startNode } from '../../../src/server/cluster/start-node.ts'
import { askJson } from '../network/ask-json.ts'
import { apiHeaders, sale, temporaryFolder } from '../service/service.ts'

/** A node in this process. Answers are their members, with the status as `httpStatus`. */
export type OpenNode = Awaited<ReturnType<typeof openNode>>

type Headers = Readonly<Record<string, string>>

/** Starts a node in this process; it is closed after the test. */
export async function openNode(store: string, given: Partial<NodeOptions> = {}) {
  const running = await startNode({ store, state: temporaryFolder(), ...given })
  onTestFinished(() => running.close())
  const { url } = running.connection
  const ask = (method: string, path: string, body?: object, headers?: Headers) =>
    askJson(url + path, method, body, headers)
  /** Sells for 1.00 with that key. `base`: path of a space. */
  const sell = (apiKey: string, base = '', more: object = {}) =>
    ask('POST', base + operations.sale.path, sale(100, more), apiHeaders(apiKey))
  /** Returns the API key of the new space. */
  const createSpace = async (name: string) =>
    (await ask('POST', '/_sandbox/spaces', { name })).data.apiKey as string
  /** How many transactions a space has. */
  const count = async (base = '') => (await ask('GET', `${base}/_sandbox/state`)).data.transactions as number
  return { ...running, url, ask, sell, createSpace, count }
}

/** Two nodes of one database. */
export const openTwo = async (store: string, given: Partial<NodeOptions> = {}) =>
  [await openNode(store, given), await openNode(store, given)] as const
