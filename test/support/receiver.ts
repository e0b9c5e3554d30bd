import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { freePort } from './ports.ts'

/** A POST as it came, its body byte for byte. */
interface Post {
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** A server that takes webhooks. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly posts: Post[]
  /** HTTP status of the next answers, or none ever. */
  answer(status: number | 'never'): void
  /** Resolves when so many came in all. */
  until(count: number): Promise<Post[]>
  close(): Promise<void>
}

/** Listens at a free port, or at that one; it is gone after the test. */
export async function receiver(at?: number): Promise<Receiver> {
  const posts: Post[] = []
  let status: number | 'never' = 200
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = request.headers as Post['headers']
    posts.push({ path: request.url ?? '', headers, body: Buffer.concat(chunks).toString() })
    if (status !== 'never') response.writeHead(status).end('{}')
  }).listen(at ?? (await freePort()), '127.0.0.1')
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  onTestFinished(close)
  await once(server, 'listening')
  const taken = (server.address() as { port: number }).port
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    posts,
    close,
    answer: (next) => {
      status = next
    },
    until: async (count) => {
      await expect.poll(() => posts.length).toBeGreaterThanOrEqual(count)
      return posts
    },
  }
}

/** Documents of NDJSON; fails on a line that is none. */
// biome-ignore lint/suspicious/noExplicitAny: tests read members of many shapes
export const lines = (text: string): any[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** Resolves when standard error of a process matches. */
export const saidAside = (process: { said(): { stderr: string } }, pattern: RegExp): Promise<unknown> =>
  expect.poll(() => process.said().stderr).toMatch(pattern)
