import { describe, expect, test } from 'vitest'
import { type PostLimits, post as postOnce } from '../../../../src/sandbox/webhooks/post.ts'
import {
  checkedAddresses,
  type Resolve,
  TargetRefused,
} from '../../../../src/sandbox/webhooks/webhook-target.ts'
import { bareServer, foreignServer } from '../../../support/network/foreign.ts'
import { deadUrl } from '../../../support/network/ports.ts'
import { openService, sale } from '../../../support/service/service.ts'
import { type Answering, openReceiver } from '../../../support/webhooks/webhook-receiver.ts'

const limits: PostLimits = { allowedHosts: [], connectTimeout: 300, readTimeout: 300 }

/** Resolves every name to these; what it was asked for is kept. */
function resolving(...answers: readonly (readonly string[])[]) {
  const hosts: string[] = []
  const resolve: Resolve = async (host) => {
    const answer = answers[Math.min(hosts.length, answers.length - 1)] ?? []
    hosts.push(host)
    return answer.map((address) => ({ address }))
  }
  return { resolve, hosts }
}

const check = (url: string, allowed: readonly string[] = [], resolve?: Resolve) =>
  checkedAddresses(new URL(url), { allowedHosts: allowed }, resolve)

const refuses = (url: string, allowed: readonly string[] = [], resolve?: Resolve) =>
  expect(check(url, allowed, resolve), url).rejects.toThrow(TargetRefused)

/** An attempt, and what it says of the address. */
async function post(...args: Parameters<typeof postOnce>) {
  const { attempt, ...ofAddress } = await postOnce(...args)
  return { ...attempt, ...ofAddress }
}

/** Keeps the event loop from running. */
const standStill = (milliseconds: number) =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

/** Resolves no name. */
const unknown: Resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))

/** The host as it is written and as the parser reads it, both allowed. */
const allowing = (url: string) => [new URL(url).hostname.replace(/[[\]]/g, ''), new URL(url).hostname]

describe('assumption webhook-targets: URLs on loopback', () => {
  test.each([
    'http://127.0.0.1:3000/a',
    'https://127.0.0.1/',
    'http://127.255.255.254/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::1]:3000/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
  ])('%s may be called', async (url) => expect(await check(url)).toHaveLength(1))

  test('a name that is loopback may be called, at each of its addresses', async () => {
    const { resolve } = resolving(['::1', '127.0.0.1'])
    expect(await check('http://localhost:3000/', [], resolve)).toEqual([
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ])
  })
})

describe('targets on other machines', () => {
  test.each([
    'http://192.168.1.7/',
    'http://10.0.0.1/',
    'http://8.8.8.8/',
    'http://0.0.0.0/',
    'http://0/',
    'http://[::]/',
    'http://[2001:db8::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://3232235783/',
  ])('%s is refused, unless it is allowed', async (url) => {
    await refuses(url)
    expect(await check(url, allowing(url))).toHaveLength(1)
  })

  test('a name of another machine is refused', async () => {
    const { resolve } = resolving(['203.0.113.7'])
    await refuses('https://shop.example/hook', [], resolve)
    await refuses('https://shop.example/hook', ['example', 'other.example'], resolve)
    expect(await check('https://SHOP.example/hook', ['shop.example'], resolve)).toHaveLength(1)
  })
})

test('a refusal names an address once, and a name with its address', async () => {
  const why = (url: string, resolve?: Resolve) => check(url, [], resolve).catch(({ message }) => message)
  const remedy = '192.0.2.2 is not on this machine; allow the host with --allow-webhook-host 192.0.2.2'
  expect(await why('http://192.0.2.2/')).toBe(remedy)
  expect(await why('http://shop.example/', resolving(['192.0.2.2']).resolve)).toMatch(
    /^shop\.example: 192\.0\.2\.2 is not .*; allow the host with --allow-webhook-host shop\.example$/,
  )
})

