import { Hono } from 'hono'
import { errorTable, type Refusal, reject } from '../contract/errors.ts'
import { sandboxHeaders } from '../contract/headers.ts'
import { type Operation, type OperationName, operationNames, operations } from '../contract/operations.ts'
import { type AnsweredControl, controls, type StreamName } from '../contract/sandbox/controls.ts'
import { hiddenMark } from '../contract/sandbox/request-log.ts'
import { validate } from '../contract/validate.ts'
import { controlHandlers, controlStreams } from '../control/controls.ts'
import { membersOf, refuseCardData } from '../http/body.ts'
import {
  type Call,
  type Env,
  guardContentType,
  guardHeaders,
  guardLength,
  headerOf,
  isChunked,
  limitChunks,
  originOf,
} from '../http/call.ts'
import { accepted, type HttpStatusMode, refusalOf, refused, statusOfRefusal } from '../http/envelope.ts'
import { refuseAtDoor } from '../http/host.ts'
import { guardHost, guardOrigin } from '../http/origin.ts'
import { wantToken } from '../http/token.ts'
import { looksForPage, servePages, showNoSuchPage, showRefusal, showTokenWanted } from '../pages/routes.ts'
import { readerOf } from '../records/record.ts'
import { type Kept, logRequest } from '../request-log/log-request.ts'
import { handlers } from '../service/handlers.ts'
import type { HandlerResult, RequestContext } from '../service/request-context.ts'
import { elapsedTime } from '../timers.ts'
import { refusedAsOwn, refuseTarget } from '../webhooks/target.ts'
import type { Sandbox } from './sandbox.ts'

/** Paths that are asked for but not served, and what to use instead. */
const otherPaths: Readonly<Record<string, string>> = {
  '/api/v1/payments/refund':
    'refunds are POST /v1/semi-integration/transaction/refund (in person) and POST /v1/checkout/refund (online)',
}

/**
 * The service over HTTP: a route for each row of the operation table, and the control interface. `host`: the address it
 * is bound to; `forOthers`: that others on the network reach it by, under names that it cannot know. assumption: host-check
 */
export function createApp(sandbox: Sandbox, host = '127.0.0.1', forOthers = false) {
  const app = new Hono<Env>()
  app.use(
    '*',
    refuseAtDoor((call, refusal) =>
      looksForPage(call)
        ? showRefusal(sandbox, call, host, refusal)
        : answer(sandbox, call, null, () => Promise.reject(refusal)),
    ),
  )
  const { token } = sandbox.options
  if (token !== null)
    app.use(
      '*',
      wantToken(token, (call) => refuseWithoutToken(sandbox, call)),
    )
  for (const name of operationNames) {
    const { method, otherMethod, path }: Operation = operations[name]
    const methods = otherMethod === undefined ? [method] : [method, otherMethod]
    app.on(methods, [path], (call) =>
      answer(sandbox, call, name, async (kept) => {
        if (!forOthers) guardHost(call, host)
        return serve(sandbox, call, name, kept)
      }),
    )
  }
  for (const [name, { method, path }] of Object.entries(controls))
    app.on(method, path, (call) =>
      name in controlStreams
        ? stream(sandbox, call, name as StreamName, host)
        : answer(sandbox, call, null, (kept) => control(sandbox, call, name as AnsweredControl, host, kept)),
    )
  servePages(app, sandbox, host)
  app.notFound((call) =>
    looksForPage(call)
      ? showNoSuchPage(sandbox, call, host)
      : answer(sandbox, call, null, async () => refusePath(call.req.path)),
  )
  return app
}

/** Pages say it on a page, everything else in an envelope. */
async function refuseWithoutToken(sandbox: Sandbox, call: Call): Promise<Response> {
  const isPage = (headerOf(call, 'accept') ?? '').includes('text/html')
  const refused = await answer(sandbox, call, null, async () => reject('SBX_TOKEN', { field: 'token' }))
  return isPage ? showTokenWanted(call) : refused
}

/** No SDK sends it on GET, so it is only noted. assumption: content-type */
const noContentType = 'Content-Type: is missing, though the specification asks for it on every request'

/** The order of handling. assumption: order-of-handling */
async function serve(sandbox: Sandbox, call: Call, name: OperationName, kept: Kept): Promise<HandlerResult> {
  const operation = operations[name]
  const { directory, options, clock } = sandbox
  if (isChunked(call)) await limitChunks(call)
  else guardLength(call)
  const passed = guardHeaders(call, directory, clock.wall())
  const hasBody = call.req.method === 'POST'
  if (hasBody || options.strict) guardContentType(call, options.strict)
  const body = hasBody ? await call.req.text() : ''
  kept.body = body
  const members = hasBody ? membersOf(body) : queryOf(call)
  const { input, notes } = validate(operation, members, options.strict)
  refuseOwnAddress(sandbox, input)
  const reader = readerOf(options.dialect, headerOf(call, 'user-agent'))
  const context = {
    ...passed,
    operation: name,
    input,
    body,
    reader,
    origin: () => originOf(call),
  } as RequestContext
  const handle = handlers[name] as (
    sandbox: Sandbox,
    context: RequestContext,
  ) => Promise<HandlerResult> | HandlerResult
  const handled = await handle(sandbox, context)
  const told = notes.length === 0 ? handled.notes : [...notes, ...handled.notes]
  if (told.length > 0) tell(call, kept, sandboxHeaders.note, printable(told.join('; ')))
  const typed = hasBody || headerOf(call, 'content-type') !== undefined
  if (typed && told === handled.notes) return handled
  return { ...handled, notes: typed ? told : [...told, noContentType] }
}

