import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { folderWith } from '../support/commands/scratch.ts'
import { foreignServer } from '../support/network/foreign.ts'
import { toldConnection } from '../support/network/told-connection.ts'
import { lockText } from '../support/store/locks.ts'

/** What nobody must be sent who was not named; whoever runs the commands has it set. */
export const plantedSecrets = {
  TILLBOX_API_KEY: 'secret-of-the-user-key',
  TILLBOX_TOKEN: 'secret-of-the-user-token',
  TILLBOX_WEBHOOK_SECRET: 'secret-of-the-user-webhooks',
}

/** Part of each of them. */
export const secretPattern = /secret-of-the-user/

/** A server that wants secrets: it answers whatever helps it, and keeps all that it is sent. It is gone after the test. */
export async function hostileServer() {
  /** What it says when it is asked who it is. */
  const id = crypto.randomUUID()
  /** Every request in full: line, headers, body. */
  const received: string[] = []
  const url = await foreignServer(async (request, response) => {
    const body = await text(request).catch(() => 'the client is gone')
    const head = [`${request.method} ${request.url}`, ...request.rawHeaders].join('\n')
    received.push(`${head}\n\n${body}`)
    response.end(JSON.stringify({ code: '0', msg: '', traceId: '', data: wanted }))
  })
  const wanted = {
    ...toldConnection,
    ...{ id, pid: process.pid, url, baseUrl: url, apiKey: 'key-that-it-tells', token: 'token-that-it-tells' },
    ...{ transactionId: '1', transactionStatus: 'S', transactions: 0, secret: 'whsec_that_it_tells' },
  }
  return { url, id, received }
}

/** What a sandbox of this user would write. */
export const wholeOf = ({ url, id }: { readonly url: string; readonly id: string }) => ({
  pid: process.pid,
  id,
  url,
})

/** A working folder with a lock file in `.tillbox`. */
export function plantedFolder({ lock, mode = 0o600 }: { lock: object; mode?: number }): string {
  const cwd = folderWith({ '.tillbox/lock.json': '' }, mode)
  writeFileSync(join(cwd, '.tillbox/lock.json'), lockText(join(cwd, '.tillbox'), lock))
  return cwd
}