describe('link-local and metadata addresses', () => {
  test.each([
    'http://169.254.169.254/latest/meta-data',
    'http://169.254.0.1/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0xA9.0xFE.0xA9.0xFE/',
    'http://0251.0376.0251.0376/',
    'http://025177524776/',
    'http://169.254.43518/',
    'http://169.16689662/',
    'http://169.254.169.254./',
    'http://１６９.254.169.254/',
    'http://169%2e254%2e169%2e254/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[0:0:0:0:0:ffff:a9fe:a9fe]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[::a9fe:a9fe]/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://[fe80::1]/',
    'http://[FE80:0:0:0::1]/',
    'http://[febf::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fd00:0ec2:0:0:0:0:0:254]/',
    'http://100.100.100.200/',
    'http://[::ffff:100.100.100.200]/',
    'http://1684301000/',
    'http://168.63.129.16/',
    'http://[64:ff9b:1::a9fe:a9fe]/',
    'http://[64:ff9b::a83f:8110]/',
    'http://[::ffff:0:169.254.169.254]/',
    'http://[::5efe:169.254.169.254]/',
    'http://[2001:db8::200:5efe:a9fe:a9fe]/',
    'http://[2001:db8::5efe:100.100.100.200]/',
    'http://[fd20:ce::254]/',
    'http://[fd00:c1::a9fe:a9fe]/',
    'http://[fd00:ec2::23]/',
  ])('%s is never called, even when it is allowed', async (url) => {
    await refuses(url)
    await refuses(url, allowing(url))
  })

  test('a URL with an IPv6 zone is not called', async () => {
    for (const url of ['http://[fe80::1%eth0]/', 'http://[fe80::1%25eth0]/']) {
      expect(URL.canParse(url)).toBe(false)
      expect(await post(url, {}, '{}', limits)).toMatchObject({ status: null, error: 'Invalid URL' })
    }
  })

  test.each(['fe80::1%eth0', '169.254.169.254', 'fe80::1', '::ffff:169.254.169.254', '100.100.100.200'])(
    'a name that resolves to %s is never called',
    async (address) => {
      const { resolve } = resolving([address])
      await refuses('http://metadata.example/', ['metadata.example'], resolve)
      await refuses('http://metadata.example./', ['metadata.example', 'metadata.example.'], resolve)
    },
  )

  test.each([
    [['127.0.0.1', '169.254.169.254']],
    [['169.254.169.254', '127.0.0.1']],
    [['203.0.113.7', 'fe80::1']],
  ])('a name with an allowed and a forbidden address is not called: %j', async (addresses) => {
    await refuses('http://both.example/', ['both.example'], resolving(addresses).resolve)
  })

  test('a name with loopback and an address that is not allowed is not called', async () => {
    await refuses('http://both.example/', [], resolving(['127.0.0.1', '203.0.113.7']).resolve)
  })
})

describe('the checked address and the called one', () => {
  test('the resolver is asked once, so a different second answer has no effect', async () => {
    const receiver = await openReceiver()
    const { port } = new URL(receiver.url)
    const { resolve, hosts } = resolving(['127.0.0.1'], ['169.254.169.254'])
    const attempt = await post(`http://rebound.example:${port}/x`, {}, '{}', { ...limits, resolve })
    expect([attempt.status, attempt.error]).toEqual([200, null])
    expect(hosts).toEqual(['rebound.example'])
    expect(receiver.arrivals[0]?.headers.host).toBe(`rebound.example:${port}`)
    const second = await post(`http://rebound.example:${port}/x`, {}, '{}', { ...limits, resolve })
    expect([second.status, second.error]).toEqual([null, expect.stringContaining('169.254.169.254')])
    expect(receiver.arrivals).toHaveLength(1)
  })

  test('a name with two loopback addresses is reached when only the second is served', async () => {
    const receiver = await openReceiver()
    const { port } = new URL(receiver.url)
    const { resolve } = resolving(['127.0.0.9', '127.0.0.1'])
    const attempt = await post(`http://localhost:${port}/`, {}, '{}', { ...limits, resolve })
    expect([attempt.status, attempt.error]).toEqual([200, null])
  })

  test('a name is reached at its first address although the process stood still while it connected', async () => {
    const { port } = new URL((await openReceiver()).url)
    const resolve: Resolve = async () => {
      setImmediate(standStill, 400)
      return [{ address: '127.0.0.1' }, { address: '127.0.0.9' }]
    }
    const patient = { ...limits, connectTimeout: 20_000, resolve }
    expect(await post(`http://localhost:${port}/`, {}, '{}', patient)).toMatchObject({ status: 200 })
  })

  test('an attempt that is cut off before it begins looks up no address', async () => {
    const { resolve, hosts } = resolving()
    const stopped = { ...limits, resolve, signal: AbortSignal.abort() }
    const attempt = await post('http://nowhere.example/', {}, '{}', stopped)
    expect(attempt).toMatchObject({ status: null, error: 'cut off: the sandbox was stopped' })
    expect(hosts).toEqual([])
  })

  test('an attempt that is cut off while its address is checked is not sent', async () => {
    const { url, arrivals } = await openReceiver()
    const stop = new AbortController()
    const attempt = post(url, {}, '{}', { ...limits, signal: stop.signal })
    stop.abort()
    expect(await attempt).toMatchObject({ status: null, error: 'cut off: the sandbox was stopped' })
    expect(arrivals).toEqual([])
  })

  test('an answer that changes the protocol, and one that never comes, end the attempt', async () => {
    const answers = ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', '']
    const url = await bareServer((socket) => {
      socket.once('data', () => socket.end(answers.shift() ?? ''))
    })
    expect(await post(url, {}, '{}', limits)).toMatchObject({ status: 101, error: null })
    expect(await post(url, {}, '{}', limits)).toMatchObject({ status: null, error: expect.any(String) })
  })

  test('a name is looked up and checked again for each attempt', async () => {
    const receiver = await openReceiver()
    const { resolve } = resolving(['127.0.0.1'], ['169.254.169.254'])
    const send = () =>
      post(receiver.url.replace('127.0.0.1', 'rebound.example'), {}, '{}', {
        ...{ ...limits, allowedHosts: ['rebound.example'], resolve },
      })
    expect(await send()).toMatchObject({ status: 200 })
    const error = expect.stringContaining('169.254.169.254')
    expect(await send()).toMatchObject({ status: null, refused: true, error })
  })

  test('no connection is kept for the next attempt', async () => {
    const sockets = new Set<unknown>()
    const url = await foreignServer(({ socket }, response) => {
      sockets.add(socket)
      response.end()
    })
    for (let count = 0; count < 3; count++) expect((await post(url, {}, '{}', limits)).status).toBe(200)
    expect(sockets.size).toBe(3)
  })
})

