import type { Delivery } from '../../../src/domain/model/outbox.ts'
import type { State } from '../../../src/domain/state.ts'
import { openReceiver } from './webhook-receiver.ts'

/** A receiver of the webhooks of many spaces. */
export interface OrderedReceiver {
  /** Address for a space. */
  urlOf(space: string): string
  /** POSTs in all. */
  readonly posts: () => number
  /** Holds what came against the deliveries of a space: each at least once; those whose first attempt succeeded in their order. */
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
      const deliveries = [...state.ledgers.values()]
        .flatMap(({ outbox }) => [...outbox.deliveries.values()])
        .filter((delivery) => delivery.url === urlOf(space))
        .sort((one, other) => one.number - other.number)
      const missing = keysOf(deliveries).filter((key) => !order.includes(key))
      const wanted = keysOf(deliveries.filter(({ attempts }) => attempts === 1)) // a failed one is passed by later ones
      const known = new Set(wanted)
      const found = order.filter((key) => known.has(key))
      const mismatch = found.findIndex((key, index) => key !== wanted[index])
      return [
        ...missing.map((key) => `${space}: the webhook ${key} never came`),
        ...(mismatch < 0 ? [] : [`${space}: the webhook ${found[mismatch]} came before ${wanted[mismatch]}`]),
      ]
    },
  }
}

const keysOf = (deliveries: readonly Delivery[]): string[] =>
  deliveries.map(({ transactionId, event }) => keyOf(transactionId, event))

const keyOf = (transactionId: string, event: string | null): string => `${transactionId} ${event ?? 'result'}`
