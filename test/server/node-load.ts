import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '../../src/contract/operations.ts'
import { Acknowledged } from '../support/load/acknowledged.ts'
import type { Random } from '../support/load/random.ts'
import { type Ask, dataOf } from '../support/service/ask.ts'
import { storedOver } from '../support/store/stored.ts'
import type { ClusterNode, Nodes } from './nodes.ts'

/** A space under load: what was sent to it, and what it promised. */
export interface LoadedSpace {
  readonly name: string
  /** Asks any node. */
  readonly ask: Ask
  readonly acknowledged: Acknowledged
  /** Problems of the space as one node shows it. */
  problemsAt(node: ClusterNode): Promise<string[]>
}

export async function createSpace(nodes: Nodes, random: Random, name: string): Promise<LoadedSpace> {
  const apiKey = await nodes.createSpace(name)
  const acknowledged = new Acknowledged()
  const client = { name, apiKey, acknowledged, random: random.fork() }
  return {
    name,
    acknowledged,
    ask: askAt(client, () => nodes.all),
    problemsAt: async (node) => {
      const { problems } = await acknowledged.check(storedOver(askAt(client, () => [node])))
      return problems.map((problem) => `${name} at ${node.url}: ${problem}`)
    },
  }
}

/** Whom a client asks for. */
interface Client extends Pick<LoadedSpace, 'name' | 'acknowledged'> {
  readonly apiKey: string
  readonly random: Random
}

/** So long a request is sent again and again. Milliseconds. */
const patience = 60_000

/**
 * Asks any of some nodes. What has no answer, or 503, is sent again to any of them with the same ids: then the refusal as a
 * duplicate says that it had happened, and is answered as what it opened.
 */
function askAt({ name, apiKey, acknowledged, random }: Client, nodes: () => readonly ClusterNode[]): Ask {
  /** Ids of transactions that were asked for. */
  const known = new Set<string>()
  const ask: Ask = async (method, path, members, headers = {}) => {
    const opening = members as { readonly transactionRequestId?: string } | undefined
    const id = method === 'POST' ? opening?.transactionRequestId : undefined
    const opens = id !== undefined && !known.has(id)
    if (id !== undefined) known.add(id)
    const requestId = crypto.randomUUID()
    const end = Date.now() + patience
    for (let tries = 1; ; tries += 1) {
      const isPlain = path.startsWith('/v1/') && random.happens(0.5)
      const answer = await random.pick(nodes()).ask(method, isPlain ? path : `/s/${name}${path}`, members, {
        ...headers,
        Authorization: `Bearer ${apiKey}`,
        'X-Client-Request-Id': tries === 1 || random.happens(0.5) ? requestId : crypto.randomUUID(),
      })
      if (answer !== null && answer.status !== 503) {
        const mayHaveOpened = opens && tries > 1 && answer.code.startsWith('SBX_DUP_')
        return mayHaveOpened ? ((await lookUpOpened(ask, id)) ?? answer) : answer
      }
      if (Date.now() > end) {
        const why = answer?.detail ?? ''
        acknowledged.problems.push(`${method} ${path} had no answer in ${tries} tries: ${why}`)
        return null
      }
      await sleep(100)
    }
  }
  return ask
}

/** What a request opened whose first answer was lost; null for one that opened nothing. */
async function lookUpOpened(ask: Ask, id: string): ReturnType<Ask> {
  const found = await ask('GET', `${operations.query.path}?transactionRequestId=${id}`)
  if (found?.code !== '0') return null
  const { transactionId } = found.data
  const { sessionId } = dataOf(await ask('GET', `/_sandbox/transactions/${transactionId}`), transactionId)
  return { status: 200, code: '0', data: { transactionId, sessionId } }
}
