import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { send } from '../../client/http.ts'
import { parseJson, textOf } from '../../client/tolerant.ts'
import { sendingHeaders } from '../../contract/headers.ts'
import { operationNames, operations } from '../../contract/operations.ts'
import { isObject } from '../../is-object.ts'
import type { Address } from '../../library/caller.ts'
import { wallTime } from '../../timers.ts'
import { readBounded, webhookBounds } from '../../transport/bounded-body.ts'
import type { LoggedExchange } from './repeatable-request.ts'

/** Passes requests on to a service, and keeps them with their answers. */
interface RecordingProxy {
  /** Where to send requests in place of the service. */
  readonly url: string
  /** What passed, the newest last. */
  readonly exchanges: readonly LoggedExchange[]
  close(): Promise<void>
}

/** Longest wait for an answer of the service. Milliseconds. */
const longestWait = 120_000

/** Starts a proxy on a port of loopback; 0: a free one. Errors: an Error of the port. */
export async function startRecordingProxy(
  service: Pick<Address, 'baseUrl' | 'ca'>,
  port: number,
): Promise<RecordingProxy> {
  const exchanges: LoggedExchange[] = []
  const server = createServer((incoming, outgoing) => {
    passOn(service, incoming, outgoing, exchanges).catch((error: Error) => {
      const body = JSON.stringify({ code: 'PROXY', msg: error.message })
      if (!outgoing.headersSent) outgoing.writeHead(502, { 'Content-Type': 'application/json' })
      outgoing.end(body)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    close: async () => {
      server.close()
      server.closeIdleConnections()
      await once(server, 'close')
    },
  }
}

/** Errors: Unreachable, ForeignAnswer; those of the body. */
async function passOn(
  { baseUrl, ca }: Pick<Address, 'baseUrl' | 'ca'>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  exchanges: LoggedExchange[],
): Promise<void> {
  const at = wallTime()
  const method = incoming.method ?? 'GET'
  const url = new URL(baseUrl.replace(/\/+$/, '') + incoming.url)
  const body = (await readBounded(incoming, webhookBounds)).toString()
  const headers = endToEnd(incoming.headers)
  delete headers['accept-encoding'] // the answer is read
  const sent = { method, url, headers, ca, timeout: longestWait, ...(body !== '' && { body }) }
  const answer = await send(sent)
  outgoing.writeHead(answer.status, endToEnd(answer.headers)).end(answer.body)
  const path = incoming.url?.replace(/\?.*$/, '') ?? ''
  const envelope = parseJson(answer.body)
  exchanges.push({
    at,
    method,
    path,
    url: url.href,
    operation:
      operationNames.find((name) => operations[name].path === path && operations[name].method === method) ??
      null,
    code: (isObject(envelope) && textOf(envelope.code)) || '',
    request: { headers: [], body, cut: false },
    answer: { headers: [], body: answer.body, cut: false },
  })
}

/** The headers that are not of one connection. */
const endToEnd = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || sendingHeaders.has(name) ? [] : [[name, [value].flat().join(', ')]],
    ),
  )
