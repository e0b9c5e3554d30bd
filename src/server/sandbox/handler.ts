import type { RequestListener } from 'node:http'
import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { serveMcp } from '../../agents/routes.ts'
import { controlsAt } from '../../contract/control/controls/controls.ts'
import { mcpPath } from '../../contract/control/mcp.ts'
import { type Refusal, reject } from '../../contract/errors.ts'
import { operationNames, operationPaths, operationRow, operations } from '../../contract/operations.ts'
import { looksForPage, servePages, showNoSuchPage, showRefusal, showTokenWanted } from '../../pages/routes.ts'
import { writingBasePath } from '../../pages/serving/base-path.ts'
import { type AnswerContext, addHeader, answer } from '../../sandbox/answering/answer.ts'
import { serveControls } from '../../sandbox/control/routes.ts'
import { guardAccess } from '../../sandbox/http/access/guard-access.ts'
import { noteAccess } from '../../sandbox/http/access/note-access.ts'
import { type Call, type Env, headerOf } from '../../sandbox/http/call.ts'
import { type FaultAnswers, malformedRequest } from '../../sandbox/http/http-faults.ts'
import { guardHost } from '../../sandbox/http/origin.ts'
import type { SendToSelf } from '../../sandbox/http/send-to-self.ts'
import { type LoggedExchange, logMalformed } from '../../sandbox/request-log/log-request.ts'
import { serveOperations } from '../../sandbox/service/routes.ts'
import type { Sandbox } from './sandbox.ts'

/** Loading this module takes a sixth of a start, so it happens after it, or with the first request. */
const loadServer = () => import('@hono/node-server')

interface SandboxHandler {
  readonly handle: RequestListener
  /** Loads the modules that the first request would otherwise wait for. */
  readonly prepare: () => Promise<unknown>
}

/** How requests that no handler sees are answered, and logged in a sandbox. */
export const faultAnswersOf = (sandbox: Sandbox): FaultAnswers => ({
  newTraceId: sandbox.identifiers.traceId,
  extras: sandbox.options.extras,
  log: (...refused) => logMalformed(sandbox, ...refused),
})

/** Answers requests with the app of a sandbox. `host` and `forOthers`: see `createApp`. */
export function createHandler(sandbox: Sandbox, host: string, forOthers: boolean): SandboxHandler {
  const { fetch } = createApp(sandbox, host, forOthers)
  const answers = faultAnswersOf(sandbox)
  let listener: RequestListener | undefined
  const prepare = async (): Promise<RequestListener> => {
    const { getRequestListener } = await loadServer()
    listener ??= getRequestListener(fetch, { errorHandler: (error) => malformedRequest(answers, error) })
    return listener
  }
  /** A stop waits for a request that came while the listener was loading, too. */
  const handleLoading: RequestListener = async (incoming, outgoing) => {
    sandbox.running += 1
    try {
      const loaded = await prepare()
      void loaded(incoming, outgoing)
    } finally {
      sandbox.running -= 1
    }
  }
  const handle: RequestListener = (incoming, outgoing) => (listener ?? handleLoading)(incoming, outgoing)
  return { handle, prepare }
}

/**
 * Serves the payment API, the control interface and the pages over HTTP. `host`: the address that the server
 * binds; `forOthers`: true when other machines reach it under host names that it cannot know. assumption:
 * host-check
 */
export function createApp(sandbox: Sandbox, host = '127.0.0.1', forOthers = false) {
  const service = createService(sandbox, host, forOthers)
  const rest = createRest(sandbox, host, (request, env) => fetch(request, env))
  for (const app of [service, rest])
    app.notFound((call) =>
      looksForPage(call)
        ? showNoSuchPage(sandbox, call, host)
        : answer(sandbox, call, null, async (exchange) => refusePath(call, exchange)),
    )
  const { basePath } = sandbox.options
  const fetchRest = basePath === '' ? rest.fetch : writingBasePath(rest.fetch, basePath)
  const fetch: typeof rest.fetch = (request, env, ...more) => {
    const { incoming }: Env['Bindings'] = env ?? {}
    const isOperation = operationPaths.has(getPath(request)) && incoming?.refusal === undefined
    return (isOperation ? service.fetch : fetchRest)(request, env, ...more)
  }
  return { fetch, routes: [...service.routes, ...rest.routes] }
}

