import { send } from '../../client/http.ts'
import { decoded } from '../../client/tolerant.ts'
import { connectionHeaders, headerNames } from '../../contract/headers.ts'
import { parseJson } from '../../shared/read-or.ts'
import { wallTime } from '../../shared/timers.ts'
import type { Answer, RecordedExchange } from './archive.ts'
import type { References } from './compare.ts'

/** A sandbox that nothing was done with yet, and whom to act as. */
export interface FreshSandbox {
  readonly url: string
  readonly apiKey: string
  readonly appId: string
  readonly merchantId: string
}

/** Headers that this process makes itself, or that belong to the recording. */
const notRepeated = [
  ...connectionHeaders,
  'host',
  'content-length',
  'accept-encoding',
  'cookie',
  'content-encoding',
]

/** Sends a recorded request to the sandbox: with its ids, its key, and the time of now. */
export async function repeat(
  { url, apiKey }: FreshSandbox,
  exchange: RecordedExchange,
  references: References,
): Promise<Answer> {
  const { method, headers, at } = exchange
  const body = (exchange.body ?? '').replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, (text) => {
    const own = references.get(String(parseJson(text)))
    return own === undefined ? text : JSON.stringify(own)
  })
  const target = exchange.target.replace(/=([^&#]*)/g, (whole, value: string) => {
    const own = references.get(decoded(value.replaceAll('+', ' ')))
    return own === undefined ? whole : `=${encodeURIComponent(own)}`
  })
  const sent = Object.entries(headers).filter(
    ([name, value]) =>
      !notRepeated.includes(name) && /^[\w.-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value),
  )
  const timestamp = headers[headerNames.timestamp.toLowerCase()] ?? ''
  const now = /^\d{13}$/.test(timestamp) ? String(wallTime() + Number(timestamp) - at) : timestamp
  const answer = await send({
    method,
    url: new URL(url + target),
    headers: {
      ...Object.fromEntries(sent),
      authorization: `Bearer ${apiKey}`,
      ...(now !== '' && { 'x-timestamp': now }),
    },
    body: method === 'GET' ? undefined : body,
  })
  const answered = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
  return {
    status: answer.status,
    headers: Object.fromEntries(answered),
    body: parseJson(answer.body) ?? answer.body,
  }
}
