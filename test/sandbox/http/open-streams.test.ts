import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ServiceRefusal } from '../../../src/client/client.ts'
import { readScreens } from '../../../src/client/server-sent-events.ts'
import type { Env } from '../../../src/sandbox/http/call.ts'
import { openStream } from '../../../src/sandbox/http/live-stream.ts'
import { fetchPlain } from '../../support/pages/shop-front.ts'
import { openRawSandbox } from '../../support/service/raw.ts'

/** A server of this app, closed after the test. */
async function listening(app: Hono<Env>): Promise<{ readonly port: number }> {
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return server.address() as AddressInfo
}

/** A server with one stream, which sends as much as its reader takes. */
async function openFlood(patience: number) {
  const sandbox = { streams: new Set<never>(), stopping: false }
  const app = new Hono<Env>()
  let ended = false
  app.get('/flood', (call) =>
    openStream(
      sandbox,
      call,
      async ({ send, over }) => {
        while (!over()) await send('x'.repeat(64 * 1024))
        ended = true
      },
      patience,
    ),
  )
  return { ...(await listening(app)), sandbox, ended: () => ended }
}

describe('assumption live-streams: streams and their readers', () => {
  test('a reader that takes nothing is disconnected, and what waits for it is dropped', async () => {
    const { port, sandbox, ended } = await openFlood(200)
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.pause()
    socket.on('error', () => undefined) // it is cut off
    socket.write('GET /flood HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    await expect.poll(ended).toBe(true)
    expect(sandbox.streams.size).toBe(0)
    const closed = once(socket, 'close')
    socket.resume()
    await closed
  })

  test('a stream is not opened for a token that was revoked while its request was handled', async () => {
    const sandbox = { streams: new Set<never>(), stopping: false }
    const app = new Hono<Env>()
    const run = vi.fn(async () => undefined)
    app.get('/stream', (call) => {
      const grant = { id: '1', name: 'lee', scope: 'viewer', space: null } as const
      call.set('grant', { ...grant, isOver: true, whenOver: new Set() })
      return openStream(sandbox, call, run)
    })
    const { port } = await listening(app)
    await expect(fetch(`http://127.0.0.1:${port}/stream`).then((answer) => answer.text())).rejects.toThrow()
    expect(run).not.toHaveBeenCalled()
  })

  test('a HEAD request is answered without opening a stream', async () => {
    const { sandbox, connection } = await openRawSandbox()
    for (const path of ['events', 'requests/events', 'terminals/TBX-AUTO-001/events']) {
      const { status, headers } = await fetch(`${connection.url}/_sandbox/${path}`, { method: 'HEAD' })
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/event-stream'])
    }
    expect(sandbox.streams.size).toBe(0)
    expect(sandbox.announcer.hasListeners).toBe(false)
  })
})

test('a stream of an unknown terminal is refused with 404, and its reader gets the refusal', async () => {
  const { connection } = await openRawSandbox()
  const { status, text } = await fetchPlain(`${connection.url}/_sandbox/terminals/NOPE/events`)
  expect([status, JSON.parse(text).code]).toEqual([404, 'SBX_UNREGISTERED'])
  const reading = readScreens({ baseUrl: connection.url }, 'NOPE', new AbortController().signal)
  await expect(reading.next()).rejects.toThrow(ServiceRefusal)
})