/** A separate app for the payment API: its fixed paths use the router's fastest match, and no middleware. */
function createService(sandbox: Sandbox, host: string, forOthers: boolean): Hono<Env> {
  const app = withAddress(sandbox)
  serveOperations(app, sandbox, forOthers ? null : (call) => guardHost(call, host))
  return app
}

/** The control interface and the pages. `send`: hands a request of a tool to the app that it belongs to. */
function createRest(sandbox: Sandbox, host: string, send: SendToSelf): Hono<Env> {
  const app = withAddress(sandbox)
  const showPage = (call: Call, refusal: Refusal) => showRefusal(sandbox, call, host, refusal)
  app.use('*', (call, next) => {
    const refusal = call.env?.incoming?.refusal
    if (refusal === undefined) return next()
    call.header('Connection', 'close') // the rest of the connection may be meant for another server
    return looksForPage(call)
      ? showPage(call, refusal)
      : answer(sandbox, call, null, () => Promise.reject(refusal))
  })
  const { access, options } = sandbox
  app.use('*', noteAccess(access, options.spaceName, options.wall))
  app.use(
    '*',
    guardAccess(access, { name: options.spaceName, madeBy: options.spaceMadeBy }, host, (call, refusal) =>
      refuseAccess(sandbox, call, refusal, showPage),
    ),
  )
  serveControls(app, sandbox, host)
  serveMcp(app, sandbox, host, send)
  servePages(app, sandbox, host)
  return app
}

/** An app whose calls know where the sandbox is served, when the Host header alone does not tell. */
export function withAddress({
  options: { publicUrl, basePath },
}: {
  readonly options: Pick<Sandbox['options'], 'publicUrl' | 'basePath'>
}): Hono<Env> {
  const app = new Hono<Env>()
  if (publicUrl !== null || basePath !== '')
    app.use('*', (call, next) => {
      if (publicUrl !== null) call.set('publicUrl', publicUrl)
      call.set('basePath', basePath)
      return next()
    })
  return app
}

/** Refuses a request: with a page to a browser (`showPage`), in an envelope to any other client. */
export async function refuseAccess(
  context: AnswerContext,
  call: Call,
  refusal: Refusal,
  showPage: (call: Call, refusal: Refusal) => Promise<Response>,
): Promise<Response> {
  const isPage = (headerOf(call, 'accept') ?? '').includes('text/html')
  if (isPage && refusal.code !== 'SBX_TOKEN') return showPage(call, refusal)
  const refused = await answer(context, call, null, () => Promise.reject(refusal))
  return isPage ? showTokenWanted(call, refusal) : refused
}

/** Paths that clients guess wrong, and the path to use instead. */
const otherPaths: Readonly<Record<string, string>> = {
  '/api/v1/payments/refund':
    'refunds are POST /v1/semi-integration/transaction/refund (in person) and POST /v1/checkout/refund (online)',
}

/** Errors: SBX_NO_PATH, or SBX_METHOD with the methods of the path. */
export function refusePath(call: Call, exchange: LoggedExchange): never {
  const { method, path } = call.req
  const allowed = methodsAt(path)
  if (allowed.length > 0) {
    addHeader(exchange, 'Allow', allowed.join(', '))
    reject('SBX_METHOD', {
      field: 'method',
      detail: `it is ${method}; the path takes ${allowed.join(' and ')}`,
    })
  }
  const detail = otherPaths[path] ?? nearestPath(path)
  reject('SBX_NO_PATH', { field: 'path', detail, ...(detail && { remedy: 'Call that path' }) })
}

function methodsAt(path: string): string[] {
  const serviceOperations = operationNames.map(operationRow).filter((operation) => operation.path === path)
  const also = serviceOperations.flatMap(({ otherMethod }) => otherMethod ?? [])
  return [...new Set([...[...serviceOperations, ...controlsAt(path)].map(({ method }) => method), ...also])]
}

const nearestPath = (path: string): string | undefined => {
  const unslashed = path.replace(/\/+$/, '')
  if (unslashed !== path && (methodsAt(unslashed).length > 0 || unslashed === mcpPath))
    return `it ends with a slash, and ${unslashed} does not`
  const last = unslashed.split('/').at(-1)
  if (`/${last}` === mcpPath) return `${mcpPath} is the path of the MCP server`
  const name = operationNames.find((candidate) => candidate === last)
  return name && `${operations[name].method} ${operations[name].path} is the path of ${name}`
}
