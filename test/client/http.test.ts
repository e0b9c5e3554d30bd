import { once } from 'node:events'
import http, { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { agentFor, send } from '../../src/client/http.ts'

test('an answer may take longer than a kept connection may be idle', async () => {
  const server = createServer((request, response) => {
    setTimeout(() => response.end('ok'), request.url === '/late' ? 1_200 : 0)
  })
  server.keepAliveTimeout = 2_000 // of which a client takes one second
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await send({ url: new URL(`${url}/first`), headers: {} })
  expect((await send({ url: new URL(`${url}/late`), headers: {} })).body).toBe('ok')
})

test('a connection that the server was asked to close is not used again, though it says nothing of it', async () => {
  let connections = 0
  const server = createSocketServer((socket) => {
    connections += 1
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      setTimeout(() => socket.end(), 20)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  for (const _ of [1, 2, 3]) await send({ url, headers: { Connection: 'close' } })
  expect(connections).toBe(3)
})

test.each([
  '127.0.0.1',
  'localhost',
  'LOCALHOST',
  'shop.localhost',
  '[::1]',
  '0.0.0.0',
  '[::ffff:127.0.0.1]',
  '127.1',
])('%s is called directly, whatever proxy the environment names', (host) => {
  const agent = agentFor(http, new URL(`http://${host}:1/`), false)
  expect(agent).toBeInstanceOf(http.Agent)
  expect(agent).not.toBe(http.globalAgent)
})

test.each(['example.com', 'localhost.example.com', '128.0.0.1', '10.0.0.1'])(
  '%s is called by the agent of Node, which obeys the environment',
  (host) => expect(agentFor(http, new URL(`http://${host}/`), false)).toBeUndefined(),
)
