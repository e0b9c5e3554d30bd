import { once } from 'node:events'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { type RunningSandbox, type ServerOptions, startSandbox } from '../../../src/server/server.ts'
import { salePath } from './requests.ts'
import { apiKey, sale, temporaryFolder } from './service.ts'

/** HTTP byte by byte. */

/** A sandbox on a real port, closed after the test. */
export async function openRawSandbox(
  options: Partial<ServerOptions> = {},
): Promise<RunningSandbox & { readonly port: number; readonly host: string }> {
  const running = await startSandbox({ state: temporaryFolder(), ...options })
  onTestFinished(() => running.close())
  const { port } = running.connection
  return { ...running, port, host: `Host: 127.0.0.1:${port}` }
}

/** A socket that is gone after the test; what comes is kept. */
export function openSocket(port: number, allowHalfOpen = true) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen })
  onTestFinished(() => void socket.destroy())
  const received = { text: '' }
  socket.on('error', () => undefined) // the sandbox may close it first
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received.text += chunk
  })
  return { socket, received }
}

/** Opens a connection, sends these bytes, and resolves with all that came until it was closed. */
export async function bytesAfter(port: number, text: string): Promise<string> {
  const { socket, received } = openSocket(port, false)
  socket.write(text)
  await once(socket, 'close')
  return received.text
}

/** The lines of a request, with the empty one at its end. */
export const requestText = (...lines: string[]): string => [...lines, '', ''].join('\r\n')

/** The answers in what came. */
export const answersIn = (text: string) =>
  text
    .split(/(?=HTTP\/1\.1 \d)/)
    .filter((one) => !one.startsWith('HTTP/1.1 100 '))
    .map((one) => ({
      status: Number(one.slice(9, 12)),
      head: one.slice(0, one.indexOf('\r\n\r\n')).toLowerCase(),
      envelope: JSON.parse(/\{.*\}/.exec(one)?.[0] ?? 'null'),
    }))

/** Lines of headers that the service accepts. */
export const goodHeaders = (): string[] => [
  `Authorization: Bearer ${apiKey}`,
  `X-Client-Request-Id: ${crypto.randomUUID()}`,
  `X-Timestamp: ${Date.now()}`,
  'Content-Type: application/json',
]

/** A sale as bytes, with these lines more. */
export function saleText(host: string, ...more: string[]): string {
  const body = JSON.stringify(sale(1000))
  const length = `Content-Length: ${body.length}`
  return requestText(`POST ${salePath} HTTP/1.1`, host, ...goodHeaders(), length, ...more) + body
}
