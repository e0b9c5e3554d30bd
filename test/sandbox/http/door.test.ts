import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import { hostIn } from '../../../src/sandbox/http/origin.ts'
import { Random } from '../../support/load/random.ts'
import { FuzzRequests, wireBytes } from '../../support/openapi/fuzz-requests.ts'
import { fetchPlain } from '../../support/pages/shop-front.ts'
import { times } from '../../support/runner/counts.ts'
import { answersIn, bytesAfter, goodHeaders, openRawSandbox, requestText } from '../../support/service/raw.ts'

const paths = [
  `${operations.query.path}?transactionId=1`,
  '/_sandbox/state',
  '/_sandbox/events',
  '/',
  '/requests',
  '/_assets/style.css',
  '/nowhere',
]

/** Lines that name no host, or more than one, and what is said of them. */
const bad: readonly (readonly [name: string, lines: readonly string[], detail: RegExp])[] = [
  ['a last part that is a number', ['Host: a.1'], /'a\.1' is not a host/],
  ['nothing', ['Host:'], /it is empty/],
  ['no header', [], /it is missing/],
  ['a user', ['Host: me@127.0.0.1:{port}'], /is not a host/],
  ['two that are the same', ['Host: 127.0.0.1:{port}', 'host: 127.0.0.1:{port}'], /it was sent 2 times/],
  ['letters beyond ASCII', ['Host: l\u00f6calhost:{port}'], /is not a host/],
]

/** Numbers that are no address, other parts of a URL, wrong ports, wrong brackets, wrong letters, and what is too long. */
const noHosts = [
  ...['127.999.999.999', '127.1:80', '2130706433:80', '0x7f.0.0.1:80'],
  ...['local host:80', '127.0.0.1:80/x', '127.0.0.1:80?x', 'http://127.0.0.1:80', '127.0.0.1:80, a'],
  ...['127.0.0.1:0', '127.0.0.1:99999', '127.0.0.1:abc', '127.0.0.1:', ':80'],
  ...['::1', '[fe80::1%lo]:80', '[::1::]', '[::1', '[127.0.0.1]'],
  ...['loc%61lhost:80', `${'a.'.repeat(150)}b`, `${'a'.repeat(64)}.example`],
]

test.each(noHosts)('%s is not a host', (text) => expect(hostIn(text)).toBeUndefined())

describe('a Host header without a valid host', () => {
  test.each(bad)('an invalid Host is refused with 400: %s', async (_, lines, detail) => {
    const { port } = await openRawSandbox()
    const sent = lines.map((line) => line.replaceAll('{port}', String(port)))
    for (const path of paths) {
      const output = await bytesAfter(port, requestText(`GET ${path} HTTP/1.1`, ...sent))
      const [answer, ...more] = answersIn(output)
      expect(more).toEqual([])
      expect(answer).toMatchObject({
        status: 400,
        head: expect.stringContaining('connection: close'),
        envelope: {
          code: 'SBX_BAD_HTTP',
          field: 'Host',
          detail: expect.stringMatching(detail),
          remedy: `Send the host and port of the sandbox: Host: 127.0.0.1:${port}`,
        },
      })
    }
  })

  test('a browser gets a page about an invalid Host, and a POST with one changes nothing', async () => {
    const { port, sandbox } = await openRawSandbox()
    const lines = ['GET /requests HTTP/1.1', 'Host: a.1', 'Accept: text/html']
    const page = await bytesAfter(port, requestText(...lines))
    expect(page).toMatch(/^HTTP\/1\.1 400 [\s\S]*content-type: text\/html[\s\S]*is not a host/i)
    const body = JSON.stringify({ state: 'frozen' })
    const text =
      requestText('POST /_sandbox/clock HTTP/1.1', 'Host: a.1', `Content-Length: ${body.length}`) + body
    expect(answersIn(await bytesAfter(port, text))[0]?.status).toBe(400)
    expect(sandbox.clock.frozen).toBe(false)
  })

  test('HTTP/1.0 without a Host is refused, too, and with one it is served', async () => {
    const { port, host } = await openRawSandbox()
    const [without] = answersIn(await bytesAfter(port, requestText('GET /_sandbox/health HTTP/1.0')))
    expect(without).toMatchObject({ status: 400, envelope: { field: 'Host', detail: 'it is missing' } })
    const [named] = answersIn(await bytesAfter(port, requestText('GET /_sandbox/health HTTP/1.0', host)))
    expect(named).toMatchObject({ status: 200, envelope: { code: '0' } })
  })

  test('a whole URL as the target is served only when it names the host of the header', async () => {
    const { port, host } = await openRawSandbox()
    const answerTo = async (target: string) =>
      answersIn(await bytesAfter(port, requestText(`GET ${target} HTTP/1.1`, host, 'Connection: close')))[0]
    expect(await answerTo(`http://127.0.0.1:${port}/_sandbox/health`)).toMatchObject({ status: 200 })
    for (const other of ['a.1', `me@127.0.0.1:${port}`, 'evil.example', ''])
      expect(await answerTo(`http://${other}/_sandbox/health`)).toMatchObject({ status: 400 })
  })
})

