import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'

/** What came back. */
export interface PlainAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

interface ExchangeOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly text?: string | undefined
  /** Left out, a connection of its own. */
  readonly agent?: Agent | false
  /** Certificate to trust, PEM. */
  readonly ca?: string | undefined
}

/** One request over a real connection, `Host` included; no redirect is followed. Errors: those of the connection. */
export function exchange(
  url: string,
  { text, agent = false, ca, ...options }: ExchangeOptions,
): Promise<PlainAnswer> {
  const start = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const outgoing = start(url, { ...options, agent, ...(ca && { ca }) }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}
