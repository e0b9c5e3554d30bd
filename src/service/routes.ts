import type { Hono } from 'hono'
import { type AnswerContext, addHeader, answer, type HandlerResult } from '../answering/answer.ts'
import { rejectField } from '../contract/errors.ts'
import { mayBeFraction } from '../contract/fields.ts'
import { sandboxHeaders } from '../contract/headers.ts'
import {
  isLookUp,
  type OperationName,
  operationNames,
  operationRow,
  operations,
} from '../contract/operations.ts'
import { readerFor, sdkOf } from '../contract/records.ts'
import type { Fault } from '../contract/sandbox/faults.ts'
import { type Members, validateRequest } from '../contract/validate.ts'
import type { InjectedFault } from '../faults/fault-rules.ts'
import { bodyToLog, limitLength, membersOfQuery, parseMembers, readBody } from '../http/body.ts'
import { type Call, type Env, headerOf, sharedBaseUrlOf } from '../http/call.ts'
import type { LoggedExchange } from '../request-log/log-request.ts'
import { type JsonOddity, jsonOddities } from '../text/json-oddities.ts'
import { refusedAsOwn, refuseTarget } from '../webhooks/webhook-target.ts'
import { type AuthenticatedCall, guardHeaders, notesOnHeaders } from './guard.ts'
import { handlers } from './handlers.ts'
import { notesOnIgnored } from './ignored-members.ts'
import { type FaultContext, findFault, injectFault, refuseBefore } from './injected-fault.ts'
import { withoutExtras } from './make-answers.ts'
import type { RequestContext, ServiceContext } from './request-context.ts'
import { type GuardedRequest, usingUpId } from './used-ids.ts'

type ServiceRoutesContext = FaultContext & AnswerContext

/** Serves each row of the operation table. `checkHost`: refuses a Host header that does not name the sandbox. */
export function serveOperations(
  app: Hono<Env>,
  context: ServiceRoutesContext,
  checkHost: ((call: Call) => unknown) | null,
): void {
  const warn = dialectWarner(context.options)
  for (const name of operationNames) {
    const { method, otherMethod, path } = operationRow(name)
    const methods = otherMethod === undefined ? [method] : [method, otherMethod]
    app.on(methods, [path], async (call) => {
      const requestFault: RequestFault = { fault: null }
      const response = await answer(context, call, name, (exchange) => {
        checkHost?.(call)
        warn(call)
        return serve(context, call, name, exchange, requestFault)
      })
      return requestFault.fault === null ? response : injectFault(call, response, requestFault.fault)
    })
  }
}

/** The fault that hits a request; set once its members are read. */
interface RequestFault {
  fault: InjectedFault | null
}

/** Only noted on GET, where no SDK sends Content-Type. assumption: header-forms */
const noContentType = 'Content-Type: is missing, though the specification asks for it on every request'

/** Maximum number of members in the URL of a POST that are named. */
const mostNamed = 10

/** Most characters of the header with notes: clients refuse long headers. */
const longestNote = 4_096