const accepted = [200, { code: '0' }] as const
const refused = [403, { code: 'SBX_HOST', field: 'Host' }] as const

test.each([
  ['localhost:{port}', accepted],
  ['LOCALHOST:{port}', accepted],
  ['127.0.0.1:{port}', accepted],
  ['127.0.0.2:{port}', accepted],
  ['[::1]:{port}', accepted],
  ['[::1]', accepted],
  ['localhost', accepted],
  ['localhost.:{port}', refused],
  ['localhost.evil.example:{port}', refused],
  ['127.0.0.1.evil.example:{port}', refused],
  ['[::ffff:127.0.0.1]:{port}', refused],
  ['10.0.0.1:{port}', refused],
  ['xn--bcher-kva.example', refused],
  ['a_b', refused],
])('a well-formed Host: %s is accepted when it is one of the sandbox', async (text, [status, envelope]) => {
  const { port } = await openRawSandbox()
  const lines = [`Host: ${text.replace('{port}', String(port))}`, 'Connection: close']
  const [answer] = answersIn(await bytesAfter(port, requestText('GET /_sandbox/health HTTP/1.1', ...lines)))
  expect(answer).toMatchObject({ status, envelope })
})

test('every accepted Host makes a URL with that host, and without user, path or query of its own', () => {
  const parts = fc.constantFrom(...'a 1 . - _ : [ ] 127 0 0x7f % @ / xn-- é'.split(' '), ' ')
  const text = fc.string({ unit: parts, maxLength: 12 })
  const texts = fc.oneof(text, fc.string(), fc.domain(), fc.ipV4(), fc.ipV6())
  fc.assert(
    fc.property(texts, (text) => {
      const host = hostIn(text)
      if (host === undefined) return
      const url = new URL(`http://${host}/path?query`)
      expect([url.username, url.password, url.pathname, url.search]).toEqual(['', '', '/path', '?query'])
    }),
    { numRuns: times(400, 2_000) },
  )
})

describe('views of the request log', () => {
  const views = ['/_sandbox/requests', '/requests', '/requests?q=a', '/requests?status=refused']

  /** Sends bytes and leaves once something was answered. */
  async function send(port: number, bytes: Buffer): Promise<void> {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined) // the sandbox may close it first
    socket.end(bytes)
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
    socket.destroy()
  }

  test('whatever was sent, every list, request, page and stream of the log answers', async () => {
    const { port, connection, sandbox } = await openRawSandbox()
    const host = `127.0.0.1:${port}`
    const seed = Date.now() % 2 ** 31
    const make = new FuzzRequests(new Random(seed))
    for (let round = 0; round < times(8, 60); round++) {
      const first = sandbox.log.total
      for (let count = 0; count < 8; count++)
        await send(port, wireBytes(count === 0 ? make.page() : make.operation(), host))
      const ids = sandbox.log.list(first).map(({ traceId }) => traceId)
      const each = ids.flatMap((id) => [`/_sandbox/requests/${id}`, `/requests/${id}`])
      for (const path of [...views, ...each]) {
        const { status, text } = await fetchPlain(`${connection.url}${path}`)
        expect([seed, path, status, status === 200 ? '' : text]).toEqual([seed, path, 200, ''])
      }
      const stream = await fetch(`${connection.url}/_sandbox/requests/events?limit=${ids.length}`)
      const reader = stream.body?.getReader()
      let received = ''
      while (reader && ids.some((id) => !received.includes(id)))
        received += Buffer.from((await reader.read()).value ?? []).toString()
      await reader?.cancel()
    }
  })

  test('a request without headers is shown', async () => {
    const { port, connection, sandbox } = await openRawSandbox()
    await bytesAfter(port, requestText('GET /nowhere HTTP/1.0'))
    const id = sandbox.log.list().at(-1)?.traceId
    const { data } = JSON.parse((await fetchPlain(`${connection.url}/_sandbox/requests/${id}`)).text)
    expect(data.request).toMatchObject({ headers: [], body: '' })
    expect((await fetchPlain(`${connection.url}/requests/${id}`)).status).toBe(200)
  })

  test.each([100, 3_000, 30_000])('a body of %i levels is shown in about as many letters', async (depth) => {
    const { port, connection, sandbox } = await openRawSandbox()
    const body = `{"description":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const length = `Content-Length: ${body.length}`
    const lines = [`Host: 127.0.0.1:${port}`, ...goodHeaders(), length, 'Connection: close']
    await bytesAfter(port, requestText(`POST ${operations.sale.path} HTTP/1.1`, ...lines) + body)
    const id = sandbox.log.list().at(-1)?.traceId
    for (const path of [`/_sandbox/requests/${id}`, `/requests/${id}`]) {
      const { status, text } = await fetchPlain(`${connection.url}${path}`)
      expect([path, status]).toEqual([path, 200])
      expect(text.length).toBeLessThan(10 * body.length + 50_000)
    }
  })
})
