import { setTimeout as sleep } from 'node:timers/promises'
import { Acknowledged } from '../load/acknowledged.ts'
import { type Load, startLoad } from '../load/mixed-load.ts'
import type { Random } from '../load/random.ts'
import { type Ask, dataOf, type TestAnswer } from '../service/ask.ts'
import { storedOver } from '../store/stored.ts'
import type { Nodes } from './nodes.ts'

/** A space under load: what was sent to it, and what it promised. */
export interface LoadedSpace {
  readonly name: string
  readonly apiKey: string
  readonly ask: Ask
  readonly acknowledged: Acknowledged
}

/** So long a request is sent again and again. Milliseconds. */
const patience = 60_000

/** So long one node is waited for: one that sleeps answers nothing. Milliseconds. */
const nodePatience = 8_000

/** A client waits so long before it sends a request again. Milliseconds. */
const pause = 100

/** Makes spaces. */
export function createSpaces(nodes: Nodes, random: Random, count: number): Promise<LoadedSpace[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, number): Promise<LoadedSpace> => {
      const name = `load-${number}`
      const apiKey = await nodes.createSpace(name)
      const acknowledged = new Acknowledged()
      return { name, apiKey, acknowledged, ask: askAny(nodes, random.fork(), { name, apiKey, acknowledged }) }
    }),
  )
}

/** Payments and follow-ups in a space, at random. `url`: where its webhooks go; `pause`: before each, milliseconds at most. */
export function loadSpace(
  { ask, acknowledged }: LoadedSpace,
  random: Random,
  { url, pause }: { readonly url: string; readonly pause: number },
): Load {
  const paced: Ask = async (...request) => {
    await sleep(random.whole(pause))
    return ask(...request)
  }
  return startLoad({ ask: paced, random, acknowledged, notifyUrl: url, connections: 3, most: Infinity })
}

/** Problems of a space as one node shows it. */
export async function problemsAt(nodes: Nodes, space: LoadedSpace, index: number): Promise<string[]> {
  const { name, apiKey, acknowledged } = space
  const node = nodes.all[index]
  if (node === undefined) throw new Error(`there is no node ${index}`)
  const ask: Ask = async (method, path, members, headers) => {
    const request = { method, path: `/s/${name}${path}`, members, apiKey, ...(headers && { headers }) }
    for (const end = Date.now() + patience; ; await sleep(pause)) {
      // The node may just have closed an idle connection, or lost its session: a look-up is sent again.
      const answer = await node.ask(request)
      const isAnswered = answer !== null && answer.status !== 503
      if (isAnswered || method !== 'GET' || Date.now() > end) return answer
    }
  }
  const { problems } = await acknowledged.check(storedOver(ask))
  return problems.map((problem) => `${name} at node ${index}: ${problem}`)
}

/** Whom a client asks, and for whom. */
interface Client {
  readonly name: string
  readonly apiKey: string
  readonly acknowledged: Acknowledged
}

/**
 * Asks any node. What has no answer, or 503, is sent again to any other with the same ids: then the refusal as a duplicate
 * says that it had happened, and is answered as what it opened.
 */
function askAny(nodes: Nodes, random: Random, { name, apiKey, acknowledged }: Client): Ask {
  /** Ids of transactions that were asked for. */
  const known = new Set<string>()
  return async (method, path, members, headers = {}) => {
    const id = method === 'POST' ? idIn(members) : undefined
    const opens = id !== undefined && !known.has(id)
    if (id !== undefined) known.add(id)
    const requestId = crypto.randomUUID()
    const end = Date.now() + patience
    for (let tries = 1; ; tries += 1) {
      const isPlain = path.startsWith('/v1/') && random.happens(0.5)
      const own = tries === 1 || random.happens(0.5) ? requestId : crypto.randomUUID()
      const request = {
        method,
        path: isPlain ? path : `/s/${name}${path}`,
        members,
        apiKey,
        headers: { ...headers, 'X-Client-Request-Id': own },
      }
      const answer = nodes.all.length === 0 ? null : await random.pick(nodes.all).ask(request, nodePatience)
      if (answer !== null && answer.status !== 503) {
        if (tries === 1 || !opens || !duplicate.test(answer.code)) return answer
        return (await lookUpOpened(ask, id)) ?? answer
      }
      if (Date.now() > end) {
        acknowledged.problems.push(
          `${method} ${path} had no answer in ${tries} tries: ${answer?.detail ?? ''}`,
        )
        return null
      }
      await sleep(pause)
    }
  }
  function ask(path: string): Promise<TestAnswer | null> {
    return askAny(nodes, random, { name, apiKey, acknowledged })('GET', path)
  }
}

const duplicate = /^SBX_DUP_/

const idIn = (members: object | undefined): string | undefined =>
  (members as { readonly transactionRequestId?: string } | undefined)?.transactionRequestId

/** What a request opened whose first answer was lost; undefined for one that opened nothing. */
async function lookUpOpened(
  ask: (path: string) => Promise<TestAnswer | null>,
  id: string,
): Promise<TestAnswer | undefined> {
  const found = await ask(`/v1/transaction/query?transactionRequestId=${id}`)
  if (found?.code !== '0') return undefined
  const { transactionId } = found.data
  const { sessionId } = dataOf(await ask(`/_sandbox/transactions/${transactionId}`), transactionId)
  return { status: 200, code: '0', data: { transactionId, sessionId } }
}
