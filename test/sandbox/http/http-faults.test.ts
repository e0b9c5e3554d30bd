import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import { newId } from '../../support/service/new-id.ts'
import {
  answersIn,
  bytesAfter,
  goodHeaders,
  openRawSandbox,
  openSocket,
  requestText,
  saleText,
} from '../../support/service/raw.ts'
import { sale } from '../../support/service/service.ts'

async function answerTo(...lines: string[]) {
  const { port, host } = await openRawSandbox()
  const [answer, ...more] = answersIn(
    await bytesAfter(port, requestText(...lines.map((line) => line.replace('{host}', host)))),
  )
  expect(more).toEqual([])
  return answer
}

const { path } = operations.sale
const length = 'Content-Length'

describe('a request that Node itself refuses', () => {
  const tooLarge = [431, { code: 'SBX_HEADERS_BIG', msg: expect.stringMatching(/16 KiB/) }] as const
  const field = expect.stringMatching(/^(request|Host)$/)
  const msg = 'The request is not well-formed HTTP'
  const malformed = [400, { code: 'SBX_BAD_HTTP', msg, field }] as const
  const remedy = expect.stringContaining('100-continue')
  const unexpected = [417, { code: 'SBX_EXPECTATION', field: 'Expect', remedy }] as const
  const post = [`POST ${path} HTTP/1.1`, '{host}']
  const get = [`GET ${path} HTTP/1.1`, '{host}']

  test.each<[string, readonly [number, object], string[]]>([
    ['a header of 20 KB', tooLarge, [...post, `X-Big: ${'x'.repeat(20_000)}`]],
    ['a path of 20 KB', tooLarge, [`GET /${'x'.repeat(20_000)} HTTP/1.1`, '{host}']],
    ['a Content-Length of letters', malformed, [...post, `${length}: abc`]],
    ['a negative Content-Length', malformed, [...post, `${length}: -1`]],
    ['two of them that differ', malformed, [...post, `${length}: 1`, `${length}: 2`]],
    ['Content-Length and chunks', malformed, [...post, `${length}: 1`, 'Transfer-Encoding: chunked']],
    ['a method that there is not', malformed, [`FETCH ${path} HTTP/1.1`, '{host}']],
    ['a version that there is not', malformed, [`GET ${path} HTTP/9.9`, '{host}']],
    ['a path without its slash', malformed, ['GET v1 HTTP/1.1', '{host}']],
    ['a header without its colon', malformed, [`GET ${path} HTTP/1.1`, '{host}', 'no header']],
    ['no HTTP at all', malformed, ['hello']],
    ['a target that is not a URL', malformed, ['GET http://[ HTTP/1.1', '{host}', 'Connection: close']],
    ['a GET that expects something', unexpected, [...get, 'Expect: something', `${length}: 0`]],
    ['a POST that expects something', unexpected, [...post, 'Expect: something', `${length}: 0`]],
  ])('%s gets an envelope, and the connection is closed', async (_, [status, envelope], lines) => {
    const answer = await answerTo(...lines)
    const always = { traceId: expect.stringMatching(/./), remedy: expect.stringMatching(/./) }
    expect(answer).toMatchObject({ status, envelope: { ...always, ...envelope } })
    expect(answer?.envelope).not.toHaveProperty('data')
    expect(answer?.head).toContain('content-type: application/json')
    expect(answer?.head).toContain('connection: close')
  })

  test('a chunk without its length in the middle of a sale gets 400, and nothing is stored', async () => {
    const { port, host, sandbox } = await openRawSandbox()
    const head = requestText(`POST ${path} HTTP/1.1`, host, ...goodHeaders(), 'Transfer-Encoding: chunked')
    const [answer] = answersIn(await bytesAfter(port, `${head}zz\r\n`))
    expect(answer?.envelope.code).toBe('SBX_BAD_HTTP')
    const ledgers = [...sandbox.engine.state.ledgers.values()]
    expect(ledgers.every(({ transactions }) => transactions.size === 0)).toBe(true)
  })
})

describe('assumption order-of-handling: a request that its headers refuse is answered before its body comes', () => {
  test.each([
    ['a long body', `Content-Length: ${1024 * 1024}`, '{"amount":'],
    ['a body of unknown length', 'Transfer-Encoding: chunked', '5\r\n{"amo'],
  ])('an unknown key is refused: %s', async (_, line, begun) => {
    const { port, host, sandbox } = await openRawSandbox()
    const [, ...others] = goodHeaders()
    const head = requestText(`POST ${path} HTTP/1.1`, host, 'Authorization: Bearer nobody', ...others, line)
    const [answer] = answersIn(await bytesAfter(port, head + begun))
    expect([answer?.status, answer?.envelope.code]).toEqual([401, 'SBX_KEY_UNKNOWN'])
    expect(sandbox.log.list().map(({ code }) => code)).toEqual(['SBX_KEY_UNKNOWN'])
  })
})

