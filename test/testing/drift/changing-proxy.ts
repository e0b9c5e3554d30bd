import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AnyJson } from '../../support/any-json.ts'

/** An answer on its way, which a change may write into. */
export interface PassingAnswer {
  status: number
  headers: Record<string, string>
  body: AnyJson
}

/** Names the exchange of a recording, for the proxy alone. */
export const labelHeader = 'x-label'

/**
 * Stands in front of a sandbox as a service that changed: `change` sees each answer with the label of its
 * request.
 */
export async function openChangingProxy(target: string) {
  const proxy = { url: '', change: (_label: string, _answer: PassingAnswer): void => undefined }
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = 'GET', url = '' } = incoming
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { [labelHeader]: label, host: _, connection: __, ...headers } = incoming.headers
    const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
    const body = method === 'GET' ? null : Buffer.concat(chunks)
    const response = await fetch(target + url, { method, headers: sent, body })
    const answer: PassingAnswer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.json(),
    }
    proxy.change(String(label), answer)
    const { 'content-length': ___, 'transfer-encoding': ____, ...kept } = answer.headers
    outgoing.writeHead(answer.status, kept)
    outgoing.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  }
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(proxy, { close: () => void server.close().closeAllConnections() })
}