/** Members that name where notifications go. */
const targets = ['notifyUrl', 'terminalEventNotifyUrl'] as const

/** A notification to the sandbox itself is refused when it is asked for. assumption: webhook-targets. Errors: C17. */
function refuseOwnAddress({ port }: Sandbox, input: object): void {
  for (const name of targets) {
    const url = (input as Partial<Record<typeof name, unknown>>)[name]
    if (typeof url === 'string') refuseTarget(name, refusedAsOwn(new URL(url), port))
  }
}

/** The members of a GET. Errors: SBX_CARD_DATA. */
function queryOf(call: Call): Record<string, string> {
  const members = call.req.query()
  refuseCardData(JSON.stringify(members))
  return members
}

async function stream(sandbox: Sandbox, call: Call, name: StreamName, host: string): Promise<Response> {
  try {
    guardOrigin(call, host)
    return controlStreams[name](sandbox, call)
  } catch (error) {
    return answer(sandbox, call, null, () => Promise.reject(error), 'rest') // HTTP 200 would be a stream
  }
}

async function control(
  sandbox: Sandbox,
  call: Call,
  name: AnsweredControl,
  host: string,
  kept: Kept,
): Promise<HandlerResult> {
  if (isChunked(call)) await limitChunks(call)
  else guardLength(call)
  guardOrigin(call, host)
  const row = controls[name]
  const hasBody = row.method !== 'GET' && Object.keys(row.input.entries).length > 0
  if (hasBody) kept.body = await call.req.text()
  const members = hasBody ? membersOf(kept.body || '{}') : queryOf(call)
  const { input } = validate(row, members, true)
  const handle = controlHandlers[name] as (
    sandbox: Sandbox,
    input: object,
    call: Call,
  ) => Promise<object> | object
  return { data: await handle(sandbox, input, call), notes: [] }
}

/** Errors: SBX_NO_PATH, or SBX_METHOD with what the path takes. */
function refusePath(path: string): never {
  const allowed = methodsOf(path)
  if (allowed.length > 0) reject('SBX_METHOD', { field: 'method', detail: allowed.join(', ') })
  reject('SBX_NO_PATH', { field: 'path', detail: otherPaths[path] ?? nearestPath(path) })
}

function methodsOf(path: string): string[] {
  const own = operationNames
    .map((name): Operation => operations[name])
    .filter((operation) => operation.path === path)
  const pattern = (row: { path: string }) => new RegExp(`^${row.path.replace(/:\w+/g, '[^/]+')}$`)
  const control = Object.values(controls).filter((row) => pattern(row).test(path))
  const also = own.flatMap(({ otherMethod }) => otherMethod ?? [])
  return [...new Set([...[...own, ...control].map(({ method }) => method), ...also])]
}

const nearestPath = (path: string): string | undefined => {
  const last = path.split('/').at(-1)
  const name = operationNames.find((candidate) => candidate === last)
  return name && `${operations[name].method} ${operations[name].path} is the path of ${name}`
}

/** Carries out one request, turns what comes of it into an answer, and logs it. */
async function answer(
  sandbox: Sandbox,
  call: Call,
  operation: OperationName | null,
  handle: (kept: Kept) => Promise<HandlerResult>,
  statuses: HttpStatusMode = sandbox.options.httpStatus,
): Promise<Response> {
  const started = elapsedTime()
  const traceId = sandbox.identifiers.traceId()
  const kept: Kept = { operation, body: '', answer: '', answerHeaders: noHeaders, refusal: null }
  sandbox.running += 1
  try {
    refuseCardData(call.req.path)
    const { data, notes, replayed } = await handle(kept)
    if (replayed) tell(call, kept, sandboxHeaders.replayed, 'true')
    kept.answer = JSON.stringify(accepted(traceId, data))
    const response = send(sandbox, call, 200, kept.answer)
    if (operation === null && tellsSecret(call.req.path)) kept.answer = hiddenMark
    logRequest(sandbox, call, 200, '0', traceId, started, notes, kept)
    return response
  } catch (error) {
    const refusal = refusalOf(error, sandbox, call, traceId)
    const status = statusOfRefusal(refusal, statuses)
    if (refusal.code === 'SBX_METHOD') tell(call, kept, 'Allow', refusal.detail ?? '')
    const reader = readerOf(sandbox.options.dialect, headerOf(call, 'user-agent'))
    kept.answer = JSON.stringify(refused(traceId, refusal, reader))
    kept.refusal = refusal
    logRequest(sandbox, call, status, refusal.code, traceId, started, notesOf(refusal), kept)
    return send(sandbox, call, status, kept.answer)
  } finally {
    sandbox.running -= 1
  }
}

/** A header takes printable ASCII alone. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')

const jsonHeaders = { 'Content-Type': 'application/json' }

function send({ stopping }: Sandbox, call: Call, status: number, text: string): Response {
  if (stopping) call.header('Connection', 'close')
  return call.body(text, status as 200, jsonHeaders)
}

const noHeaders: readonly string[] = []

/** Adds a header to the answer. */
function tell(call: Call, kept: Kept, name: string, value: string): void {
  call.header(name, value)
  kept.answerHeaders = [...kept.answerHeaders, name, value]
}

/** True for what answers with a new key or secret. */
const tellsSecret = (path: string): boolean =>
  path === controls['regenerate-key'].path || path === controls['rotate-webhook-secret'].path

function notesOf({ code, field, detail }: Refusal): string[] {
  if (detail === undefined) return [errorTable[code].message]
  return [field === undefined ? detail : `${field}: ${detail}`]
}
