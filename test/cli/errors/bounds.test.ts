import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { send, Unreachable } from '../../../src/client/http.ts'
import { readStream } from '../../../src/client/server-sent-events.ts'
import { BodyLimitError, readBounded } from '../../../src/contract/transport/bounded-body.ts'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import { fails, parseNdjson } from '../../support/commands/launched.ts'
import { foreignServer } from '../../support/network/foreign.ts'
import { toldConnection } from '../../support/network/told-connection.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const env = { TILLBOX_API_KEY: 'a-key' }
const mebibyte = Buffer.alloc(1024 * 1024, 0x61)

/** Writes for ever, as fast as the other side reads. */
const endless =
  (headers: Record<string, string> = {}, start = ''): RequestListener =>
  (_, response) => {
    response.writeHead(200, headers).write(start)
    const more = () => {
      while (!response.destroyed && response.write(mebibyte));
    }
    response.on('drain', more)
    more()
  }

/** A sandbox as far as `connection` goes; everything else is `answer`. */
function almostSandbox(answer: RequestListener, others: Readonly<Record<string, object>> = {}) {
  return foreignServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://h').pathname
    const data = path === '/_sandbox/connection' ? toldConnection : others[path]
    if (data === undefined) answer(request, response)
    else response.end(JSON.stringify({ code: '0', msg: '', traceId: '', data }))
  })
}

test.each([
  ...['sale --amount 1.00', 'query 1', 'batch query', 'merchant show'].map((line) => [line, 8] as const),
  ...['terminal list', 'logs tail --no-follow', 'webhook list', 'sandbox clock'].map(
    (line) => [line, 48] as const,
  ),
])('%s ends with 3 when the answer is longer than %i MiB', async (line, most) => {
  const url = await (most === 8 ? foreignServer : almostSandbox)(endless())
  await fails(runCommand(`${line} --base-url ${url}`, { env }), 3, `its body is longer than ${most} MiB`)
})

test('the timeout covers headers and body, however slowly they arrive', async () => {
  const drips: RequestListener = (_, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(' '), 5)
    response.on('close', () => clearInterval(timer))
  }
  const url = await foreignServer(drips)
  const sent = send({ method: 'GET', url: new URL(url), headers: {}, timeout: 300 })
  await expect(sent).rejects.toThrow(Unreachable)
  await expect(sent).rejects.toThrow('no whole answer within 0.3 s')
  await expect(sent).rejects.toHaveProperty('isLate', true)
  const silent = await foreignServer(() => undefined)
  const waited = send({ method: 'GET', url: new URL(silent), headers: {}, timeout: 100 })
  await expect(waited).rejects.toThrow('no answer within 0.1 s')
  await expect(waited).rejects.toHaveProperty('isLate', true)
})

test('a redirect is not followed, so that no other server gets the key', async () => {
  const other = await openReceiver()
  const url = await foreignServer((_, response) =>
    response.writeHead(307, { Location: `${other.origin}/v1` }).end(),
  )
  await fails(runCommand(`sale --amount 1.00 --base-url ${url}`, { env }), 3, 'HTTP 307')
  expect(other.arrivals).toEqual([])
})

test('endless pages of terminals end with 3', async () => {
  let requestCount = 0
  const url = await foreignServer((_, response) => {
    requestCount += 1
    response.end('{"code":"0","data":{"merchantId":"M","terminals":[],"nextToken":"again"}}')
  })
  await fails(runCommand(`merchant terminals --base-url ${url}`, { env }), 3, 'has no end')
  expect(requestCount).toBe(1000)
})

const stream = { 'Content-Type': 'text/event-stream' }
const followers = ['listen', 'logs tail']

test.each(followers)('%s ends with 3 at a line without end', async (command) => {
  const url = await almostSandbox(endless(stream, 'data: '))
  await fails(runCommand(`${command} --base-url ${url}`), 3, 'an event is longer than 4 MiB')
})

test.each(followers)('%s ends with 3 at an event that no sandbox sends', async (command) => {
  for (const data of ['no JSON', '[]', '5', '{"id":5}', '{"id":"1","headers":null}']) {
    const url = await almostSandbox((_, response) =>
      response.writeHead(200, stream).write(`id: 1\n\ndata: ${data}\n\n`),
    )
    await fails(runCommand(`${command} --base-url ${url}`), 3, 'an event cannot be used')
  }
})

test('a position that no header can hold is not sent', async () => {
  const lastEventIds: unknown[] = []
  const url = await foreignServer((request, response) => {
    lastEventIds.push(request.headers['last-event-id'])
    response.writeHead(200, stream).end()
  })
  const { signal } = new AbortController()
  for (const last of ['7', '7\n8', 'é'])
    for await (const _ of readStream({ baseUrl: url }, '/', last, signal));
  expect(lastEventIds).toEqual(['7', undefined, undefined])
})

test('an endless refusal of a stream is not read to its end', async () => {
  const url = await foreignServer(endless({ 'Content-Type': 'text/html' }))
  const events = readStream({ baseUrl: url }, '/', undefined, new AbortController().signal)
  await expect(events.next()).rejects.toThrow('no stream')
})

const secret = 'whsec_dGlsbGJveCB0ZXN0IHNlY3JldA=='
const receiverWith = async () => {
  const receiver = startCommand(`webhook receive --secret ${secret} --json`)
  const { url } = JSON.parse(await receiver.until(/\n/))
  return { receiver, url }
}

test('webhook receive: a body of more than 1 MiB gets 413, and later ones are accepted', async () => {
  const { receiver, url } = await receiverWith()
  const answer = await fetch(url, { method: 'POST', body: Buffer.alloc(1024 * 1024 + 1) })
  expect(answer.status).toBe(413)
  expect(await answer.json()).toMatchObject({ code: '413', message: expect.stringContaining('1 MiB') })
  await receiver.until(/413/)
  const [, post] = parseNdjson(receiver.output().stdout)
  expect(post).toMatchObject({ status: 413, body: '', verdict: { valid: false } })
  expect((await fetch(url, { method: 'POST', body: mebibyte })).status).toBe(401)
})

test('webhook receive: 200 requests at once are taken, and further ones get 503', async () => {
  const { url } = await receiverWith()
  const port = Number(new URL(url).port)
  const half = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf'
  const held = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'))
  for (const socket of held) socket.on('error', () => undefined).write(half)
  const status = async () => (await fetch(url, { method: 'POST', body: 'x' }).catch(() => null))?.status
  await expect.poll(status).toBe(503)
  held[0]?.destroy()
  await expect.poll(status).toBe(401)
  for (const socket of held) socket.destroy()
})

test('a body that does not end in time is given up', async () => {
  const stream = new PassThrough()
  stream.write('half')
  const read = readBounded(stream, { maxBytes: 100, timeout: 10 })
  await expect(read).rejects.toThrow(BodyLimitError)
  await expect(read).rejects.toMatchObject({ status: 408 })
})

const verify = ['webhook', 'verify', '--header', 'X-Signature: 00', '--secret', 's', '--body']

test.skipIf(process.platform === 'win32')('an endless file is refused', async () => {
  await fails(runCommand([...verify, '@/dev/zero']), 2, '/dev/zero has more than 16 MiB')
})

test('endless standard input is refused', async () => {
  const zeros = new Readable({ read: () => void zeros.push(mebibyte) })
  await fails(runCommand([...verify, '-'], { stdin: zeros }), 2, 'Standard input has more than 16 MiB')
})
