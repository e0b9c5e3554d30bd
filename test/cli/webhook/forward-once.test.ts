import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { forwardOnce } from '../../../src/cli/webhook/listen/listen-to.ts'
import { bareServer } from '../../support/network/foreign.ts'

/** A server that answers each request as it is told to, on the bare connection; it is gone after the test. */
const answering = async (answer: (socket: Socket) => void): Promise<URL> =>
  new URL('/hook', await bareServer((socket) => socket.once('data', () => answer(socket))))

/** Milliseconds that a receiver may take here. */
const timeout = 300

describe('an attempt with a status', () => {
  const answers: [string, number, (socket: Socket) => void][] = [
    ['the whole answer', 204, (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n')],
    [
      'a body that is cut off',
      200,
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc'),
    ],
    [
      'a body that drips',
      200,
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n')
        const drip = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(drip))
      },
    ],
    [
      'another protocol',
      101,
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    ],
  ]
  test.each(answers)('the status of an answer is its result: %s', async (_, status, answer) => {
    const sent = await forwardOnce(await answering(answer), {}, '{}', undefined, timeout)
    expect(sent).toMatchObject({ status, error: null })
  })

  test('the first 8 KB of an endless body are kept, and no more is read', async () => {
    const endless = (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write('x'.repeat(1024)));
      }
      socket.on('drain', more)
      more()
    }
    const sent = await forwardOnce(await answering(endless), {}, '{}', undefined, 60_000)
    expect(sent).toMatchObject({ status: 200, error: null, responseBody: 'x'.repeat(8 * 1024) })
  })
})

describe('an attempt without a status', () => {
  const answers: [string, RegExp, (socket: Socket) => void][] = [
    ['nothing', /no answer within 0.3 s/, () => undefined],
    ['half a head', /no answer within 0.3 s/, (socket) => socket.write('HTTP/1.1 200 OK\r\n')],
    ['a connection that is closed', /the connection was cut/, (socket) => socket.end()],
    ['no HTTP', /Parse Error/, (socket) => socket.end('hello\r\n\r\n')],
  ]
  test.each(answers)('an attempt without a status has the reason: %s', async (_, error, answer) => {
    const sent = await forwardOnce(await answering(answer), {}, '{}', undefined, timeout)
    expect(sent).toMatchObject({ status: null, error: expect.stringMatching(error) })
  })

  test('an attempt that is aborted has no status', async () => {
    const ending = new AbortController()
    const sent = forwardOnce(await answering(() => ending.abort()), {}, '{}', ending.signal)
    expect(await sent).toMatchObject({ status: null })
  })
})
