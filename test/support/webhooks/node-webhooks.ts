import type { State } from '../../../src/domain/state.ts'
import { openReceiver } from './webhook-receiver.ts'

/** A receiver of the webhooks of many spaces. */
export interface OrderedReceiver {
  /** Address for a space. */
  urlOf(space: string): string
  /** POSTs in all. */
  readonly posts: () => number
  /** Holds what came against the deliveries of a space: each at least once, at each address in their order. */
  problemsOf(space: string, state: State): string[]
}

/** Opens a receiver that answers 200 and keeps the order in which each notification came first. It is gone after the test. */
export async function openOrderedReceiver(): Promise<OrderedReceiver> {
  const keysByPath = new Map<string, string[]>()
  let posts = 0
  const { url, arrivals } = await openReceiver(({ path, json }, response) => {
    arrivals.length = 0 // they would be many
    posts += 1
    const key = keyOf(json.transactionId, json.eventType ?? null)
    const order = keysByPath.get(path) ?? []
    if (!order.includes(key)) order.push(key)
    keysByPath.set(path, order)
    response.writeHead(200).end()
  })
  const urlOf = (space: string) => `${url}/${space}`
  return {
    urlOf,
    posts: () => posts,
    problemsOf: (space, state) => {
      const order = keysByPath.get(new URL(urlOf(space)).pathname) ?? []
      const due = [...state.ledgers.values()]
        .flatMap(({ outbox }) => [...outbox.deliveries.values()])
        .filter((delivery) => delivery.url === urlOf(space))
        .sort((one, other) => one.number - other.number)
        .map(({ transactionId, event }) => keyOf(transactionId, event))
      const missing = due.filter((key) => !order.includes(key))
      const wanted = due.filter((key) => order.includes(key))
      const known = new Set(due)
      const found = order.filter((key) => known.has(key))
      const mismatch = found.findIndex((key, index) => key !== wanted[index])
      return [
        ...missing.map((key) => `${space}: the webhook ${key} never came`),
        ...(mismatch < 0 ? [] : [`${space}: the webhook ${found[mismatch]} came before ${wanted[mismatch]}`]),
      ]
    },
  }
}

const keyOf = (transactionId: string, event: string | null): string => `${transactionId} ${event ?? 'result'}`
