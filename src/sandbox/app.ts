import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { reject } from '../contract/errors.ts'
import { type Operation, operationNames, operations } from '../contract/operations.ts'
import { controls } from '../contract/sandbox/controls/controls.ts'
import { serveControls } from '../control/routes.ts'
import { type Call, type Env, headerOf } from '../http/call.ts'
import { refusalAtDoor } from '../http/host.ts'
import { guardHost } from '../http/origin.ts'
import { wantToken } from '../http/token.ts'
import { looksForPage, servePages, showNoSuchPage, showRefusal, showTokenWanted } from '../pages/routes.ts'
import { answer } from '../request-log/answer.ts'
import { serveOperations } from '../service/routes.ts'
import type { Sandbox } from './sandbox.ts'

/**
 * The payment service, the control interface and the pages over HTTP. `host`: the address it is bound to; `forOthers`:
 * that others on the network reach it by, under names that it cannot know. assumption: host-check
 */
export function createApp(sandbox: Sandbox, host = '127.0.0.1', forOthers = false) {
  const [service, rest] = [createService(sandbox, host, forOthers), createRest(sandbox, host)]
  for (const app of [service, rest])
    app.notFound((call) =>
      looksForPage(call)
        ? showNoSuchPage(sandbox, call, host)
        : answer(sandbox, call, null, async () => refusePath(call.req.path)),
    )
  const fetch: typeof rest.fetch = (request, env, ...more) => {
    const isOperation = paths.has(getPath(request)) && refusalAtDoor(env) === undefined
    return (isOperation ? service : rest).fetch(request, env, ...more)
  }
  return { fetch, routes: [...service.routes, ...rest.routes] }
}

/** Paths of the payment API. */
const paths: ReadonlySet<string> = new Set(operationNames.map((name) => operations[name].path))

/** The payment API has an app of its own: its fixed paths need only the router's fastest way, and no middleware. */
function createService(sandbox: Sandbox, host: string, forOthers: boolean): Hono<Env> {
  const app = withPublicUrl(sandbox)
  serveOperations(app, sandbox, forOthers ? null : (call) => guardHost(call, host))
  return app
}

/** The control interface and the pages. */
function createRest(sandbox: Sandbox, host: string): Hono<Env> {
  const app = withPublicUrl(sandbox)
  const { token } = sandbox.options
  app.use('*', (call, next) => {
    const refusal = refusalAtDoor(call.env)
    if (refusal === undefined) return next()
    call.header('Connection', 'close') // what follows on it may be meant for somebody else
    return looksForPage(call)
      ? showRefusal(sandbox, call, host, refusal)
      : answer(sandbox, call, null, () => Promise.reject(refusal))
  })
  if (token !== null)
    app.use(
      '*',
      wantToken(token, (call) => refuseWithoutToken(sandbox, call)),
    )
  serveControls(app, sandbox, host)
  servePages(app, sandbox, host)
  return app
}

function withPublicUrl({ options: { publicUrl } }: Sandbox): Hono<Env> {
  const app = new Hono<Env>()
  if (publicUrl !== null)
    app.use('*', (call, next) => {
      call.set('publicUrl', publicUrl)
      return next()
    })
  return app
}

/** Pages say it on a page, everything else in an envelope. */
async function refuseWithoutToken(sandbox: Sandbox, call: Call): Promise<Response> {
  const isPage = (headerOf(call, 'accept') ?? '').includes('text/html')
  const refused = await answer(sandbox, call, null, async () => reject('SBX_TOKEN', { field: 'token' }))
  return isPage ? showTokenWanted(call) : refused
}

/** Paths that are asked for but not served, and what to use instead. */
const otherPaths: Readonly<Record<string, string>> = {
  '/api/v1/payments/refund':
    'refunds are POST /v1/semi-integration/transaction/refund (in person) and POST /v1/checkout/refund (online)',
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
