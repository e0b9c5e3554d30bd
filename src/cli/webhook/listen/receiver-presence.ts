import { connect as connectPlain, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { firstPause, pauseAfter } from '../../../transport/until-answered.ts'

/** How long a connection may take. Milliseconds. */
const patience = 5_000

/**
 * Resolves when a receiver accepts connections, with TLS if its URL requires it, or when `signal` aborts. Nothing is
 * sent.
 */
export async function untilPresent(url: URL, signal: AbortSignal): Promise<void> {
  for (let pause = firstPause; ; pause = pauseAfter(pause)) {
    await sleep(pause, undefined, { signal }).catch(() => undefined)
    if (signal.aborted || (await isPresent(url))) return
  }
}

async function isPresent(url: URL): Promise<boolean> {
  const isTls = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(url.port || (isTls ? 443 : 80))
  const connectTls = isTls ? (await import('node:tls')).connect : undefined
  const socket: Socket = connectTls?.({ host, port, servername: host }) ?? connectPlain({ host, port })
  return new Promise<boolean>((resolve) => {
    socket.setTimeout(patience, () => resolve(false))
    socket.once(isTls ? 'secureConnect' : 'connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  }).finally(() => socket.destroy())
}
