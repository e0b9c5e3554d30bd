import type { Hono } from 'hono'
import { rejectField } from '../../contract/errors.ts'
import { mayBeFraction } from '../../contract/fields.ts'
import { sandboxHeaders } from '../../contract/headers.ts'
import {
  isLookUp,
  type OperationName,
  operationNames,
  operationRow,
  operations,
} from '../../contract/operations.ts'
import { readerFor } from '../../contract/records.ts'
import { validateRequest } from '../../contract/validate.ts'
import { hasReference } from '../../domain/rules/originals.ts'
import { type AnswerContext, addHeader, answer, type HandlerResult } from '../answering/answer.ts'
import {
  type Body,
  bodyToLog,
  limitLength,
  membersOfQuery,
  mostNamed,
  readBody,
  readMembers,
  type SentMembers,
} from '../http/body.ts'
import { type Call, type Env, headerOf, sharedBaseUrlOf } from '../http/call.ts'
import type { LoggedExchange } from '../request-log/log-request.ts'
import { refusedAsOwn, refuseTarget } from '../webhooks/webhook-target.ts'
import { guardHeaders, notesOnHeaders } from './guard.ts'
import { handlers } from './handlers.ts'
import { notesOnIgnored } from './ignored-members.ts'
import { countingHostFault, type FaultContext, injectFault, meetFault } from './injected-fault.ts'
import { withoutExtras } from './make-answers.ts'
import type { GuardedRequest, OperationHandler, RequestContext, ServiceContext } from './request-context.ts'
import { usingUpId } from './used-ids.ts'

type ServiceRoutesContext = FaultContext & AnswerContext

/** Serves each row of the operation table. `checkHost`: refuses a Host that does not name the sandbox. */
export function serveOperations(
  app: Hono<Env>,
  context: ServiceRoutesContext,
  checkHost: ((call: Call) => unknown) | null,
): void {
  for (const name of operationNames) {
    const { method, otherMethod, path } = operationRow(name)
    const methods = otherMethod === undefined ? [method] : [method, otherMethod]
    app.on(methods, [path], async (call) => {
      const response = await answer(context, call, name, (exchange) => {
        checkHost?.(call)
        return serve(context, call, name, exchange)
      })
      const injected = call.get('injectedFault')
      return injected === undefined ? response : injectFault(context, call, response, injected)
    })
  }
}

/** Most characters of the header with notes: clients refuse long headers. */
const longestNote = 4_096

/** Handles a request in the documented order. assumption: order-of-handling */
async function serve(
  context: ServiceRoutesContext,
  call: Call,
  name: OperationName,
  exchange: LoggedExchange,
): Promise<HandlerResult> {
  const { options } = context
  const hasBody = call.req.method === 'POST'
  let request: OpenRequest
  try {
    request = guardRequest(context, call, name, hasBody)
  } catch (error) {
    if (hasBody) exchange.body = await bodyToLog(call)
    throw error
  }
  const body = hasBody ? await readBody(call) : null
  request.body = body?.text ?? ''
  exchange.body = request.body
  let noted: readonly string[] = []
  const handle = () => {
    const sent = membersOf(call, body)
    exchange.hasOriginal = hasReference(sent.members)
    noted = readInput(context, request, sent)
    request.fault = meetFault(context, call, request, exchange)
    const act = () => handleInput(context, request)
    return request.fault === null ? act() : countingHostFault(call, exchange, act)
  }
  const showNotes = (notes: readonly string[]) => {
    const note = notes.join('; ').slice(0, longestNote)
    if (note !== '' && options.extras) addHeader(exchange, sandboxHeaders.note, note)
  }
  let result: HandlerResult
  try {
    // A look-up never uses up its X-Client-Request-Id, not even one sent as POST.
    result = await (isLookUp(name) ? handle() : usingUpId(context, request, handle))
  } catch (error) {
    showNotes(noted)
    throw error
  }
  const notes = [...notesOnHeaders(call, request, hasBody, options), ...noted, ...result.notes]
  showNotes(notes)
  // Only noted on GET, where no SDK sends it. assumption: header-forms
  if (!hasBody && headerOf(call, 'content-type') === undefined)
    notes.push('Content-Type: is missing, though the specification asks for it on every request')
  const data = options.extras ? result.data : withoutExtras(name, result.data)
  return { data, replayed: result.replayed === true, notes }
}

/** A request whose members are not validated yet, and whose fault is not chosen. */
type OpenRequest = Omit<RequestContext, 'input' | 'fault' | 'body'> &
  GuardedRequest & { fault: RequestContext['fault']; body: string }

/** Checks the headers. The members are named one by one: after a spread, each one takes a microsecond. */
function guardRequest(
  context: ServiceRoutesContext,
  call: Call,
  operation: OperationName,
  hasBody: boolean,
): OpenRequest {
  const { clock, options } = context
  limitLength(call)
  const headers = guardHeaders(call, operation, context, hasBody, options)
  return {
    application: headers.application,
    clientRequestId: headers.clientRequestId,
    outcome: headers.outcome,
    faultHeader: headers.faultHeader,
    traceparent: headers.traceparent,
    operation,
    receivedAt: clock.wall(),
    body: '',
    input: null,
    fault: null,
    reader: readerFor(options.dialect, headerOf(call, 'user-agent')),
    baseUrl: () => sharedBaseUrlOf(call),
  }
}

function membersOf(call: Call, body: Body | null): SentMembers & { readonly notes?: readonly string[] } {
  const query = membersOfQuery(call)
  if (body === null) return query
  const ignored = 'is ignored in the URL; a POST has its fields in the body'
  const names = Object.keys(query.members).slice(0, mostNamed)
  const notes = names.map((name) => `${name.slice(0, 64)}: ${ignored}`)
  const { members, odd } = readMembers(body, mayBeFraction)
  return { members, odd, notes }
}

/**
 * Validates the members of a request into its `input`; what is odd is refused when strict, otherwise noted.
 * Returns notes for the request log.
 */
export function readInput(
  context: ServiceContext,
  request: OpenRequest,
  { members, odd, notes = [] }: ReturnType<typeof membersOf>,
): readonly string[] {
  const { operation } = request
  const { strict } = context.options
  if (strict && odd[0] !== undefined) rejectField(odd[0].field, odd[0].reason)
  const { input, notes: unknown } = validateRequest(operations[operation], members, strict)
  request.input = input
  refuseOwnAddress(context, input)
  const oddities = odd.map(({ field, reason }) => `${field}: ${reason}`)
  return [...notes, ...oddities, ...unknown, ...notesOnIgnored(operation, input)]
}

/** Handles a request whose input was read. */
export function handleInput(
  context: ServiceContext,
  request: OpenRequest,
): Promise<HandlerResult> | HandlerResult {
  const handle = handlers[request.operation] as OperationHandler<OperationName>
  return handle(context, request as RequestContext)
}

/** Members with a URL for notifications. */
const targets = ['notifyUrl', 'terminalEventNotifyUrl'] as const

/** Refuses a request whose notifications would go to the sandbox itself. assumption: webhook-targets */
function refuseOwnAddress({ webhookLimits }: Pick<ServiceContext, 'webhookLimits'>, input: object): void {
  for (const name of targets) {
    const url = (input as Partial<Record<typeof name, unknown>>)[name]
    if (typeof url === 'string') refuseTarget(name, refusedAsOwn(new URL(url), webhookLimits))
  }
}
