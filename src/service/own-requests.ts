import { randomUUID } from 'node:crypto'
import { type AnswerContext, carryOut, type HandlerResult, type OwnRequest } from '../answering/answer.ts'
import { headerNames, sandboxHeaders } from '../contract/headers.ts'
import { operations } from '../contract/operations.ts'
import { readerOf } from '../contract/records.ts'
import { membersOf } from '../http/body.ts'
import type { SeenRequest } from '../http/call.ts'
import { outcomeOf } from './guard.ts'
import type { ServiceContext } from './request-context.ts'
import { handleMembers } from './routes.ts'

type OwnContext = ServiceContext & AnswerContext

/** User-Agent of these requests in the request log. */
const userAgent = 'tillbox-dashboard'

/**
 * Handles a request of a page by the rules of the service, and logs it. API keys, allow-lists and faults do not apply:
 * they are for clients. assumption: dashboard-payments. Errors: the Refusal of the request.
 */
export async function carryOutOwn(context: OwnContext, own: OwnRequest): Promise<HandlerResult> {
  const { operation, appId, merchantId, baseUrl, members } = own
  const body = JSON.stringify({ appId, merchantId, ...members })
  const clientRequestId = randomUUID()
  const { origin, pathname } = new URL(baseUrl)
  const { path } = operations[operation]
  const request: SeenRequest = {
    ...{ method: 'POST', path, url: origin + path },
    basePath: pathname.replace(/\/$/, ''),
    headers: [...new Headers(headersOf(context, own, clientRequestId))].flat(),
    ...{ address: '127.0.0.1', userAgent, hasLeft: () => false },
  }
  const { result, exchange } = await carryOut(context, request, operation, async (exchange) => {
    exchange.body = body
    return handle(context, own, body, clientRequestId)
  })
  return result ?? Promise.reject(exchange.refusal)
}

async function handle(
  context: OwnContext,
  { operation, appId, outcome, baseUrl }: OwnRequest,
  body: string,
  clientRequestId: string,
): Promise<HandlerResult> {
  const { clock, directory, catalogue, options } = context
  const request = {
    application: directory.applicationNamed(appId) ?? directory.defaultApplication,
    clientRequestId,
    outcome: options.extras ? outcomeOf(outcome ?? undefined, catalogue) : null,
    faultHeader: null,
    fault: null,
    operation,
    receivedAt: clock.wall(),
    body,
    input: null,
    reader: readerOf(options.dialect, userAgent),
    baseUrl: () => baseUrl,
  }
  return handleMembers(context, request, membersOf({ text: body, isUtf8: true }), () => undefined)
}

/** The headers that a client would send, so that the request can be copied from the log. */
function headersOf(
  { clock, directory, options }: OwnContext,
  { appId, outcome }: OwnRequest,
  clientRequestId: string,
): Record<string, string> {
  const application = directory.applicationNamed(appId) ?? directory.defaultApplication
  const key = directory.currentKey(application)
  return {
    ...(key !== undefined && { [headerNames.authorization]: `Bearer ${key}` }),
    [headerNames.contentType]: 'application/json',
    [headerNames.clientRequestId]: clientRequestId,
    [headerNames.timestamp]: String(clock.wall()),
    'User-Agent': userAgent,
    ...(outcome !== null && options.extras && { [sandboxHeaders.outcome]: outcome }),
  }
}
