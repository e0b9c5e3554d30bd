import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { KeptConnections } from '../../../src/webhooks/exchange.ts'
import { type PostLimits, post } from '../../../src/webhooks/post.ts'
import type { Resolve } from '../../../src/webhooks/webhook-target.ts'
import { bareServer, foreignServer } from '../../support/network/foreign.ts'
import { openService, type Service, sale } from '../../support/service/service.ts'

const limits: PostLimits = { allowedHosts: [], connectTimeout: 5_000, readTimeout: 5_000 }

interface SocketArrival {
  readonly transactionId: string
  readonly connection: string | undefined
  readonly socket: Socket
}

/** A merchant's server that notes over which connection each webhook comes. */
async function openCounting(then: (each: SocketArrival, index: number) => void = () => undefined) {
  const seen: SocketArrival[] = []
  const url = await foreignServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { headers, socket } = request
    const { transactionId = '' } = body.startsWith('{') ? JSON.parse(body) : {}
    const each = { transactionId, connection: headers.connection, socket }
    seen.push(each)
    response.on('finish', () => then(each, seen.length))
    response.end('{}')
  })
  return { url, seen, connections: () => new Set(seen.map(({ socket }) => socket)) }
}

const hold = ({ control }: Service, isHeld: boolean) => control('PUT', 'webhook-hold', { hold: isHeld })

/** Sells so many times while deliveries are held, then sends them all. Returns the transactions in order. */
async function sellHeld(service: Service, notifyUrl: string, count: number): Promise<string[]> {
  await hold(service, true)
  const ids: string[] = []
  for (let each = 0; each < count; each++)
    ids.push((await service.call('sale', sale(1000, { notifyUrl }))).data.transactionId)
  await hold(service, false)
  return ids
}

const delivered = async ({ control, sandbox }: Service) => {
  await sandbox.courier.idle()
  const { deliveries } = (await control('GET', 'webhooks?limit=1000')).data
  return deliveries as { readonly state: string; readonly attempts: number }[]
}

/** So many deliveries, each delivered after so many attempts. */
const allDelivered = (count: number, attempts: number) =>
  Array(count).fill(expect.objectContaining({ state: 'delivered', attempts }))

describe('deliveries that wait for one URL', () => {
  test('deliveries go over one connection, in order, and the last one closes it', async () => {
    const service = await openService()
    const { url, seen, connections } = await openCounting()
    const ids = await sellHeld(service, url, 300)
    expect(await delivered(service)).toEqual(allDelivered(300, 1))
    expect(seen.map(({ transactionId }) => transactionId)).toEqual(ids)
    expect(connections().size).toBe(1)
    expect(seen.map(({ connection }) => connection)).toEqual([...Array(299).fill('keep-alive'), 'close'])
    await expect.poll(() => [...connections()].every(({ destroyed }) => destroyed)).toBe(true)
  })

  test('concurrent order opens as many connections as attempts at once', async () => {
    const service = await openService({ webhookOrder: 'concurrent', webhookConcurrency: 3 })
    const { url, seen, connections } = await openCounting()
    const ids = await sellHeld(service, url, 40)
    await delivered(service)
    expect(seen.map(({ transactionId }) => transactionId).sort()).toEqual([...ids].sort())
    expect(connections().size).toBeLessThanOrEqual(6) // the last three may open one each
  })

  test('retries that are due at once share a connection', async () => {
    const service = await openService({ retries: [1_000] })
    await service.control('POST', 'clock', { action: 'freeze' })
    let status = 500
    const sockets = new Set<Socket>()
    const url = await foreignServer((request, response) => {
      if (status === 200) sockets.add(request.socket)
      request.resume().on('end', () => response.writeHead(status).end())
    })
    await sellHeld(service, url, 20)
    await service.sandbox.courier.idle()
    status = 200
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 1_000 })
    expect(await delivered(service)).toEqual(allDelivered(20, 2))
    expect(sockets.size).toBe(1)
  })

  test('a hold that begins between deliveries closes the connection', async () => {
    const service = await openService()
    const { url, seen } = await openCounting((_, index) => {
      if (index === 3) service.sandbox.settings.data.webhookHold = true
    })
    await sellHeld(service, url, 10)
    await service.sandbox.courier.idle()
    await expect.poll(() => seen.every(({ socket }) => socket.destroyed)).toBe(true)
    expect(seen.length).toBeLessThan(10)
    await hold(service, false)
    await delivered(service)
    expect(seen).toHaveLength(10)
  })

  test.each<[when: string, close: (socket: Socket) => void]>([
    ['after its answer', (socket) => socket.destroy()],
    ['a moment later', (socket) => setImmediate(() => socket.destroy())],
  ])('a receiver that closes each connection %s gets each webhook once', async (_, close) => {
    const service = await openService()
    const { url, seen } = await openCounting(({ socket }) => close(socket))
    const ids = await sellHeld(service, url, 50)
    expect(await delivered(service)).toEqual(allDelivered(50, 1))
    expect(seen.map(({ transactionId }) => transactionId)).toEqual(ids)
  })

  test('a name is looked up for each connection, not for each webhook', async () => {
    const service = await openService()
    const hosts: string[] = []
    const resolve: Resolve = async (host) => {
      hosts.push(host)
      return [{ address: '127.0.0.1' }]
    }
    Object.assign(service.sandbox.webhookLimits, { resolve })
    const { url, seen } = await openCounting()
    await sellHeld(service, url.replace('127.0.0.1', 'shop.example'), 10)
    await delivered(service)
    expect(seen).toHaveLength(10)
    expect(hosts).toEqual(['shop.example'])
  })
})

