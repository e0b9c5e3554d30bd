import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isReading } from '../../access/token-registry.ts'
import { errorTable, type Refusal } from '../../contract/errors.ts'
import { lookUpRefusal, refused } from '../../http/envelope.ts'
import type { FaultAnswers } from '../../http/http-faults.ts'

/** Seconds after which a client may send its request again; a page reloads by itself then. */
const soon = 1

/** Answers a request that reaches no sandbox: with a page to a browser, with an envelope to any other client. */
export async function refuse(
  { method, headers }: IncomingMessage,
  outgoing: ServerResponse,
  thrown: Refusal,
  { newTraceId, extras }: FaultAnswers,
): Promise<void> {
  const isLook = isReading(method ?? '')
  const refusal = isLook ? lookUpRefusal(thrown) : thrown
  const { code, detail, message } = refusal
  const { status } = errorTable[code]
  const later: OutgoingHttpHeaders = status === 503 ? { 'Retry-After': soon } : {}
  if (status === 503 && headers.accept?.includes('text/html')) {
    const { outagePolicy, renderOutage } = await import('../../pages/serving/refusal-page.tsx')
    outgoing.writeHead(status, {
      ...later,
      ...(isLook && { Refresh: soon }),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': outagePolicy,
      'Cache-Control': 'no-store',
    })
    outgoing.end(renderOutage(detail ?? message, isLook))
    return
  }
  outgoing.writeHead(status, { ...later, 'Content-Type': 'application/json' })
  outgoing.end(JSON.stringify(refused(newTraceId(), refusal, !extras)))
}
