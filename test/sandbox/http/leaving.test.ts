import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Refusal } from '../../../src/contract/errors.ts'
import { operations } from '../../../src/contract/operations.ts'
import { answerHttpFaults, faultOptions } from '../../../src/sandbox/http/http-faults.ts'
import { fetchPlain } from '../../support/pages/shop-front.ts'
import { newId } from '../../support/service/new-id.ts'
import {
  answersIn,
  goodHeaders,
  openRawSandbox,
  openSocket,
  requestText,
  saleText,
} from '../../support/service/raw.ts'
import { transactionsIn } from '../../support/service/service.ts'

const { path } = operations.sale

/** A sandbox that keeps what it reports, and what anything prints. */
async function listen(options = {}) {
  const reports: string[] = []
  for (const name of ['stdout', 'stderr'] as const) {
    const spy = vi.spyOn(process[name], 'write').mockImplementation((text) => {
      reports.push(String(text))
      return true
    })
    onTestFinished(() => spy.mockRestore())
  }
  const running = await openRawSandbox({ report: (message) => reports.push(message), ...options })
  return { ...running, reports }
}

/** A connection that does this after its TLS handshake. */
const secured = (port: number, act: (socket: TLSSocket) => unknown): TLSSocket => {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  return socket.once('secureConnect', () => act(socket))
}

/** Resolves when a connection is closed, with an error or without. */
const closing = (socket: Socket): Promise<void> =>
  new Promise((resolve) =>
    socket
      .on('error', () => undefined)
      .once('close', () => resolve())
      .resume(),
  )

/** Number of open descriptors of this process, which has both ends. */
const descriptors = (): number => readdirSync('/proc/self/fd').length

describe('a client that leaves in the middle of a body', () => {
  const bodies: readonly (readonly [string, string, string])[] = [
    ['a body with its length', 'Content-Length: 100', '{"amount":'],
    ['a body in chunks', 'Transfer-Encoding: chunked', '5\r\n{"amo'],
  ]
  const ways = ['destroy', 'resetAndDestroy', 'end'] as const
  const all = bodies.flatMap((each) => ways.map((way) => [...each, way] as const))

  test.each(all)(
    'a client that leaves during %s: the request is logged so, changes nothing, and is not reported',
    async (_, header, part, way) => {
      const { port, host, sandbox, reports } = await listen()
      const paths = [path, '/_sandbox/clock', '/terminal/TBX-ATTENDED-001/present']
      for (const [index, each] of paths.entries()) {
        const { socket } = openSocket(port)
        const type = each.startsWith('/terminal/')
          ? ['Content-Type: application/x-www-form-urlencoded', `Origin: http://127.0.0.1:${port}`]
          : goodHeaders()
        socket.write(requestText(`POST ${each} HTTP/1.1`, host, ...type, header) + part)
        await expect.poll(() => sandbox.running).toBe(1)
        socket[way]()
        await expect.poll(() => sandbox.log.total).toBe(index + 1)
        expect(sandbox.log.list().at(-1)).toMatchObject({ path: each, code: 'SBX_CLIENT_LEFT', status: 400 })
        await expect.poll(() => sandbox.running).toBe(0)
      }
      expect(transactionsIn(sandbox)).toEqual([])
      expect(reports).toEqual([])
    },
  )
})

test('a client that leaves before its answer does not undo the sale, and is not reported', async () => {
  const { port, host, sandbox, reports } = await listen()
  const { socket } = openSocket(port)
  socket.write(saleText(host))
  await new Promise<void>((resolve) => {
    const run = sandbox.engine.run.bind(sandbox.engine)
    vi.spyOn(sandbox.engine, 'run').mockImplementationOnce((...given) => {
      socket.resetAndDestroy()
      resolve()
      return run(...given)
    })
  })
  await expect.poll(() => sandbox.log.list().map(({ code }) => code)).toEqual(['0'])
  expect(reports).toEqual([])
})

test('a client that leaves while a large answer is on its way is not reported', async () => {
  const { port, host, sandbox, connection, reports } = await listen()
  await fetchPlain(`${connection.url}${path}`, { method: 'POST', body: `{"x":"${'x'.repeat(60_000)}"}` })
  const id = sandbox.log.list().at(-1)?.traceId
  for (let round = 0; round < 5; round++) {
    const { socket } = openSocket(port)
    socket.write(requestText(`GET /requests/${id} HTTP/1.1`, host))
    await once(socket, 'data')
    socket.resetAndDestroy()
  }
  const { status } = await fetchPlain(`${connection.url}/_sandbox/health`)
  expect([status, reports]).toEqual([200, []])
})

