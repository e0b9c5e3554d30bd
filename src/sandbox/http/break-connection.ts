import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Call } from './call.ts'
import type { ReceivedRequest } from './received-request.ts'

/** Faults that are injected into a connection. assumption: api-faults */

const connectionKey = ({ remoteAddress, remotePort, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localPort}`

/** Gives each request of a TLS server its TCP socket, for `resetConnection`. */
export function keepTcpSockets(server: Server): void {
  const tcpSockets = new Map<string, Socket>()
  server.on('connection', (socket: Socket) => {
    const key = connectionKey(socket)
    tcpSockets.set(key, socket)
    socket.once('close', () => tcpSockets.delete(key))
  })
  server.prependListener('request', (incoming: ReceivedRequest) => {
    incoming.tcpSocket = tcpSockets.get(connectionKey(incoming.socket))
  })
}

/** Closes the connection without an answer. */
export const closeConnection = (call: Call): Response =>
  onConnection(call, ({ req }) => req.socket.destroySoon())

/** Sends bytes that are not HTTP, and closes the connection. */
export const sendRandomBytes = (call: Call): Response =>
  onConnection(call, ({ req: { socket } }) => {
    socket.write(randomBytes(256))
    socket.destroySoon()
  })

/** Resets the connection (TCP RST) without an answer. */
export const resetConnection = (call: Call): Response =>
  onConnection(call, ({ req }: { readonly req: ReceivedRequest }) =>
    (req.tcpSocket ?? req.socket).resetAndDestroy(),
  )

/** Sends the first half of an answer, announced in its whole length, and closes the connection. */
export function truncateAnswer(call: Call, answer: Response, text: string): Response {
  const bytes = Buffer.from(text)
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2))
  return onConnection(call, (outgoing) => {
    outgoing.writeHead(answer.status, { ...headersOf(answer), 'content-length': bytes.length })
    outgoing.write(half, () => outgoing.socket?.destroySoon())
  })
}

export const headersOf = (answer: Response): Record<string, string> => Object.fromEntries(answer.headers)

/** Acts on the response's connection; a request without one gets a network error, as in `fetch`. */
function onConnection(call: Call, act: (outgoing: ServerResponse) => void): Response {
  const outgoing = call.env?.outgoing
  if (outgoing === undefined) return Response.error()
  act(outgoing as ServerResponse)
  return RESPONSE_ALREADY_SENT
}

/**
 * Notes in an entry of the request log that the caller left before the whole answer was sent: one that gives
 * up closes its side of the connection first.
 */
export function noteCutOff({ env }: Call, entry: { isCutOff: boolean }): void {
  const { incoming, outgoing } = env ?? {}
  const socket = incoming?.socket
  entry.isCutOff = socket?.readableEnded === true
  const leave = () => {
    entry.isCutOff ||= outgoing?.writableEnded === false
  }
  socket?.once('end', leave)
  outgoing?.once('close', () => {
    socket?.off('end', leave) // the connection may serve others
    entry.isCutOff ||= !outgoing.writableFinished
  })
}

/** A signal that aborts when the request's connection closes, or at once if it is closed. */
export function whileConnected(call: Call): AbortSignal {
  const controller = new AbortController()
  const { incoming, outgoing } = call.env ?? {}
  if (incoming?.socket.destroyed) controller.abort()
  outgoing?.once('close', () => controller.abort())
  return controller.signal
}
