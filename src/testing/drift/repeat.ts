import { send } from '../../client/http.ts'
import { asText, decoded } from '../../client/tolerant.ts'
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

/** A string in JSON, or the number of an id; before it the name of its member, where it has one. */
const inJson = /("(\w+)"\s*:\s*)?("[^"\\]*(?:\\.[^"\\]*)*"|(?<=[iI]d"\s*:\s*)\d+)/g

/** What stands for an application or a merchant of the recording: only where a request names it as one. */
export const partyKey = (name: string, recorded: string): string => `${name} ${recorded}`

/** Sends a recorded request to the sandbox: with its ids, its key, and the time of now. */
export async function repeat(
  { url, apiKey }: FreshSandbox,
  exchange: RecordedExchange,
  references: References,
): Promise<Answer> {
  const { method, headers, at } = exchange
  const ownOf = (name: string, value: string) =>
    references.get(partyKey(name, value)) ?? references.get(value)
  const body = (exchange.body ?? '').replace(inJson, (whole, before = '', name = '', text = '') => {
    const own = ownOf(name, asText(parseJson(text)) ?? '')
    return own === undefined ? whole : before + JSON.stringify(own)
  })
  const target = exchange.target.replace(/([^?&=]*)=([^&#]*)/g, (whole, name: string, value: string) => {
    const own = ownOf(name, decoded(value.replaceAll('+', ' ')))
    return own === undefined ? whole : `${name}=${encodeURIComponent(own)}`
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