/** Handles a request in the documented order. assumption: order-of-handling */
async function serve(
  context: ServiceRoutesContext,
  call: Call,
  name: OperationName,
  exchange: LoggedExchange,
  met: RequestFault,
): Promise<HandlerResult> {
  const { options, clock } = context
  limitLength(call)
  const receivedAt = clock.wall()
  const hasBody = call.req.method === 'POST'
  let authenticated: AuthenticatedCall
  try {
    authenticated = guardHeaders(call, name, context, hasBody, options)
  } catch (error) {
    if (hasBody) exchange.body = await bodyToLog(call) // the log keeps a short body, too
    throw error
  }
  const read = hasBody ? readBody(call) : null
  const body = read instanceof Promise ? await read : read
  exchange.body = body?.text ?? ''
  const request: OpenRequest = {
    application: authenticated.application,
    clientRequestId: authenticated.clientRequestId,
    outcome: authenticated.outcome,
    faultHeader: authenticated.faultHeader,
    traceparent: authenticated.traceparent,
    fault: null,
    operation: name,
    receivedAt,
    body: exchange.body,
    input: null,
    reader: readerFor(options.dialect, headerOf(call, 'user-agent')),
    baseUrl: () => sharedBaseUrlOf(call),
  }
  const meetFault = (input: object) => {
    const injected = findFault(context, request, name, input)
    met.fault = injected
    if (injected === null) return
    exchange.fault = injected.written
    request.fault = injected.fault
    refuseBefore(exchange, injected, request.faultHeader !== null)
  }
  let unread: readonly string[] = []
  const handle = () => {
    const twice = new Set<string>()
    const query = membersOfQuery(call, twice)
    const odd = [...twice].slice(0, mostNamed).map(inUrlTwice)
    if (body === null) return handleMembers(context, request, query, meetFault, odd)
    unread = Object.keys(query).slice(0, mostNamed)
    return handleMembers(context, request, parseMembers(body), meetFault)
  }
  // A look-up never uses up its X-Client-Request-Id, not even one sent as POST.
  const { data, replayed, notes } = await (isLookUp(name) ? handle() : usingUpId(context, request, handle))
  const onHeaders = notesOnHeaders(call, request, hasBody, options)
  const onQuery = unread.map(
    (name) => `${name.slice(0, 64)}: is ignored in the URL; a POST has its fields in the body`,
  )
  const all = onHeaders.length + onQuery.length === 0 ? notes : [...onHeaders, ...onQuery, ...notes]
  const note = all.join('; ').slice(0, longestNote)
  if (note !== '' && options.extras) addHeader(exchange, sandboxHeaders.note, note)
  const hasType = hasBody || headerOf(call, 'content-type') !== undefined
  const sent = options.extras ? data : withoutExtras(name, data)
  return { data: sent, replayed: replayed === true, notes: hasType ? all : [...all, noContentType] }
}

/** A request whose members are not validated yet. */
type OpenRequest = Omit<RequestContext, 'input' | 'fault'> & GuardedRequest & { fault: Fault | null }

const inUrlTwice = (name: string) => ({
  field: name.slice(0, 64),
  reason: 'is in the URL twice, and the first one counts',
})

/** Handles the members of a request: schema, injected faults, duplicates, rules. Errors: Refusal. */
export function handleMembers(
  context: ServiceContext,
  request: OpenRequest,
  members: Members,
  meetFault: (input: object) => void,
  odd: readonly JsonOddity[] = jsonOddities(request.body, members, mayBeFraction),
): Promise<HandlerResult> | HandlerResult {
  const { operation } = request
  const { strict } = context.options
  if (strict && odd[0] !== undefined) rejectField(odd[0].field, odd[0].reason)
  const { input, notes: unknown } = validateRequest(operations[operation], members, strict)
  const notes = [...odd.map(({ field, reason }) => `${field}: ${reason}`), ...unknown]
  request.input = input
  refuseOwnAddress(context, input)
  meetFault(input)
  const handle = handlers[operation] as (
    context: ServiceContext,
    request: RequestContext,
  ) => Promise<HandlerResult> | HandlerResult
  const result = handle(context, request as RequestContext)
  const ignored = notesOnIgnored(operation, input)
  return notes.length + ignored.length === 0 ? result : withNotes([...notes, ...ignored], result)
}

/** A result with notes before its own. */
async function withNotes(notes: readonly string[], pendingResult: Promise<HandlerResult> | HandlerResult) {
  const result = await pendingResult
  return { ...result, notes: [...notes, ...result.notes] }
}

/** Members with a URL for notifications. */
const targets = ['notifyUrl', 'terminalEventNotifyUrl'] as const

/** Refuses a request whose notifications would go to the sandbox itself. assumption: webhook-targets. Errors: C17. */
function refuseOwnAddress({ webhookLimits }: Pick<ServiceContext, 'webhookLimits'>, input: object): void {
  for (const name of targets) {
    const url = (input as Partial<Record<typeof name, unknown>>)[name]
    if (typeof url === 'string') refuseTarget(name, refusedAsOwn(new URL(url), webhookLimits))
  }
}

/** Warns once when an SDK calls a sandbox with the dialect `spec`, which no SDK can read. assumption: dialect */
function dialectWarner({ dialect, report }: AnswerContext['options']): (call: Call) => void {
  let isDue = dialect === 'spec'
  return (call) => {
    if (!isDue) return
    const sdk = sdkOf(headerOf(call, 'user-agent'))
    if (sdk === undefined) return
    isDue = false
    report(
      `${sdk} calls, but the dialect spec answers without what it reads: amounts inside amount, and batchNo as text. ` +
        'Start with --set dialect=auto',
    )
  }
}
