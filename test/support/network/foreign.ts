import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createBareServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A server that is no sandbox, at a free port; it is gone after the test. Returns its URL. */
export async function foreignServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

/** The same on bare connections; it is told each of them. */
export async function bareServer(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createBareServer((socket) => {
    sockets.add(socket.on('error', () => undefined)) // the other side is gone
    answer(socket)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}
