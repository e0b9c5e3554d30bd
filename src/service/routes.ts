import type { Hono } from 'hono'
import { sandboxHeaders } from '../contract/headers.ts'
import { type Operation, type OperationName, operationNames, operations } from '../contract/operations.ts'
import { readerOf } from '../contract/records.ts'
import { validate } from '../contract/validate.ts'
import type { MetFault } from '../faults/fault-rules.ts'
import { limitLength, membersOf, membersOfQuery } from '../http/body.ts'
import { type Call, type Env, headerOf, originOf } from '../http/call.ts'
import { type AnswerContext, addHeader, answer, type HandlerResult } from '../request-log/answer.ts'
import type { Exchange } from '../request-log/log-request.ts'
import { refusedAsOwn, refuseTarget } from '../webhooks/target.ts'
import type { ServiceContext } from './context.ts'
import { guardContentType, guardHeaders } from './guard.ts'
import { handlers } from './handlers.ts'
import { type FaultContext, faultOf, injectFault, refuseBefore } from './injected-fault.ts'
import type { RequestContext } from './request-context.ts'

/** What the routes of the service need. */
type RoutesContext = FaultContext & AnswerContext & { readonly port: number | null }

/** Serves each row of the operation table. `checkHost`: refuses a Host header that does not name the sandbox. */
export function serveOperations(
  app: Hono<Env>,
  context: RoutesContext,
  checkHost: ((call: Call) => unknown) | null,
): void {
  for (const name of operationNames) {
    const { method, otherMethod, path }: Operation = operations[name]
    const methods = otherMethod === undefined ? [method] : [method, otherMethod]
    app.on(methods, [path], async (call) => {
      const met: Met = { fault: null }
      const response = await answer(context, call, name, async (exchange) => {
        checkHost?.(call)
        return serve(context, call, name, exchange, met)
      })
      return met.fault === null ? response : injectFault(call, response, met.fault)
    })
  }
}

/** The fault that a request meets, once that is known. */
interface Met {
  fault: MetFault | null
}

/** No SDK sends it on GET, so it is only noted. assumption: content-type */
const noContentType = 'Content-Type: is missing, though the specification asks for it on every request'

/** The order of handling. assumption: order-of-handling */
async function serve(
  context: RoutesContext,
  call: Call,
  name: OperationName,
  exchange: Exchange,
  met: Met,
): Promise<HandlerResult> {
  const { directory, options, clock, port } = context
  await limitLength(call)
  const authenticated = guardHeaders(call, directory, clock.wall())
  const hasBody = call.req.method === 'POST'
  if (hasBody || options.strict) guardContentType(call, options.strict)
  const body = hasBody ? await call.req.text() : ''
  exchange.body = body
  const members = hasBody ? membersOf(body) : membersOfQuery(call)
  const { input, notes } = validate(operations[name], members, options.strict)
  refuseOwnAddress(port, input)
  met.fault = faultOf(context, authenticated, name, input)
  if (met.fault !== null) {
    exchange.fault = met.fault.written
    refuseBefore(call, exchange, met.fault)
  }
  const reader = readerOf(options.dialect, headerOf(call, 'user-agent'))
  const fault = met.fault?.fault ?? null
  const request = {
    ...authenticated,
    operation: name,
    input,
    body,
    reader,
    fault,
    origin: () => originOf(call),
  }
  const handle = handlers[name] as (
    context: ServiceContext,
    request: RequestContext,
  ) => Promise<HandlerResult> | HandlerResult
  const result = await handle(context, request as RequestContext)
  const all = notes.length === 0 ? result.notes : [...notes, ...result.notes]
  if (all.length > 0) addHeader(call, exchange, sandboxHeaders.note, all.join('; '))
  const hasType = hasBody || headerOf(call, 'content-type') !== undefined
  if (hasType && all === result.notes) return result
  return { ...result, notes: hasType ? all : [...all, noContentType] }
}

/** Members that name where notifications go. */
const targets = ['notifyUrl', 'terminalEventNotifyUrl'] as const

/** A notification to the sandbox itself is refused when it is asked for. assumption: webhook-targets. Errors: C17. */
function refuseOwnAddress(port: number | null, input: object): void {
  for (const name of targets) {
    const url = (input as Partial<Record<typeof name, unknown>>)[name]
    if (typeof url === 'string') refuseTarget(name, refusedAsOwn(new URL(url), port))
  }
}
