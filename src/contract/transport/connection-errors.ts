import type { IncomingMessage } from 'node:http'
import { longestAnswer } from '../control/webhook-delivery.ts'
import type { AttemptView } from '../control/webhooks.ts'

/** Why a connection failed, in words, by error code, with the remedy where it is known. */
const connectionErrors = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  ECONNRESET: 'the connection was cut',
  EPROTO: 'it does not serve TLS; use http://',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; trust it with NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted; trust its authority with NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is not trusted; trust its authority with NODE_EXTRA_CA_CERTS',
} as const satisfies Readonly<Record<string, string>>

const words: Readonly<Record<string, string>> = connectionErrors

/** Why a connection failed, with the remedy where it is known. */
export const failureReason = ({ code = '', message }: NodeJS.ErrnoException): string => words[code] ?? message

/** Codes of errors that occur only while connecting: nothing was sent. */
export const notConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** A receiver's answer to a notification, as it is stored: the body is cut. */
export type EndpointAnswer = Pick<AttemptView, 'status' | 'responseHeaders' | 'responseBody'>

/** The status alone decides; the body is stored for display, as far as it arrives. Never rejects. */
export function readEndpointAnswer(incoming: IncomingMessage): Promise<EndpointAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    const finish = () =>
      resolve(asAnswer(incoming, Buffer.concat(chunks).subarray(0, longestAnswer).toString()))
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
export const asAnswer = ({ statusCode, headers }: IncomingMessage, responseBody: string): EndpointAnswer => ({
  status: statusCode ?? null,
  responseHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  responseBody,
})

/** Tells that a receiver is unreachable, for the reason `gone`, or with null that it answers again. */
export const presenceText = (receiver: string, gone: string | null): string =>
  gone === null
    ? `${receiver} answers again`
    : `${receiver}: ${gone}; notifications wait, and follow in order`
