import { onTestFinished } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import { type NodeOptions, type RunningNode, startNode } from '../../../src/server/cluster/start-node.ts'
import type { AnyJson } from '../any-json.ts'
import { newId } from '../service/new-id.ts'
import { sale, temporaryFolder } from '../service/service.ts'

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
}

/** Starts a node in this process; it is closed after the test. */
export async function openNode(store: string, given: Partial<NodeOptions> = {}): Promise<OpenNode> {
  const running = await startNode({ store, state: temporaryFolder(), ...given })
  onTestFinished(() => running.close())
  const { url } = running.connection
  const ask: OpenNode['ask'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(url + path, {
      method,
      headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { httpStatus: answer.status, ...(text === '' ? {} : (JSON.parse(text) as object)) }
  }
  const sell: OpenNode['sell'] = (apiKey, base = '', more = {}) =>
    ask('POST', base + operations.sale.path, sale(100, more), apiHeaders(apiKey))
  return { ...running, url, ask, sell }
}

/** Headers of a request of the payment API. */
export const apiHeaders = (apiKey: string) => ({
  Authorization: `Bearer ${apiKey}`,
  'X-Client-Request-Id': newId(),
  'X-Timestamp': String(Date.now()),
})
