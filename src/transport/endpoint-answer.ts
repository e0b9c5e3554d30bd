import type { IncomingMessage } from 'node:http'
import { type AttemptView, longestAnswer } from '../contract/sandbox/webhooks.ts'

/** A receiver's answer to a notification, as it is stored: the body is cut. */
export type EndpointAnswer = Pick<AttemptView, 'status' | 'responseHeaders' | 'responseBody'>

/** The status alone decides; the body is stored for display, as far as it arrives. Never rejects. */
export function readEndpointAnswer(incoming: IncomingMessage): Promise<EndpointAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    const finish = () =>
      resolve(answerOf(incoming, Buffer.concat(chunks).subarray(0, longestAnswer).toString()))
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > longestAnswer) incoming.destroy()
    })
    incoming.on('error', finish) // cut off: keep the part that arrived
    incoming.on('close', finish)
  })
}

/** An answer with that body. */
export const answerOf = ({ statusCode, headers }: IncomingMessage, responseBody: string): EndpointAnswer => ({
  status: statusCode ?? null,
  responseHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  responseBody,
})