describe('well-formed HTTP', () => {
  const saleOver = async (...more: string[]) => {
    const { port, host } = await openRawSandbox()
    return bytesAfter(port, saleText(host, 'Connection: close', ...more))
  }

  test('Expect: 100-continue gets 100 Continue, and the sale is accepted', async () => {
    const output = await saleOver('Expect: 100-continue')
    expect(output).toMatch(/^HTTP\/1\.1 100 Continue\r\n/)
    expect(answersIn(output).at(-1)?.envelope.code).toBe('0')
  })

  test('headers of 12 KB are accepted', async () => {
    const [answer] = answersIn(await saleOver(`X-Big: ${'x'.repeat(12_000)}`))
    expect([answer?.status, answer?.envelope.code]).toEqual([200, '0'])
  })

  test('the sandbox goes on after many bad requests, and beside a half-sent one', async () => {
    const { port, host, connection } = await openRawSandbox()
    const get = `GET / HTTP/1.1\r\n${host}\r\n`
    const bad = ['hello', `${get}${length}: x`, `${get}Expect: x`]
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => bytesAfter(port, requestText(bad[index % 3] ?? ''))),
    )
    const { socket: half } = openSocket(port)
    await once(half, 'connect')
    half.write('GET / HT')
    const answer = await fetch(`${connection.url}${operations.query.path}?transactionId=${newId()}`)
    expect(answer.status).toBe(401)
  })
})

test('CONNECT gets 400 with an envelope', async () => {
  const answer = await answerTo('CONNECT example.com:443 HTTP/1.1', 'Host: example.com')
  expect([answer?.status, answer?.envelope.code]).toEqual([400, 'SBX_BAD_HTTP'])
})

describe('malformed bytes after whole requests of one connection', () => {
  test.each([
    ['one stray byte', '}'],
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['headers of 20 KB', requestText(`GET ${path} HTTP/1.1`, `X-Big: ${'x'.repeat(20_000)}`)],
    ['CONNECT', requestText('CONNECT example.com:443 HTTP/1.1', 'Host: example.com')],
  ])('earlier requests are answered first, in order, and all are logged: %s', async (_, rest) => {
    const { port, host, sandbox } = await openRawSandbox()
    const answers = answersIn(await bytesAfter(port, saleText(host) + saleText(host) + rest))
    const codes = answers.map(({ envelope }) => envelope.code)
    expect(codes).toEqual(['0', '0', expect.stringMatching(/^SBX_(BAD_HTTP|HEADERS_BIG)$/)])
    expect(sandbox.log.list().map(({ code }) => code)).toEqual(codes)
    const sent = answers.map(({ envelope }) => envelope.traceId)
    expect(sandbox.log.list().map(({ traceId }) => traceId)).toEqual(sent)
  })

  test('a body that is longer than its Content-Length, as one counted in characters, is told so', async () => {
    const { port, host } = await openRawSandbox()
    const body = JSON.stringify(sale(1000, { description: 'Öl, grün' }))
    const head = requestText(`POST ${path} HTTP/1.1`, host, ...goodHeaders(), `${length}: ${body.length}`)
    const [own, rest] = answersIn(await bytesAfter(port, head + body))
    expect(own?.envelope).toMatchObject({
      code: 'SBX_BAD_JSON',
      detail: expect.stringContaining('Content-Length too small'),
    })
    expect(rest?.envelope).toMatchObject({
      code: 'SBX_BAD_HTTP',
      detail: expect.stringContaining('Content-Length was too small'),
    })
  })

  test('a broken body after a whole request gets its error after the earlier answer', async () => {
    const { port, host, sandbox } = await openRawSandbox()
    const head = requestText(`POST ${path} HTTP/1.1`, host, ...goodHeaders(), 'Transfer-Encoding: chunked')
    const answers = answersIn(await bytesAfter(port, `${saleText(host)}${head}zz\r\n`))
    expect(answers.map(({ envelope }) => envelope.code)).toEqual(['0', 'SBX_BAD_HTTP'])
    await expect.poll(() => sandbox.log.list().map(({ code }) => code)).toEqual(['0', 'SBX_CLIENT_LEFT'])
  })

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['CONNECT', requestText('CONNECT example.com:443 HTTP/1.1', 'Host: example.com')],
  ])('a client that never closes its side is disconnected: %s', async (_, text) => {
    const { port } = await openRawSandbox()
    const { socket } = openSocket(port)
    socket.write(text)
    await once(socket.resume(), 'end')
    await expect.poll(() => serverSideOf(socket), { timeout: 10_000 }).toBe(false)
  })
})

/** True while this connection is open at the other end, in this process, too. */
const serverSideOf = ({ localPort }: Socket): boolean =>
  (process as unknown as { _getActiveHandles(): Partial<Socket>[] })
    ._getActiveHandles()
    .some((handle) => handle.remotePort === localPort && handle.destroyed === false)

test('a client that resets the connection after CONNECT does not end the sandbox', async () => {
  const { port, connection } = await openRawSandbox()
  const socket = connect(port, '127.0.0.1')
  socket.write(requestText('CONNECT example.com:443 HTTP/1.1', 'Host: example.com'))
  await once(socket, 'data')
  socket.resetAndDestroy()
  expect(await fetch(`${connection.url}/_sandbox/health`)).toMatchObject({ status: 200 })
})
