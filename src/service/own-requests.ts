import { randomUUID } from 'node:crypto'
import {
  type AnswerContext,
  type FormRequest,
  type HandlerResult,
  handleLogged,
  type TypedRequest,
} from '../answering/answer.ts'
import { Refusal } from '../contract/errors.ts'
import { mayBeFraction } from '../contract/fields.ts'
import { headerNames, sandboxHeaders, userAgents } from '../contract/headers.ts'
import { operations } from '../contract/operations.ts'
import { readerFor } from '../contract/records.ts'
import { readMembers } from '../http/body.ts'
import type { SeenRequest } from '../http/call.ts'
import { readOr } from '../read-or.ts'
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

/** Handles a request with the body that a person typed, whatever it is. Returns the trace id, by which the log has the answer. */
export async function handleTypedRequest(context: OwnContext, typed: TypedRequest): Promise<string> {
  const { text } = await send(context, { ...typed, appId: appIdIn(typed.body) })
  return JSON.parse(text).traceId
}

/** The application that a body names; empty where it names none. */
const appIdIn = (body: string): string => readOr('', () => String(JSON.parse(body)?.appId ?? ''))

interface ApplicationRequest extends TypedRequest {
  readonly appId: string
}

async function send(context: OwnContext, sent: ApplicationRequest): ReturnType<typeof handleLogged> {
  const { operation, baseUrl, body } = sent
  const clientRequestId = randomUUID()
  const { origin, pathname } = new URL(baseUrl)
  const { method, path } = operations[operation]
  const query = method === 'GET' ? bodyAsQuery(body) : ''
  const request: SeenRequest = {
    method,
    path,
    url: origin + path + query,
    basePath: pathname.replace(/\/$/, ''),
    headers: [...new Headers(headersAsClient(context, sent, clientRequestId))].flat(),
    address: '127.0.0.1',
    userAgent,
    hasLeft: () => false,
  }
  return handleLogged(context, request, operation, async (exchange) => {
    exchange.body = query === '' ? body : ''
    return handle(context, sent, clientRequestId)
  })
}

/** The members of a body as a query; empty for what is no JSON object. */
function bodyAsQuery(body: string): string {
  try {
    const members = Object.entries(readMembers({ text: body, isUtf8: true }).members)
    const memberText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
    return `?${new URLSearchParams(members.map(([name, value]) => [name, memberText(value)]))}`
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return '' // it is refused when it is handled
  }
}

async function handle(
  context: OwnContext,
  { operation, appId, outcome, baseUrl, body }: ApplicationRequest,
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
  return handleInput(context, request, readInput(context, request, sent))
}

/** The headers that a client would send, so that the request can be copied from the log. */
function headersAsClient(
  { clock, directory, options }: OwnContext,
  { appId, outcome }: ApplicationRequest,
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
