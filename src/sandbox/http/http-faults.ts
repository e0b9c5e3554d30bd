import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { type ErrorCode, errorTable, Refusal } from '../../contract/errors.ts'
import { clearTimeout, setTimeout } from '../../shared/timers.ts'
import { refused } from './envelope.ts'

/** What the answers to malformed requests need. */
export interface FaultAnswers {
  readonly newTraceId: () => string
  /** Whether errors have the sandbox's own members. assumption: extras */
  readonly extras: boolean
  /** Records a refused request, which no handler sees. `body`: the answer. */
  readonly log?: ((traceId: string, refusal: Refusal, body: string) => void) | undefined
}

/** HTTP status and JSON envelope of a refusal, which is logged. */
function refusedAnswer(
  { newTraceId, extras, log }: FaultAnswers,
  code: ErrorCode,
  field: string,
  detail?: string,
) {
  const traceId = newTraceId()
  const refusal = new Refusal(code, { field, detail })
  const body = JSON.stringify(refused(traceId, refusal, !extras))
  log?.(traceId, refusal, body)
  return { status: errorTable[code].status, body }
}

/**
 * Server options for `answerHttpFaults`: by default, Node answers a missing Host without an envelope, and
 * keeps a connection that sends nothing for a minute or more. Milliseconds.
 */
export const faultOptions = {
  requireHostHeader: false,
  headersTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
} as const

/** Without this, Node closes a connection that its client half-closes, and drops the answer. */
type HalfOpen = { httpAllowHalfOpen: boolean }

/** Time for a client to read the last answer and close its side, before the cut. Milliseconds. */
const lingerMs = 2_000

/** `secureConnecting`: true during a TLS handshake, when no answer can be sent yet. */
type Handshake = { secureConnecting?: boolean }

/**
 * Answers requests that Node refuses before routing with the usual envelope, and lets a client that
 * half-closed its connection get its answer. assumption: leaving
 */
export function answerHttpFaults(server: Server & Partial<HalfOpen>, answers: FaultAnswers): void {
  server.httpAllowHalfOpen = true
  // Set during the handshake, it would keep a socket whose client leaves before the end of the handshake.
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.allowHalfOpen = true
  })
  const lastResponses = new WeakMap<Duplex, ServerResponse>()
  const remember = ({ socket }: IncomingMessage, response: ServerResponse) =>
    void lastResponses.set(socket, response)
  const ended = new WeakSet<Duplex>()
  /** Answers on a connection that cannot be read further, after its earlier answers, and closes it. */
  const answerAtEnd = (socket: Duplex, code: ErrorCode, field: string, detail?: string) => {
    if (ended.has(socket)) return // the rest of its bytes cannot be parsed, either
    ended.add(socket)
    const last = lastResponses.get(socket)
    afterEarlier(last, () => {
      if (!socket.writable) return socket.destroy()
      // The log gets a request whose body is broken from its own handler.
      const isLogged = last?.req.complete === false
      socket.end(
        rawAnswer(refusedAnswer(isLogged ? { ...answers, log: undefined } : answers, code, field, detail)),
      )
      const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
      socket.once('close', () => clearTimeout(timer))
    })
  }
  server.on('request', remember)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket & Handshake) => {
    if (error.code === 'ECONNRESET' || !socket.writable || socket.secureConnecting) return socket.destroy()
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) return socket.destroy() // an idle one, no request
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
    const [code, field] = tooLarge
      ? (['SBX_HEADERS_BIG', 'headers'] as const)
      : (['SBX_BAD_HTTP', 'request'] as const)
    answerAtEnd(socket, code, field, clientErrorDetail(error, lastResponses.has(socket)))
  })
  server.on('connect', (_: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy()).resume() // Node has removed its own listeners
    answerAtEnd(socket, 'SBX_BAD_HTTP', 'method', 'the sandbox is not a proxy')
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    remember(request, response)
    const { status, body } = refusedAnswer(answers, 'SBX_EXPECTATION', 'Expect')
    response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' }).end(body)
  })
}

/**
 * Calls `act` when the earlier answers of a connection were sent. `last`: its last response, which is an
 * earlier one when its request came whole; else the broken request is its own.
 */
function afterEarlier(last: ServerResponse | undefined, act: () => void): void {
  if (last === undefined || last.closed) return act()
  if (last.req.complete) last.once('close', act)
  else if (last.socket === null) last.once('socket', act)
  else act()
}

/** `follows`: a request came before on its connection. */
function clientErrorDetail({ code }: NodeJS.ErrnoException, follows: boolean): string | undefined {
  if (code === 'HPE_INVALID_EOF_STATE') return 'the connection ended before the request was complete'
  if (code === 'HPE_INVALID_METHOD' && follows)
    return 'no request follows the one before: its Content-Length was too small, if this is the rest of its body'
  return code
}

/** A raw HTTP answer, for a connection on which parsing failed. */
const rawAnswer = ({ status, body }: { status: number; body: string }): string =>
  `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
  `Connection: close\r\n\r\n${body}`

/** The answer to a request whose target is not a valid URL. */
export function malformedRequest(answers: FaultAnswers, error: unknown): Response {
  const { status, body } = refusedAnswer(
    answers,
    'SBX_BAD_HTTP',
    'request',
    error instanceof Error ? error.message : undefined,
  )
  return new Response(body, { status, headers: { 'Content-Type': 'application/json' } })
}
