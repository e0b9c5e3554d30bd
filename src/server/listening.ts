import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { isLoopback } from '../contract/control/state-folder.ts'
import { highestPort } from '../contract/headers.ts'
import { withBody } from '../sandbox/http/body-that-came.ts'
import { keepTcpSockets } from '../sandbox/http/break-connection.ts'
import { answerHttpFaults, type FaultAnswers, faultOptions } from '../sandbox/http/http-faults.ts'
import { checkAtDoor } from '../sandbox/http/origin.ts'
import { elapsedTime, sleep } from '../shared/timers.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

/** Another program uses the port. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken'
  constructor(
    readonly host: string,
    readonly port: number,
  ) {
    super(`Port ${port} on ${host} is taken`)
  }
}

/** Other machines could reach the sandbox, and no token protects it. assumption: sandbox-token */
export class TokenNeeded extends Error {
  override readonly name = 'TokenNeeded'
  constructor(readonly host: string) {
    super(`On ${host} others on the network can reach the sandbox, and there is no token to keep them away`)
  }
}

/** Other machines could reach the sandbox, and know its key. assumption: keys */
export class PublishedKey extends Error {
  override readonly name = 'PublishedKey'
  constructor(readonly host: string) {
    super(
      `On ${host} others on the network can reach the sandbox, and that API key is published with tillbox`,
    )
  }
}

/** An address in the notation of URLs; an address of every interface becomes loopback. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Hosts that other machines can use: the bound address and the public URL, unless they are loopback. */
export const exposedHosts = ({ host, publicUrl }: { host: string; publicUrl?: string | null }): string[] =>
  [host, ...(publicUrl == null ? [] : [new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')])].filter(
    (name) => !isLoopback(name),
  )

/** A server that listens, its connections, and how many answers have not left whole. */
export interface ListeningServer {
  readonly server: Server
  readonly sockets: ReadonlySet<Socket>
  leaving: number // a set would keep answers that have left until the next full garbage collection
  readonly port: number
}

/** The handshake may take 10 s: by default, Node keeps an idle one for two minutes. */
const tlsOptions = { minVersion: 'TLSv1.2', handshakeTimeout: 10_000 } as const

/** How many ports after the usual one are tried. */
const nextPorts = 50

/** Where to listen. `nextPort`: nobody named the port, and the next free one will do. */
interface ListenOptions {
  readonly port: number
  readonly host: string
  readonly maxHeaderSize?: number
  readonly nextPort?: boolean | undefined
}

/** Listens as `listenOn` does, on the port or on the next free one. Errors: PortTaken. */
export async function listen(
  options: ListenOptions,
  tls: { cert: string; key: string } | null,
): Promise<ListeningServer> {
  const last = options.nextPort ? Math.min(options.port + nextPorts, highestPort) : options.port
  for (let { port } = options; ; port += 1)
    try {
      return await listenOn({ ...options, port }, tls)
    } catch (error) {
      if (!(error instanceof PortTaken) || port >= last) throw error
    }
}

/**
 * Starts to listen. Requests are answered from `serve` on, which is to be called in the same turn of the
 * event loop. `maxHeaderSize`: bytes of a request's headers at most; absent: Node's limit.
 */
function listenOn(
  { port, host, maxHeaderSize }: ListenOptions,
  tls: { cert: string; key: string } | null,
): Promise<ListeningServer> {
  const server = tls
    ? createTlsServer({ ...faultOptions, ...tlsOptions, cert: tls.cert, key: tls.key })
    : createServer({ ...faultOptions, ...(maxHeaderSize && { maxHeaderSize }) })
  if (tls) keepTcpSockets(server)
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortTaken(host, port) : error),
    )
    const sockets = trackSockets(server)
    server.listen(port, host, () =>
      resolve({ server, sockets, leaving: 0, port: (server.address() as AddressInfo).port }),
    )
  })
}

/**
 * Calls `answer` for each request after the check of its Host, with a body that came with the headers already
 * read. `host`: the address that the server listens on.
 */
export function serve(
  listening: ListeningServer,
  host: string,
  faultAnswers: FaultAnswers,
  answer: RequestListener,
): void {
  const { server } = listening
  const bound = urlHost(host)
  server.on('request', (incoming, outgoing) => {
    listening.leaving++
    outgoing.on('close', () => listening.leaving--)
    checkAtDoor(incoming, bound)
    withBody(incoming, () => answer(incoming, outgoing))
  })
  answerHttpFaults(server, faultAnswers)
}

/** Checks the port first, so that a refused start leaves no new folder. */
export const requireFreePort = ({ host, port }: { host: string; port: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', ({ code }: NodeJS.ErrnoException) =>
      code === 'EADDRINUSE' ? reject(new PortTaken(host, port)) : resolve(),
    )
    probe.listen(port, host, () => probe.close(() => resolve()))
  })

/** Open connections, including those in the TLS handshake, which closing the server leaves open. */
function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

/** How long a stop waits for running requests. Milliseconds. */
export const drainTime = 5_000

interface FinishOptions {
  /** True while requests to other nodes are under way. */
  readonly isForwarding?: () => boolean
  /** Deadline by `elapsedTime`. */
  readonly until?: number
}

type BusySandbox = Pick<Sandbox, 'running' | 'stopping' | 'streams'>

/** Waits for the running requests of the sandboxes and for forwarded ones, and ends their event streams. */
export async function finishRequests(
  sandboxes: readonly BusySandbox[],
  { isForwarding = () => false, until = elapsedTime() + drainTime }: FinishOptions = {},
): Promise<void> {
  for (const sandbox of sandboxes) sandbox.stopping = true
  const isBusy = () => sandboxes.some(({ running }) => running > 0) || isForwarding()
  while (isBusy() && elapsedTime() < until) await sleep(10)
  for (const { streams } of sandboxes) for (const stream of streams) stream.abort()
}

/** How long a stop waits for finished answers to leave. Milliseconds. */
const longestLeaving = 1_000

/** Accepts no new connection, lets running requests finish, then closes the remaining connections. */
export async function drain(
  listening: ListeningServer,
  sandboxes: readonly BusySandbox[],
  options?: FinishOptions,
): Promise<void> {
  const closed = new Promise<void>((resolve) => listening.server.close(() => resolve()))
  await finishRequests(sandboxes, options)
  const end = elapsedTime() + longestLeaving
  while (listening.leaving > 0 && elapsedTime() < end) await sleep(5)
  for (const socket of listening.sockets) socket.destroy()
  await closed
}