describe('attempts without a connection', () => {
  const failing = (code: string): Resolve => {
    return () => Promise.reject(Object.assign(new Error(code), { code }))
  }
  test.each<[string, Resolve, string, boolean]>([
    ['a name that is unknown', failing('ENOTFOUND'), 'the host name is unknown', true],
    ['a name server that is not there', failing('EAI_AGAIN'), 'EAI_AGAIN', true],
    ['a network that is not there', failing('ENETUNREACH'), 'ENETUNREACH', true],
    ['a host that is not there', failing('EHOSTUNREACH'), 'EHOSTUNREACH', true],
    ['no answer of a name server', () => new Promise(() => undefined), 'no connection within 0.3 s', true],
    ['an address that may not be called', async () => [{ address: '203.0.113.7' }], '203.0.113.7', false],
    ['a name without an address', async () => [], 'shop.example has no address', false],
  ])('an attempt at %s says why it fails, and how far it got', async (...[, resolve, error, unreachable]) => {
    const attempt = await post('http://shop.example/', {}, '{}', { ...limits, resolve })
    expect(attempt).toMatchObject({ status: null, error: expect.stringContaining(error), unreachable })
  })

  test('an attempt at a port at which nothing listens counts as unreachable', async () => {
    expect(await post(await deadUrl(), {}, '{}', limits)).toMatchObject({ unreachable: true })
  })
})

describe('a process that stands still longer than an attempt may take', () => {
  test('while it connects, the connection counts that was made meanwhile', async () => {
    const receiver = await openReceiver()
    const attempt = post(receiver.url, {}, '{}', limits)
    setImmediate(standStill, 400)
    expect(await attempt).toMatchObject({ status: 200, error: null })
  })

  test('while it waits for the answer, the answer counts that came meanwhile', async () => {
    const receiver = await openReceiver((_, response) => {
      response.end()
      standStill(400)
    })
    expect(await post(receiver.url, {}, '{}', limits)).toMatchObject({ status: 200, error: null })
  })
})

test('no file descriptor, or another holder of the space, says nothing of the receiver', async () => {
  const resolve: Resolve = () => Promise.reject(Object.assign(new Error('socket'), { code: 'EMFILE' }))
  for (const reason of [{ resolve }, { mayPost: () => false }])
    expect(await post('http://localhost:9/', {}, '{}', { ...limits, ...reason })).toMatchObject({
      isNotMade: true,
      unreachable: false,
    })
})

describe('receivers that do not answer', () => {
  test.each<[string, Answering, string]>([
    ['never answers', 'never', 'no answer within 0.3 s'],
    ['cuts the connection', (_, response) => response.socket?.destroy(), 'the connection was cut'],
  ])('a receiver that %s fails the attempt, and was reached', async (_, answer, error) => {
    const receiver = await openReceiver(answer)
    const attempt = await post(receiver.url, {}, '{}', limits)
    expect(attempt).toMatchObject({ status: null, error, unreachable: false })
  })

  test.each([
    ['so far', 'so far'],
    ['x'.repeat(1_000_000), 'x'.repeat(8192)],
  ])(
    'the status of an answer that never ends counts, and its text is kept up to 8 KB',
    async (text, kept) => {
      const receiver = await openReceiver((_, response) => {
        response.writeHead(200)
        response.write(text)
      })
      const attempt = await post(receiver.url, {}, '{}', limits)
      expect(attempt).toMatchObject({ status: 200, responseBody: kept, error: null })
    },
  )
})

describe('webhook targets through the service', () => {
  test('a refused address fails at once, with the reason and what allows it; nothing is called', async () => {
    const { call, sandbox, control } = await openService()
    await call('sale', sale(1000, { notifyUrl: 'http://169.254.169.254/latest' }))
    await call('sale', sale(1000, { notifyUrl: 'http://203.0.113.7/hook' }))
    await sandbox.courier.idle()
    const { deliveries } = (await control('GET', 'webhooks')).data
    const failed = { state: 'failed', attempts: 1, nextAt: null }
    expect(deliveries).toMatchObject([
      { ...failed, last: expect.stringContaining('never called') },
      { ...failed, last: expect.stringContaining('--allow-webhook-host 203.0.113.7') },
    ])
  })

  test('a name that cannot be resolved is retried', async () => {
    const { call, sandbox, control } = await openService({ retries: [60_000] })
    Object.assign(sandbox.webhookLimits, { resolve: unknown })
    await call('sale', sale(1000, { notifyUrl: 'http://shop.example/hook' }))
    await sandbox.courier.idle()
    expect((await control('GET', 'webhooks')).data.deliveries).toMatchObject([
      { state: 'pending', attempts: 1, nextAt: expect.any(String), last: 'the host name is unknown' },
    ])
  })
})
