import { randomUUID } from 'node:crypto'
import { mayBeFraction } from '../../contract/fields.ts'
import { headerNames, sandboxHeaders, userAgents } from '../../contract/headers.ts'
import { operations } from '../../contract/operations.ts'
import { readerFor } from '../../contract/records.ts'
import {
  type AnswerContext,
  type FormRequest,
  type HandlerResult,
  handleLogged,
} from '../answering/answer.ts'
import { readMembers } from '../http/body.ts'
import type { SeenRequest } from '../http/call.ts'
import { parseOutcome } from './guard.ts'
import type { ServiceContext } from './request-context.ts'
import { handleInput, readInput } from './routes.ts'

type OwnContext = ServiceContext & AnswerContext

/** User-Agent of these requests in the request log. */
const userAgent = userAgents.dashboard

/**
 * Handles a request of a page by the rules of the service, and logs it. API keys, allow-lists and faults do not apply:
 * they are for clients. assumption: page-requests. Errors: the Refusal of the request.
 */
export async function handleFormRequest(context: OwnContext, form: FormRequest): Promise<HandlerResult> {
  const { members, ...rest } = form
  const body = JSON.stringify({ appId: form.appId, merchantId: form.merchantId, ...members })
  const { result, exchange } = await send(context, { ...rest, body })
  return result ?? Promise.reject(exchange.refusal)
}

interface OwnRequest extends Omit<FormRequest, 'merchantId' | 'members'> {
  readonly body: string
}

async function send(context: OwnContext, sent: OwnRequest): ReturnType<typeof handleLogged> {
  const { operation, baseUrl, body } = sent
  const clientRequestId = randomUUID()
  const { origin, pathname } = new URL(baseUrl)
  const { method, path } = operations[operation]
  const request: SeenRequest = {
    method,
    path,
    url: origin + path,
    basePath: pathname.replace(/\/$/, ''),
    headers: [...new Headers(headersAsClient(context, sent, clientRequestId))].flat(),
    address: '127.0.0.1',
    userAgent,
    hasLeft: () => false,
  }
  return handleLogged(context, request, operation, async (exchange) => {
    exchange.body = body
    return handle(context, sent, clientRequestId)
  })
}

async function handle(
  context: OwnContext,
  { operation, appId, outcome, baseUrl, body }: OwnRequest,
  clientRequestId: string,
): Promise<HandlerResult> {
  const { clock, directory, catalogue, options } = context
  const request = {
    application: directory.applicationNamed(appId) ?? directory.defaultApplication,
    clientRequestId,
    outcome: options.extras ? parseOutcome(outcome ?? undefined, catalogue) : null,
    faultHeader: null,
    fault: null,
    operation,
    receivedAt: clock.wall(),
    body,
    input: null,
    reader: readerFor(options.dialect, userAgent),
    baseUrl: () => baseUrl,
  }
  const sent = readMembers({ text: body, isUtf8: true }, mayBeFraction)
  const noted = readInput(context, request, sent)
  const result = await handleInput(context, request)
  return { ...result, notes: [...noted, ...result.notes] }
}

/** The headers that a client would send, so that the request can be copied from the log. */
function headersAsClient(
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
