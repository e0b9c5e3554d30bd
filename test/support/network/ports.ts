import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Ports of a worker, of which each test takes the next. They end below those that the system gives to connections, and
 * begin above those that a merchant's server is started with.
 */
const portsOfWorker = 500
const first = 22_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 20) * portsOfWorker

let taken = process.pid // two runs at once begin at other ports

/**
 * A free port of loopback for what listens there later, stops and comes back, or never listens. Port 0 gives one that the
 * system soon gives to somebody else.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (taken++ % portsOfWorker)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isListening) return false
  server.close()
  await once(server, 'close')
  return true
}

/** A URL at which nothing listens. */
export const deadUrl = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`
