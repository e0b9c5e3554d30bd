import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { resolve } from 'node:path'
import type { Connection } from '../contract/sandbox/answers.ts'
import type { StartRecord } from '../contract/sandbox/state-folder/lock-file.ts'
import type { FixturesFile } from '../fixture-files/schema.ts'
import { builtIn, type Catalogue } from '../fixtures.ts'
import { withBody } from '../http/body-that-came.ts'
import { keepTcpSockets } from '../http/break-connection.ts'
import { checkAtDoor } from '../http/host.ts'
import { answerHttpFaults, faultOptions, malformedRequest } from '../http/http-faults.ts'
import { NamedError } from '../named-error.ts'
import { LockedState, takeLock } from '../store/lock.ts'
import { elapsedTime, setImmediate, sleep } from '../timers.ts'
import { connectionOf } from '../views/views.ts'
import { checkTargets } from '../webhooks/target.ts'
import { createApp } from './app.ts'
import { certificateOf } from './certificate.ts'
import type { SandboxOptions } from './options.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'
import { isNewFolder, type SeedSource, seedAtStart } from './seed.ts'
import { exportAtStop, type ImportSource, importAtStart } from './state-file.ts'

/** Where and how to listen, and how the sandbox behaves. */
export interface ServerOptions extends Partial<Omit<SandboxOptions, 'state' | 'id' | 'catalogue'>> {
  /** State folder. */
  readonly state: string
  /** Left out, or 0: a free port. */
  readonly port?: number
  /** Left out: 127.0.0.1. */
  readonly host?: string
  /** Left out: plain HTTP. */
  readonly https?: boolean
  /** Merchants, cards and outcomes over the built-in ones: a file, a folder, or what a file would say. */
  readonly fixtures?: string | FixturesFile
  /** What `sandbox restart` would start it with; left out where a command did not start it. */
  readonly start?: StartRecord
  /** An export that becomes the state before anybody is answered. */
  readonly importFrom?: ImportSource
  /** Transactions that a new state begins with; one that is not new is left as it is, and the report says so. */
  readonly seed?: SeedSource
  /** A file to which the state is exported when the sandbox stops; packed when its name ends in .gz. */
  readonly exportTo?: string
}

/** A sandbox that listens. */
export interface RunningSandbox {
  readonly connection: Connection
  /** Certificate to trust, when it serves TLS. */
  readonly certificate: string | null
  readonly sandbox: Sandbox
  /** True when it began with the transactions of a seed. */
  readonly isSeeded: boolean
  /** Resolves with the reason when the state folder is not this sandbox's any more; it has stopped then. */
  readonly lost: Promise<Error>
  /** Lets running requests finish, stores everything, frees the port and the state folder; once, however often called. */
  close(): Promise<void>
}

/** How long a stop waits for running requests. Milliseconds. */
const drainTime = 5_000

export { LockedState }

/** The port is taken. */
export class PortTaken extends NamedError {
  static override readonly name = 'PortTaken'
  constructor(
    readonly host: string,
    readonly port: number,
  ) {
    super(`Port ${port} on ${host} is taken`)
  }
}

/** Others on the network could reach the sandbox, and no token keeps them away. assumption: sandbox-token */
export class TokenNeeded extends NamedError {
  static override readonly name = 'TokenNeeded'
  constructor(readonly host: string) {
    super(`On ${host} others on the network can reach the sandbox, and there is no token to keep them away`)
  }
}

/**
 * Opens the state folder and listens on loopback or the given address.
 * Errors: TokenNeeded, UnusableTarget, FixturesError, ImportRefused, SeedError, LockedState,
 * PortTaken, DamagedLine, an Error of the file system.
 */
export async function startSandbox(given: ServerOptions): Promise<RunningSandbox> {
  const { start, seed, ...options } = { port: 0, host: '127.0.0.1', https: false, ...given }
  const exposed = exposedHosts(options)[0]
  if (exposed !== undefined && options.token == null) throw new TokenNeeded(exposed)
  const webhookHosts = checkTargets(options)
  const catalogue = await catalogueFor(options.fixtures)
  const state = resolve(options.state)
  if (isNewFolder(state)) await requireFreePort(options)
  const undo: (() => unknown)[] = []
  let closing: Promise<void> | undefined
  // A seed that fails leaves no new folder behind.
  const made = seed !== undefined && isNewFolder(state) ? await seed.make(options) : undefined
  const close = () => {
    closing ??= undoAll(undo)
    return closing
  }
  try {
    const lock = await takeLock(state)
    undo.unshift(() => lock.release())
    if (lock.tookOver !== null) options.report?.(takeOverText(lock.tookOver.pid))
    let lose = (_: Error) => {}
    const lost = new Promise<Error>((resolve) => {
      lose = resolve
    })
    const sandbox = await openSandbox({
      ...options,
      catalogue,
      state,
      webhookHosts,
      id: lock.id,
      lockLost: lock.lost,
      lost: (error) => lose(error),
    })
    undo.unshift(() => sandbox.close())
    if (options.importFrom !== undefined) await importAtStart(sandbox, options.importFrom)
    const isSeeded = seed !== undefined && (await seedAtStart(sandbox, seed, made))
    const { exportTo } = options
    let began = false // a start that fails leaves an earlier export alone
    if (exportTo !== undefined) undo.unshift(() => (began ? exportAtStop(sandbox, exportTo) : undefined))
    const tls = options.https ? await certificateOf(state, options.host) : null
    const { server, port } = await listen(sandbox, options, tls)
    const sockets = socketsOf(server)
    undo.unshift(() => drain(server, sockets, sandbox))
    began = true
    sandbox.port = port
    const url = `${tls ? 'https' : 'http'}://${hostOf(options.host)}:${port}`
    lock.announce({
      url,
      ...(tls && { certificate: tls.path }),
      ...(options.token != null && { token: options.token }),
      ...(start && { start: { ...start, port }, isFreePort: start.port === 0 }),
    })
    const connection = connectionOf(sandbox, url)
    const stopped = lost.then(async (error) => {
      await close().catch((reason: Error) => sandbox.options.report(reason.message))
      return error
    })
    return { connection, certificate: tls?.path ?? null, sandbox, isSeeded, lost: stopped, close }
  } catch (error) {
    await close()
    throw error
  }
}

