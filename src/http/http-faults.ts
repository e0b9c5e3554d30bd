import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { type ErrorCode, errorTable, Refusal } from '../contract/errors.ts'
import { refused } from './envelope.ts'

/** What the answers to malformed requests need. */
export interface FaultAnswers {
  readonly newTraceId: () => string
  /** Whether errors have the sandbox's own members. assumption: extras */
  readonly extras: boolean
}

/** HTTP status and JSON envelope of a refusal. */
function answerOf({ newTraceId, extras }: FaultAnswers, code: ErrorCode, field: string, detail?: string) {
  const envelope = refused(newTraceId(), new Refusal(code, { field, detail }), !extras)
  return { status: errorTable[code].status, body: JSON.stringify(envelope) }
}

/** Server options for `answerHttpFaults`: by default, Node answers a missing Host without an envelope. */
export const faultOptions = { requireHostHeader: false } as const

/** Without this, Node closes a connection that its client half-closes, and drops the answer. */
type HalfOpen = { httpAllowHalfOpen: boolean }

/** `secureConnecting`: true during a TLS handshake, when no answer can be sent yet. */
type Handshake = { secureConnecting?: boolean }

/**
 * Answers requests that Node refuses before routing with the usual envelope, and lets a client that half-closed its
 * connection get its answer. assumption: leaving
 */
export function answerHttpFaults(server: Server & Partial<HalfOpen>, answers: FaultAnswers): void {
  server.httpAllowHalfOpen = true
  // Set during the handshake, it would keep a socket whose client leaves before the end of the handshake.
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.allowHalfOpen = true
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket & Handshake) => {
    if (error.code === 'ECONNRESET' || !socket.writable || socket.secureConnecting) return socket.destroy()
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
    const [code, field] = tooLarge
      ? (['SBX_HEADERS_BIG', 'headers'] as const)
      : (['SBX_BAD_HTTP', 'request'] as const)
    socket.end(rawAnswer(answerOf(answers, code, field, whyOf(error))))
  })
  server.on('connect', (_: IncomingMessage, socket: Duplex) =>
    socket.end(rawAnswer(answerOf(answers, 'SBX_BAD_HTTP', 'method', 'the sandbox is not a proxy'))),
  )
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    const { status, body } = answerOf(answers, 'SBX_EXPECTATION', 'Expect')
    response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' }).end(body)
  })
}

const whyOf = ({ code }: NodeJS.ErrnoException): string | undefined =>
  code === 'HPE_INVALID_EOF_STATE' ? 'the connection ended before the request was complete' : code

/** A raw HTTP answer, for a connection on which parsing failed. */
const rawAnswer = ({ status, body }: { status: number; body: string }): string =>
  `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
  `Connection: close\r\n\r\n${body}`

/** The answer to a request whose target is not a valid URL. */
export function malformedRequest(answers: FaultAnswers, error: unknown): Response {
  const { status, body } = answerOf(
    answers,
    'SBX_BAD_HTTP',
    'request',
    error instanceof Error ? error.message : undefined,
  )
  return new Response(body, { status, headers: { 'Content-Type': 'application/json' } })
}
