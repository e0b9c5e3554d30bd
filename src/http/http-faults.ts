import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errorTable, Refusal } from '../contract/errors.ts'
import { refused } from './envelope.ts'

/** How these faults are answered. */
export interface FaultAnswers {
  readonly newTraceId: () => string
  /** Whether an error says more than the real service's. assumption: extras */
  readonly extras: boolean
}

/** A refusal with its HTTP status and envelope. */
function answerOf({ newTraceId, extras }: FaultAnswers, code: ErrorCode, field: string, detail?: string) {
  const envelope = refused(newTraceId(), new Refusal(code, { field, detail }), !extras)
  return { status: errorTable[code].status, body: JSON.stringify(envelope) }
}

/**
 * Options of a server whose faults are answered here: Node itself would answer a missing Host without an envelope, and
 * a TLS socket would close when its client closes its side.
 */
export const faultOptions = { requireHostHeader: false, allowHalfOpen: true } as const

/** Node closes a connection when the client closes its side, and so drops the answer, unless its server has this. */
type HalfOpen = { httpAllowHalfOpen: boolean }

/**
 * Requests that Node refuses before they reach a route get the same envelope as all others, and who has closed its side
 * of the connection still gets its answer. assumption: leaving
 */
export function answerHttpFaults(server: Server & Partial<HalfOpen>, answers: FaultAnswers): void {
  server.httpAllowHalfOpen = true
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
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

/** An answer for a connection on which HTTP has failed. */
const rawAnswer = ({ status, body }: { status: number; body: string }): string =>
  `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
  `Connection: close\r\n\r\n${body}`

/** A request whose target cannot be made into a URL. */
export function malformedRequest(answers: FaultAnswers, error: unknown): Response {
  const { status, body } = answerOf(
    answers,
    'SBX_BAD_HTTP',
    'request',
    error instanceof Error ? error.message : undefined,
  )
  return new Response(body, { status, headers: { 'Content-Type': 'application/json' } })
}