describe('a kept connection', () => {
  /** Posts over connections that are kept until the test is over. */
  function keeping(more: Partial<PostLimits> = {}) {
    const connections = new KeptConnections()
    onTestFinished(() => connections.close())
    return async (url: string) => {
      const options = { ...limits, ...more }
      const { attempt, refused } = await post(url, {}, '{"n":1}', options, { connections, isLast: false })
      return { ...attempt, refused }
    }
  }

  /** Answers the first request of the first connection alone; `cut` is what it does with the next one. */
  async function answeringOnce(cut: (socket: Socket) => void) {
    let [connections, answered] = [0, 0]
    const answer = (socket: Socket) => {
      answered += 1
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    }
    const url = await bareServer((socket) => {
      const isFirst = ++connections === 1
      let requests = 0
      socket.on('data', () => {
        if (isFirst && ++requests > 1) cut(socket)
        else answer(socket)
      })
    })
    return { url, counts: () => ({ connections, answered }) }
  }

  test('a kept connection that is gone is replaced by a new one', async () => {
    const { url, counts } = await answeringOnce((socket) => socket.resetAndDestroy())
    const send = keeping()
    for (const _ of [1, 2]) expect(await send(url)).toMatchObject({ status: 200, error: null })
    expect(counts()).toEqual({ connections: 2, answered: 2 })
  })

  test('an attempt without an answer in time fails, and is not made twice', async () => {
    const { url, counts } = await answeringOnce(() => undefined)
    const send = keeping({ readTimeout: 300 })
    await send(url)
    expect(await send(url)).toMatchObject({ status: null, error: 'no answer within 0.3 s' })
    expect(counts()).toEqual({ connections: 1, answered: 1 })
  })

  test('an answer that does not end is cut off after 8 KB, and its connection is not used again', async () => {
    const { url, connections } = await openCounting()
    const endlessUrl = await foreignServer((request, response) => {
      request.resume()
      response.write('x'.repeat(1_000_000))
    })
    const send = keeping({ readTimeout: 60_000 })
    for (let count = 0; count < 2; count++)
      expect(await send(endlessUrl)).toMatchObject({ status: 200, responseBody: 'x'.repeat(8192) })
    expect((await send(url)).status).toBe(200)
    expect(connections().size).toBe(1)
  })

  test('a new connection that is cut off is not retried', async () => {
    let connections = 0
    const url = await bareServer((socket) => {
      connections += 1
      socket.on('data', () => socket.resetAndDestroy())
    })
    expect(await keeping()(url)).toMatchObject({ status: null, error: 'the connection was cut' })
    expect(connections).toBe(1)
  })

  test('a kept connection leads to a checked address, and a new one is checked again', async () => {
    const { url } = await answeringOnce((socket) => socket.resetAndDestroy())
    const answers = ['127.0.0.1', '169.254.169.254']
    const resolve: Resolve = async () => [{ address: answers.shift() ?? '' }]
    const send = keeping({ resolve })
    const named = url.replace('127.0.0.1', 'rebound.example')
    expect(await send(named)).toMatchObject({ status: 200 })
    const error = expect.stringContaining('169.254.169.254')
    expect(await send(named)).toMatchObject({ status: null, refused: true, error })
    expect(answers).toEqual([])
  })
})
