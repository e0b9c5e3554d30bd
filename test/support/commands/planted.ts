import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { toldConnection } from '../network/told-connection.ts'
import { scratchFolder } from './scratch.ts'

/** What nobody must be sent who was not named; whoever runs the commands has it set. */
export const plantedSecrets = {
  TILLBOX_API_KEY: 'secret-of-the-user-key',
  TILLBOX_TOKEN: 'secret-of-the-user-token',
  TILLBOX_WEBHOOK_SECRET: 'secret-of-the-user-webhooks',
}

/** Part of each of them. */
export const secretPattern = /secret-of-the-user/

/** A server that wants secrets: it answers whatever helps it, and keeps all that it is sent. */
export interface HostileServer {
  readonly url: string
  readonly port: number
  /** What it says when it is asked who it is. */
  readonly id: string
  /** Every request in full: line, headers, body. */
  readonly received: string[]
}

/** Listens on loopback; it is gone after the test. */
export async function hostileServer(port = 0): Promise<HostileServer> {
  const [id, received] = [crypto.randomUUID(), [] as string[]]
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const head = [`${request.method} ${request.url}`, ...request.rawHeaders].join('\n')
    received.push(`${head}\n\n${Buffer.concat(chunks)}`)
    response.end(JSON.stringify({ code: '0', msg: '', traceId: '', data: wanted }))
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy()) // the client is gone
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const taken = (server.address() as { port: number }).port
  const url = `http://127.0.0.1:${taken}`
  const wanted = {
    ...toldConnection,
    ...{ id, pid: process.pid, url, baseUrl: url, apiKey: 'key-that-it-tells', token: 'token-that-it-tells' },
    ...{ transactionId: '1', transactionStatus: 'S', transactions: 0, secret: 'whsec_that_it_tells' },
  }
  return { url, port: taken, id, received }
}

/** What a sandbox of this user would write. */
export const wholeOf = ({ url, id }: HostileServer) => ({ pid: process.pid, id, url })

/** A working folder with a lock file in `.tillbox`. */
export function plantedFolder({ lock, mode = 0o600 }: { lock: object; mode?: number }): string {
  const cwd = scratchFolder()
  mkdirSync(join(cwd, '.tillbox'))
  const path = join(cwd, '.tillbox', 'lock.json')
  writeFileSync(path, JSON.stringify(lock))
  chmodSync(path, mode)
  return cwd
}
