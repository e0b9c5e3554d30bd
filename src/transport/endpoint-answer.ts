import type { IncomingMessage } from 'node:http'
import type { AttemptView } from '../contract/sandbox/webhooks.ts'

/** What a receiver answered to a notification, as it is kept: the text cut. */
export type EndpointAnswer = Pick<AttemptView, 'status' | 'responseHeaders' | 'responseBody'>

/** How much of an answer is kept; what comes after it is not read. */
const keptBytes = 8 * 1024

/** The status is the answer; the body is only kept for the record, as far as it comes. Never rejects. */
export function readEndpointAnswer(incoming: IncomingMessage): Promise<EndpointAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    const finish = () => resolve(answerOf(incoming, Buffer.concat(chunks).subarray(0, keptBytes).toString()))
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > keptBytes) incoming.destroy()
    })
    incoming.on('error', finish) // cut off; what came is what there is
    incoming.on('close', finish)
  })
}

/** An answer with that text. */
export const answerOf = ({ statusCode, headers }: IncomingMessage, responseBody: string): EndpointAnswer => ({
  status: statusCode ?? null,
  responseHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  responseBody,
})
