import { randomUUID } from 'node:crypto'
import { headerNames, sandboxHeaders } from '../../contract/headers.ts'
import { type Call, type Env, headerOf, originOf } from './call.ts'
import type { ReceivedRequest } from './received-request.ts'

/** Hands a request to the sandbox itself, as if it had come over the connection. */
export type SendToSelf = (request: Request, env: Env['Bindings']) => Response | Promise<Response>

/** A request that the sandbox sends to itself for a caller. */
export interface OwnCall {
  readonly method: string
  /** Path and query, without the path of a space. */
  readonly target: string
  /** JSON; empty for none. */
  readonly body: string
  readonly userAgent: string
  /** Of the payment API: the key, and the time by the wall clock. */
  readonly service?: { readonly key: string | undefined; readonly now: number }
  readonly headers?: Readonly<Record<string, string>>
  /** Name of the MCP client for whose tool it is sent. */
  readonly agent?: string
}

/**
 * Sends a request as a client would, with the token of the caller, so that it may do no more than the caller.
 * Faults, allow-lists, the audit and the log apply. An answer of the type `error` is a broken connection, as
 * `fetch` calls it.
 */
export async function sendToSelf(send: SendToSelf, call: Call, selfCall: OwnCall): Promise<Response> {
  const { method, target, body, agent } = selfCall
  const headers = headersAsCaller(call, selfCall)
  const request = new Request(`${originOf(call)}${target}`, { method, headers, ...(body !== '' && { body }) })
  return send(request, { ...callerConnection(call, headers), ...(agent !== undefined && { agent }) })
}

function headersAsCaller(call: Call, { body, userAgent, service, headers }: OwnCall): Record<string, string> {
  const forwardedNames = ['host', 'cookie', sandboxHeaders.token, ...(service ? [] : ['authorization'])]
  return {
    ...Object.fromEntries(forwardedNames.flatMap((name) => headerPair(name, headerOf(call, name)))),
    ...(body !== '' && { [headerNames.contentType]: 'application/json' }),
    ...(service && {
      ...(service.key !== undefined && { [headerNames.authorization]: `Bearer ${service.key}` }),
      [headerNames.clientRequestId]: randomUUID(),
      [headerNames.timestamp]: String(service.now),
    }),
    'User-Agent': userAgent,
    ...headers,
  }
}

const headerPair = (name: string, value: string | undefined) =>
  value === undefined ? [] : [[name, value] as const]

/** The caller's connection with other headers; a fault breaks nothing of it. */
function callerConnection(call: Call, headers: Readonly<Record<string, string>>): Env['Bindings'] {
  const incoming = call.env?.incoming
  if (incoming === undefined) return {}
  const { socket, forwarded } = incoming
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const copy = {
    socket,
    headers: lower,
    rawHeaders: Object.entries(headers).flat(),
    complete: true,
    destroyed: false,
    ...(forwarded !== undefined && { forwarded }),
  }
  return { incoming: copy as ReceivedRequest }
}
