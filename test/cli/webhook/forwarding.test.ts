import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { forwardOnce } from '../../../src/cli/webhook/listen/listen-to.ts'
import { targetFrom } from '../../../src/cli/webhook/webhook-input.ts'
import { verifyWebhook } from '../../../src/contract/signature/verify-webhook.ts'
import { untilStderr } from '../../support/commands/launched.ts'
import {
  type LaunchedSandbox,
  leftByKill,
  startSandboxCommand,
} from '../../support/commands/running-sandbox.ts'
import { bareServer } from '../../support/network/foreign.ts'
import { salePath } from '../../support/service/requests.ts'
import { sale } from '../../support/service/service.ts'
import { openReceiver, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.ts'

/** Sells so many times and returns the ids. */
async function sell(sandbox: LaunchedSandbox, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let each = 0; each < count; each++)
    ids.push((await sandbox.send('POST', salePath, { body: sale(100) })).envelope.data.transactionId)
  return ids
}

/** What a receiver was told: transaction and event, in the order in which each came first. */
const notificationsTo = (targets: readonly WebhookReceiver[]): string[] => [
  ...new Set(
    targets.flatMap(({ arrivals }) =>
      arrivals.map(({ json }) => `${json.transactionId} ${json.eventType ?? 'result'}`),
    ),
  ),
]

const events = ['ORDER_RECEIVED', 'PAYMENT_PRESENTED', 'PAYMENT_PROCESSING', 'result', 'TRANSACTION_ENDED']
const everything = (ids: readonly string[]): string[] =>
  ids.flatMap((id) => events.map((event) => `${id} ${event}`))

/** The same sandbox again. */
const again = ({ cwd }: Pick<LaunchedSandbox, 'cwd'>, url: string): Promise<LaunchedSandbox> =>
  startSandboxCommand(`--forward-to ${url}`, { cwd })

test.each([
  ['a stop', (sandbox: LaunchedSandbox) => sandbox],
  ['kill -9', leftByKill],
])('notifications arrive signed and in order, over an absence of the receiver and %s', async (_, left) => {
  const first = await openReceiver()
  const url = `${first.url}?shop=1`
  const sandbox = await startSandboxCommand(`--forward-to ${url}`)
  const ids = await sell(sandbox, 3)
  await first.got(15)
  await first.close()
  ids.push(...(await sell(sandbox, 3)))
  await untilStderr(sandbox, /(nothing listens there|the connection was cut); notifications wait/)
  const folder = left(sandbox)
  await sandbox.stop('SIGTERM')
  const second = await again(folder, url)
  await untilStderr(second, /nothing listens there; notifications wait/)
  ids.push(...(await sell(second, 3)))
  const back = await openReceiver(200, first.port)
  await untilStderr(second, /answers again/)
  ids.push(...(await sell(second, 1)))
  await expect.poll(() => notificationsTo([first, back])).toEqual(everything(ids))
  const { secret } = await second.json('webhook secret')
  for (const each of back.arrivals)
    expect([each.path, verifyWebhook(each, secret, Date.now()).valid]).toEqual(['/hook?shop=1', true])
  expect(await second.stop('SIGINT')).toMatchObject({ code: 0, signal: null })
  const last = await again(folder, url)
  const count = back.arrivals.length
  ids.push(...(await sell(last, 1)))
  await expect.poll(() => notificationsTo([first, back])).toEqual(everything(ids))
  expect(back.arrivals).toHaveLength(count + 5) // nothing comes again after a clean stop
})

test('earlier notifications are not sent, and those that are not acknowledged are sent again', async () => {
  const target = await openReceiver()
  const sandbox = await startSandboxCommand()
  await sell(sandbox, 1)
  await sandbox.stop()
  const second = await startSandboxCommand(`--forward-to ${target.url} --retries 100ms,1s,1s`, {
    cwd: sandbox.cwd,
  })
  target.answer(500)
  const ids = await sell(second, 1)
  await target.got(5)
  target.answer(200)
  ids.push(...(await sell(second, 1)))
  await second.json('webhook wait --delivered')
  expect(notificationsTo([target]).sort()).toEqual(everything(ids).sort())
  const { deliveries } = await second.json('webhook list')
  expect(deliveries).toMatchObject(Array(10).fill({ state: 'delivered', url: target.url, listener: false }))
})

/** A server that answers each request as it is told to, on the bare connection; it is gone after the test. */
const answering = async (answer: (socket: Socket) => unknown): Promise<URL> =>
  new URL('/hook', await bareServer((socket) => socket.once('data', () => answer(socket))))

/** Milliseconds that a receiver may take here. */
const timeout = 300

function drip(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n')
  const drips = setInterval(() => socket.write('x'), 20)
  socket.on('close', () => clearInterval(drips))
}

const cutOff = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc'
const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'

test.each<[string, number, (socket: Socket) => unknown]>([
  ['the whole answer', 204, (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n')],
  ['a body that is cut off', 200, (socket) => socket.end(cutOff)],
  ['a body that drips', 200, drip],
  ['another protocol', 101, (socket) => socket.write(upgrade)],
])('the status of an answer is its result: %s', async (_, status, answer) => {
  const sent = await forwardOnce(await answering(answer), {}, '{}', undefined, timeout)
  expect(sent).toMatchObject({ status, error: null })
})

test.each<[string, RegExp, (socket: Socket) => unknown]>([
  ['nothing', /no answer within 0.3 s/, () => undefined],
  ['half a head', /no answer within 0.3 s/, (socket) => socket.write('HTTP/1.1 200 OK\r\n')],
  ['a connection that is closed', /the connection was cut/, (socket) => socket.end()],
  ['no HTTP', /Parse Error/, (socket) => socket.end('hello\r\n\r\n')],
])('an attempt without a status has the reason: %s', async (_, error, answer) => {
  const sent = await forwardOnce(await answering(answer), {}, '{}', undefined, timeout)
  expect(sent).toMatchObject({ status: null, error: expect.stringMatching(error) })
})

test('an attempt that is aborted has no status', async () => {
  const ending = new AbortController()
  const sent = forwardOnce(await answering(() => ending.abort()), {}, '{}', ending.signal)
  expect(await sent).toMatchObject({ status: null })
})

test.each([
  ['localhost:3000/hook', 'http://localhost:3000/hook'],
  ['3000/hook', 'http://localhost:3000/hook'],
  ['3000', 'http://localhost:3000'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['[::1]:3000/a?b=c', 'http://[::1]:3000/a?b=c'],
  ['shop.example/hook', 'http://shop.example/hook'],
])('%s is %s', (typed, url) => {
  expect(targetFrom(typed, 'forward-to')).toBe(url)
})

test.each(['', 'extra', '/hook', 'localhost:99999', 'a b:3000', 'mailto:a@b', 'http://'])(
  '%j is not the URL of a receiver',
  (typed) => {
    expect(() => targetFrom(typed, 'forward-to')).toThrow('is not a URL')
  },
)

test('a URL with another scheme is told which ones are allowed', () => {
  expect(() => targetFrom('ftp://localhost/x', 'url', '<url>')).toThrow(
    '<url> must begin with http:// or https://, not ftp://localhost/x',
  )
})