describe('a client that has closed its side of the connection', () => {
  test('a client that has closed its side gets its answer', async () => {
    const { port, host, sandbox, reports } = await listen()
    const answered = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { socket, received } = openSocket(port)
        socket.end(saleText(host))
        await once(socket, 'close')
        return answersIn(received.text).map(({ status, envelope }) => [status, envelope.code])
      }),
    )
    expect(answered).toEqual(Array.from({ length: 20 }, () => [[200, '0']]))
    expect([sandbox.log.total, reports]).toEqual([20, []])
  })

  test('a client that closes its side after several requests gets every answer, and then the connection is closed', async () => {
    const { port, host } = await listen()
    const { socket, received } = openSocket(port)
    socket.end(saleText(host) + saleText(host) + saleText(host))
    await once(socket, 'close')
    expect(answersIn(received.text).map(({ envelope }) => envelope.code)).toEqual(['0', '0', '0'])
  })

  test('a client that has closed its side gets its answer over TLS, too', async () => {
    const { port, host } = await listen({ https: true })
    const options = { port, host: '127.0.0.1', rejectUnauthorized: false, allowHalfOpen: true }
    const socket = connectTls(options)
    onTestFinished(() => void socket.destroy())
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    socket.end(saleText(host))
    await once(socket, 'close')
    expect(answersIn(text).map(({ envelope }) => envelope.code)).toEqual(['0'])
  })

  test('a client that closes its side during a TLS handshake does not hold up the stop', async () => {
    const { port, close } = await listen({ https: true })
    const { socket } = openSocket(port)
    await once(socket, 'connect')
    socket.end(Buffer.from('160301', 'hex')) // the beginning of a greeting
    await once(socket.resume(), 'finish')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined) // what the server has not read makes its close a reset
    await close()
    await closed
  })

  const hello = Buffer.from('16030100050100000100', 'hex') // the beginning of a greeting
  const handshakes: readonly (readonly [string, (port: number) => Socket])[] = [
    ['without a greeting', (port) => connect(port, '127.0.0.1').end()],
    ['with half a greeting', (port) => connect(port, '127.0.0.1').end(hello.subarray(0, 4))],
    ['with a greeting that is not one', (port) => connect(port, '127.0.0.1').end(hello)],
    ['with plain HTTP', (port) => connect(port, '127.0.0.1').end('GET / HTTP/1.1\r\n\r\n')],
    ['because it does not trust the certificate', (port) => connectTls({ port, host: '127.0.0.1' })],
    ['right after the handshake', (port) => secured(port, (socket) => socket.destroy())],
    ['and closes only its side after the handshake', (port) => secured(port, (socket) => socket.end())],
  ]

  test.each(handshakes)('a TLS connection that ends %s gives its descriptor back', async (_, open) => {
    const { port } = await listen({ https: true })
    const before = descriptors()
    await Promise.all(Array.from({ length: 20 }, () => closing(open(port))))
    await expect.poll(descriptors).toBeLessThanOrEqual(before + 2)
  })

  test('a TLS handshake that is not complete in time ends', async () => {
    const server = createTlsServer({ ...faultOptions, handshakeTimeout: 20 })
    answerHttpFaults(server, { newTraceId: () => 'trace', extras: true })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const { socket } = openSocket((server.address() as AddressInfo).port)
    await once(socket.resume(), 'end')
    socket.end()
    await once(socket, 'close')
  })

  test('a connection that sent nothing in time is closed without an entry in the log, one that began a request with one', async () => {
    const logged: string[] = []
    const server = createServer({ ...faultOptions, headersTimeout: 60, connectionsCheckingInterval: 20 })
    const log = (_: string, refusal: Refusal) => void logged.push(refusal.code)
    answerHttpFaults(server, { newTraceId: () => 'trace', extras: true, log })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { socket: idle, received } = openSocket(port)
    await once(idle.resume(), 'end')
    idle.end()
    expect([received.text, logged]).toEqual(['', []])
    const { socket: begun } = openSocket(port)
    begun.write('GET / HT')
    await once(begun.resume(), 'end')
    begun.end()
    expect(logged).toEqual(['SBX_BAD_HTTP'])
  })

  test('a client that closes its side before its request is complete gets an error that says so', async () => {
    const { port, host } = await listen()
    const { socket, received } = openSocket(port)
    socket.end(`${requestText(`POST ${path} HTTP/1.1`, host, ...goodHeaders(), 'Content-Length: 100')}{`)
    await once(socket, 'close')
    const detail = 'the connection ended before the request was complete'
    expect(answersIn(received.text)[0]?.envelope).toMatchObject({ code: 'SBX_BAD_HTTP', detail })
  })

  test('a client that closes its side of an event stream is removed from the readers', async () => {
    const { port, host, sandbox } = await listen()
    const { socket } = openSocket(port)
    socket.write(requestText('GET /_sandbox/requests/events HTTP/1.1', host))
    await expect.poll(() => sandbox.streams.size).toBe(1)
    socket.end()
    await expect.poll(() => sandbox.streams.size).toBe(0)
  })

  test('a client that closes its side when nothing is left to answer is disconnected', async () => {
    const { port, host } = await listen()
    const { socket, received } = openSocket(port)
    socket.write(requestText(`GET ${operations.query.path}?transactionId=${newId()} HTTP/1.1`, host))
    await expect.poll(() => received.text).toContain('SBX_AUTH_MISSING')
    const closed = once(socket, 'close')
    socket.end()
    await closed
  })
})
