import { randomUUID } from 'node:crypto'
import { headerNames, sandboxHeaders, userAgents } from '../../contract/headers.ts'
import { operations } from '../../contract/operations.ts'
import { readerFor } from '../../contract/records.ts'
import type { Members } from '../../contract/validate.ts'
import { hasReference } from '../../domain/rules/originals.ts'
import {
  type AnswerContext,
  type FormRequest,
  type HandlerResult,
  handleLogged,
} from '../answering/answer.ts'
import type { SeenRequest } from '../http/call.ts'
import { refuseCardData } from '../http/card-data.ts'
import { parseOutcome } from './guard.ts'
import type { ServiceContext } from './request-context.ts'
import { handleInput, readInput } from './routes.ts'

type OwnContext = ServiceContext & AnswerContext

/** User-Agent of these requests in the request log. */
const userAgent = userAgents.dashboard

/**
 * Handles a request of a page by the rules of the service, and logs it. API keys, allow-lists and faults do
 * not apply: they are for clients. assumption: page-requests
 */
export async function handleFormRequest(context: OwnContext, form: FormRequest): Promise<HandlerResult> {
  const { operation, baseUrl } = form
  const clientRequestId = randomUUID()
  const { origin, pathname } = new URL(baseUrl)
  const { method, path } = operations[operation]
  const request: SeenRequest = {
    method,
    path,
    url: origin + path,
    basePath: pathname.replace(/\/$/, ''),
    headers: [...new Headers(headersAsClient(context, form, clientRequestId))].flat(),
    address: '127.0.0.1',
    userAgent,
    hasLeft: () => false,
  }
  const { result, exchange } = await handleLogged(context, request, operation, async (exchange) => {
    const members: Members = { appId: form.appId, merchantId: form.merchantId, ...form.members }
    exchange.body = JSON.stringify(members) // as a client would send it
    exchange.hasOriginal = hasReference(members)
    refuseCardData(exchange.body)
    return handle(context, form, members, clientRequestId, exchange.body)
  })
  return result ?? Promise.reject(exchange.refusal)
}

async function handle(
  context: OwnContext,
  { operation, appId, outcome, baseUrl }: FormRequest,
  members: Members,
  clientRequestId: string,
  body: string,
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
  const noted = readInput(context, request, { members, odd: [] })
  const result = await handleInput(context, request)
  return { ...result, notes: [...noted, ...result.notes] }
}

/** The headers that a client would send, so that the request can be copied from the log. */
function headersAsClient(
  { clock, directory, options }: OwnContext,
  { appId, outcome }: FormRequest,
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
