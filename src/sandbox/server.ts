import type { Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { resolve } from 'node:path'
import { serve } from '@hono/node-server'
import type { Connection } from '../api/controls.ts'
import { createApp } from './app.ts'
import { certificateOf } from './certificate.ts'
import { acquireLock, LockedState } from './lock.ts'
import { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
import { DamagedLine } from './store/lines.ts'
import { OtherFormat } from './store/snapshot.ts'
import { connectionOf } from './views.ts'

/** Where and how to listen, and how the sandbox behaves. */
export interface ServerOptions extends Partial<Omit<SandboxOptions, 'state'>> {
  /** State folder. */
  readonly state: string
  /** 0 picks a free port. */
  readonly port: number
  readonly host: string
  readonly https: boolean
}

/** A sandbox that listens. */
export interface RunningSandbox {
  readonly connection: Connection
  /** Certificate to trust, when it serves TLS. */
  readonly certificate: string | null
  readonly sandbox: Sandbox
  /** Lets running requests finish, stores everything, frees the port and the state folder. */
  close(): Promise<void>
}

/** How long a stop waits for running requests. Milliseconds. */
const drainTime = 5_000

export { DamagedLine, LockedState, OtherFormat }

/** The port is taken. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken'
  constructor(
    readonly host: string,
    readonly port: number,
  ) {
    super(`Port ${port} on ${host} is taken`)
  }
}

/**
 * Opens the state folder and listens on loopback or the given address.
 * Errors: LockedState, PortTaken, DamagedLine, an Error of the file system.
 */
export async function startSandbox(options: ServerOptions): Promise<RunningSandbox> {
  const state = resolve(options.state)
  const lock = acquireLock(state)
  try {
    const sandbox = await openSandbox({ ...options, state })
    const tls = options.https ? await certificateOf(state) : null
    const { fetch } = createApp(sandbox)
    const { server, port } = await listen(fetch, options, tls).catch(async (error) => {
      await sandbox.close()
      throw error
    })
    const url = `${tls ? 'https' : 'http'}://${hostOf(options.host)}:${port}`
    lock.announce({ url, ...(tls && { certificate: tls.path }) })
    return {
      connection: connectionOf(sandbox, url),
      certificate: tls?.path ?? null,
      sandbox,
      async close() {
        sandbox.stopping = true
        await drain(server)
        await sandbox.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** An address as a URL writes it; an address that means every interface is reached by loopback. */
function hostOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

type Fetch = Parameters<typeof serve>[0]['fetch']

function listen(
  fetch: Fetch,
  { port, host }: ServerOptions,
  tls: { cert: string; key: string } | null,
): Promise<{ server: Server; port: number }> {
  return new Promise((resolve, reject) => {
    const secure = tls && {
      createServer: createTlsServer,
      serverOptions: { cert: tls.cert, key: tls.key, minVersion: 'TLSv1.2' as const },
    }
    const server = serve({ fetch, port, hostname: host, ...secure }, (info) => {
      resolve({ server, port: info.port })
    }) as Server
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortTaken(host, port) : error),
    )
  })
}

/** Takes no new connection, lets requests finish, then cuts what still hangs. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), drainTime)
  await closed
  clearTimeout(timer)
}