const takeOverText = (pid: number): string =>
  `Process ${pid}, which held this state folder, has ended without giving it back; its lock was taken over`

/** Files are read by what only a sandbox with fixtures of its own has to load. Errors: FixturesError. */
async function catalogueFor(fixtures: ServerOptions['fixtures']): Promise<Catalogue> {
  if (fixtures === undefined) return builtIn
  const { readFixtures } = await import('../fixture-files/read.ts')
  return readFixtures(fixtures)
}

/** Undoes the newest first, and all of it, whatever becomes of each. Errors: the first one. */
async function undoAll([next, ...rest]: readonly (() => unknown)[]): Promise<void> {
  if (next === undefined) return
  try {
    await next()
  } finally {
    await undoAll(rest)
  }
}

/** An address as a URL writes it; an address that means every interface is reached by loopback. */
function hostOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Hosts by which others reach the sandbox: what it is bound to, and its public URL. */
export const exposedHosts = ({ host, publicUrl }: { host: string; publicUrl?: string | null }): string[] =>
  [host, ...(publicUrl == null ? [] : [new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')])].filter(
    (name) => !isLoopback(name),
  )

/** True for an address that only this machine reaches. */
const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|::1|localhost)$/.test(host)

function listen(
  sandbox: Sandbox,
  { port, host }: Required<Pick<ServerOptions, 'port' | 'host'>>,
  tls: { cert: string; key: string } | null,
): Promise<{ server: Server; port: number }> {
  const bound = hostOf(host)
  const { fetch } = createApp(sandbox, bound, !isLoopback(host))
  const answers = { newTraceId: sandbox.identifiers.traceId, extras: sandbox.options.extras }
  let handle: RequestListener | undefined
  // It brings Node's own fetch, a sixth of a start: it is loaded in the turn after, or with a request that is faster.
  const loadHandler = async (): Promise<RequestListener> => {
    const { getRequestListener } = await import('@hono/node-server')
    handle ??= getRequestListener(fetch, { errorHandler: (error) => malformedRequest(answers, error) })
    return handle
  }
  const listener: RequestListener = (incoming, outgoing) => {
    checkAtDoor(incoming, bound)
    withBody(incoming, () =>
      handle === undefined
        ? loadHandler().then((loaded) => loaded(incoming, outgoing))
        : handle(incoming, outgoing),
    )
  }
  const server = tls
    ? createTlsServer({ ...faultOptions, cert: tls.cert, key: tls.key, minVersion: 'TLSv1.2' }, listener)
    : createServer(faultOptions, listener)
  answerHttpFaults(server, answers)
  if (tls) keepTcpSockets(server)
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortTaken(host, port) : error),
    )
    server.listen(port, host, () => {
      setImmediate(loadHandler)
      resolve({ server, port: (server.address() as AddressInfo).port })
    })
  })
}

/** A start that is refused for its port leaves no new folder. Errors: PortTaken; others show when the sandbox listens. */
const requireFreePort = ({ host, port }: { readonly host: string; readonly port: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', ({ code }: NodeJS.ErrnoException) =>
      code === 'EADDRINUSE' ? reject(new PortTaken(host, port)) : resolve(),
    )
    probe.listen(port, host, () => probe.close(() => resolve()))
  })

/** Connections that are open, those that are still in their TLS handshake included: the server does not close them. */
function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

/** Takes no new connection, lets running requests finish, then cuts what is left. */
async function drain(server: Server, sockets: ReadonlySet<Socket>, sandbox: Sandbox): Promise<void> {
  sandbox.stopping = true
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const end = elapsedTime() + drainTime
  while (sandbox.running > 0 && elapsedTime() < end) await sleep(10)
  await sleep(50) // for the last answers to leave
  for (const stream of sandbox.streams) stream.abort()
  for (const socket of sockets) socket.destroy()
  await closed
}
