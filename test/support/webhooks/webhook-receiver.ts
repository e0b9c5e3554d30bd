import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { AnyJson } from '../any-json.ts'
import { freePort } from '../network/ports.ts'

/** A webhook as it came in. */
export interface Arrival {
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  readonly id: string
  readonly json: AnyJson
}

/** How a receiver answers: a status, never, or by hand. */
export type Answering = number | 'never' | ((arrival: Arrival, response: ServerResponse) => unknown)

/** A merchant's server that gets webhooks. */
export type WebhookReceiver = Awaited<ReturnType<typeof openReceiver>>

/** Undefined for what is not JSON. */
function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Opens a receiver at a free port of loopback, or at the given one; it is gone after the test. */
export async function openReceiver(answering: Answering = 200, at?: number) {
  const arrivals: Arrival[] = []
  let how = answering
  const server = createServer(async (request, response) => {
    let body = ''
    try {
      for await (const chunk of request.setEncoding('utf8')) body += chunk
    } catch {
      return // cut off
    }
    const id = String(request.headers['x-client-request-id'] ?? request.headers['webhook-id'])
    const { url: path = '', method = '' } = request
    const headers = request.headers as Arrival['headers'] // an array is only of cookies
    const arrival = { path, method, headers, body, id, json: jsonOf(body) }
    arrivals.push(arrival)
    if (typeof how === 'number') response.writeHead(how).end()
    else if (how !== 'never') how(arrival, response)
  }).listen(at ?? (await freePort()), '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    /** Where it takes them; it answers at every other path of its origin, too. */
    url: `${origin}/hook`,
    origin,
    port,
    arrivals,
    /** How it answers from now on. */
    answer: (next: Answering) => {
      how = next
    },
    /** Resolves when `count` came; fails after a while. */
    got: async (count: number) => {
      await expect.poll(() => arrivals.length).toBeGreaterThanOrEqual(count)
      return arrivals
    },
    close,
  }
}
