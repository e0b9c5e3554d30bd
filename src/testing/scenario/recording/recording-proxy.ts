import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sendForBytes } from '../../../client/http.ts'
import { asText, parseJson } from '../../../client/tolerant.ts'
import { hiddenMark } from '../../../contract/control/request-log-answers.ts'
import { sendingHeaders } from '../../../contract/headers.ts'
import { type OperationName, operationNames, operations } from '../../../contract/operations.ts'
import { readBounded, webhookBounds } from '../../../contract/transport/bounded-body.ts'
import { holdsCardData } from '../../../sandbox/http/card-data.ts'
import { isObject } from '../../../shared/is-object.ts'
import { wallTime } from '../../../shared/timers.ts'
import type { Address } from '../../helpers/caller.ts'
import type { LoggedExchange } from './repeatable-request.ts'

type Service = Pick<Address, 'baseUrl' | 'ca'>

/** Longest wait for an answer of the service. Milliseconds. */
const longestWait = 120_000

/** An exchange with what a log of a sandbox does not tell: status and headers of the answer. */
export interface ProxiedExchange extends LoggedExchange {
  readonly status: number
  readonly sentHeaders: Readonly<Record<string, string>>
  readonly answeredHeaders: Readonly<Record<string, string>>
}

/**
 * Starts a proxy on a port of loopback (0: a free one), which passes requests on to a service and keeps them
 * with their answers, the newest last.
 */
export async function startRecordingProxy(service: Service, port: number) {
  const exchanges: ProxiedExchange[] = []
  const closed = new AbortController()
  const server = createServer((incoming, outgoing) => {
    passOn(service, closed.signal, incoming, outgoing)
      .then((exchange) => exchanges.push(exchange))
      .catch(({ message: msg }: Error) => outgoing.writeHead(502).end(JSON.stringify({ code: '502', msg })))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    close: () => {
      server.close().closeAllConnections()
      closed.abort()
    },
  }
}

async function passOn(
  { baseUrl, ca }: Service,
  signal: AbortSignal,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<ProxiedExchange> {
  const at = wallTime()
  const method = incoming.method ?? 'GET'
  const url = new URL(baseUrl.replace(/\/+$/, '') + incoming.url)
  const body = await readBounded(incoming, webhookBounds)
  const headers = endToEnd(incoming.headers)
  delete headers['accept-encoding'] // the answer is read
  const sent = { method, url, headers, ca, signal, timeout: longestWait, ...(body.length > 0 && { body }) }
  const answer = await sendForBytes(sent)
  outgoing
    .writeHead(answer.status, { ...endToEnd(answer.headers), ...cookies(answer.headers) })
    .end(answer.body)
  const path = incoming.url?.replace(/\?.*$/, '') ?? ''
  const isSent = (name: OperationName) => operations[name].path === path && operations[name].method === method
  const envelope = parseJson(answer.body.toString())
  const code = (isObject(envelope) && asText(envelope.code)) || ''
  const plain = (bytes: Buffer) => {
    const text = bytes.toString()
    return { headers: [], body: holdsCardData(text) ? hiddenMark : text, cut: false }
  }
  const operation = operationNames.find(isSent) ?? null
  const messages = { request: plain(body), answer: plain(answer.body) }
  const others = { status: answer.status, sentHeaders: headers, answeredHeaders: endToEnd(answer.headers) }
  return { at, method, path, url: url.href, operation, code, ...messages, ...others }
}

/** The headers that are not of one connection. */
const endToEnd = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || sendingHeaders.has(name) ? [] : [[name, [value].flat().join(', ')]],
    ),
  )

/** Cookies, which are a header each. */
const cookies = ({ 'set-cookie': each }: IncomingMessage['headers']) => each && { 'set-cookie': each }
