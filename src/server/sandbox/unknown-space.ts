import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { errorTable, Refusal, reject } from '../../contract/errors.ts'
import { operationNames, operationPaths, operationRow } from '../../contract/operations.ts'
import { noSettings } from '../../domain/settings.ts'
import { looksForPage, noSuchPage, serveAssets, withPolicy } from '../../pages/routes.ts'
import { writingBasePath } from '../../pages/serving/base-path.ts'
import { readForm } from '../../pages/serving/form-fields.ts'
import { renderRefusal } from '../../pages/serving/refusal-page.tsx'
import type { Access } from '../../sandbox/access/access.ts'
import { type AnswerContext, answer } from '../../sandbox/answering/answer.ts'
import { noSuchSpace } from '../../sandbox/control/control-context.ts'
import { Directory } from '../../sandbox/engine/directory.ts'
import { SandboxClock } from '../../sandbox/engine/identifiers.ts'
import { guardAccess } from '../../sandbox/http/access/guard-access.ts'
import { noteAccess } from '../../sandbox/http/access/note-access.ts'
import { bodyToLog, limitLength } from '../../sandbox/http/body.ts'
import { type Call, type Env, idInPath, seen } from '../../sandbox/http/call.ts'
import { refuseCardData } from '../../sandbox/http/card-data.ts'
import { toRefusal } from '../../sandbox/http/envelope.ts'
import { malformedRequest } from '../../sandbox/http/http-faults.ts'
import { guardForm, guardHost, guardOrigin } from '../../sandbox/http/origin.ts'
import type { ReceivedRequest } from '../../sandbox/http/received-request.ts'
import { guardHeaders } from '../../sandbox/service/guard.ts'
import { refuseAccess, refusePath, withAddress } from './handler.ts'
import type { SandboxOptions } from './options.ts'

/** The parts of a server that the answer for an unknown space is made of; no sandbox is among them. */
export interface UnknownSpaceParts {
  readonly access: Access
  /** See `createApp`. */
  readonly host: string
  readonly forOthers: boolean
  readonly newTraceId: () => string
  readonly options: AnswerContext['options'] &
    Pick<
      SandboxOptions,
      'catalogue' | 'wall' | 'publicUrl' | 'requestIds' | 'charset' | 'strict' | 'strictContentType'
    >
}

/**
 * Answers a request for a space that does not exist, on a server with a token: as a space does to a caller
 * without rights. The holder of a token is told that there is no such space. It changes nothing, and no
 * request log has the request. assumption: spaces
 */
export async function answerUnknownSpace(
  parts: UnknownSpaceParts,
  name: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { getRequestListener } = await import('@hono/node-server')
  const answers = { newTraceId: parts.newTraceId, extras: parts.options.extras }
  const errorHandler = (error: unknown) => malformedRequest(answers, error)
  await getRequestListener(createUnknownApp(parts, name), { errorHandler })(incoming, outgoing)
}

function createUnknownApp(parts: UnknownSpaceParts, name: string): Hono<Env>['fetch'] {
  const basePath = `/s/${name.replace(/[^\w.~%-]/g, encodeURIComponent)}`
  const { newTraceId, options } = parts
  const context: AnswerContext = {
    identifiers: { traceId: newTraceId },
    options,
    clock: new SandboxClock(options.wall),
    log: { add: () => undefined },
    changes: { tell: () => undefined },
    stopping: false,
    running: 0,
  }
  const address = { options: { publicUrl: options.publicUrl, basePath } }
  const [service, rest] = [withAddress(address), withAddress(address)]
  refuseOperations(service, parts, context, name)
  refuseRest(rest, parts, context, name)
  for (const app of [service, rest])
    app.notFound((call) =>
      looksForPage(call)
        ? showRefused(parts, call, () => Promise.reject(noSuchPage(call)))
        : answer(context, call, null, async (exchange) => refusePath(call, exchange)),
    )
  const fetchRest = writingBasePath(rest.fetch, basePath)
  return (request, env, ...more) => {
    const { incoming }: { incoming?: ReceivedRequest } = env ?? {}
    const isOperation = operationPaths.has(getPath(request)) && incoming?.refusal === undefined
    return (isOperation ? service.fetch : fetchRest)(request, env, ...more)
  }
}

/** Refuses the payment API: a space without applications knows no key. */
function refuseOperations(
  app: Hono<Env>,
  { host, forOthers, options }: UnknownSpaceParts,
  context: AnswerContext,
  name: string,
): void {
  const directory = new Directory([], noSettings(), { spaceName: name })
  const { catalogue } = options
  const { clock } = context
  for (const operation of operationNames) {
    const { method, otherMethod, path } = operationRow(operation)
    app.on([method, otherMethod ?? []].flat(), [path], (call) =>
      answer(context, call, operation, async () => {
        if (!forOthers) guardHost(call, host)
        limitLength(call)
        const hasBody = call.req.method === 'POST'
        try {
          guardHeaders(call, operation, { catalogue, directory, clock }, hasBody, options)
        } catch (error) {
          if (hasBody) await bodyToLog(call) // so that the connection can go on
          throw error
        }
        throw noSuchSpace(name, [])
      }),
    )
  }
}

/** Refuses the control interface, the pages and the sessions of shoppers. */
function refuseRest(app: Hono<Env>, parts: UnknownSpaceParts, context: AnswerContext, name: string): void {
  const { access, host, options } = parts
  const showPage = (call: Call, refusal: Refusal) => showRefused(parts, call, () => Promise.reject(refusal))
  const refuse = (call: Call, refusal: Refusal) =>
    looksForPage(call) ? showPage(call, refusal) : answer(context, call, null, () => Promise.reject(refusal))
  app.use('*', (call, next) => {
    const refusal = call.env?.incoming?.refusal
    if (refusal === undefined) return next()
    call.header('Connection', 'close') // the rest of the connection may be meant for another server
    return refuse(call, refusal)
  })
  app.use('*', noteAccess(access, name.slice(0, 100), options.wall))
  app.use(
    '*',
    guardAccess(access, { name, madeBy: null }, host, (call, refusal) =>
      refuseAccess(context, call, refusal.code === 'SBX_SCOPE' ? noSuchSpace(name, []) : refusal, showPage),
    ),
  )
  app.use('*', (call, next) => (call.get('grant') ? refuse(call, noSuchSpace(name, [])) : next()))
  const noSession = (call: Call): never =>
    reject('SBX_SESSION_NONE', { field: 'sessionId', message: `There is no session ${idInPath(call)}` })
  app.on('GET', ['/checkout/:id', '/checkout/:id/:step{pay|cancel}'], (call) =>
    showRefused(parts, call, async () => noSession(call)),
  )
  app.post('/checkout/:id/:step{pay|cancel}', (call) =>
    showRefused(parts, call, async () => {
      guardForm(call)
      if (call.req.param('step') === 'pay') await readForm(call)
      noSession(call)
    }),
  )
  serveAssets(app)
}

/** The page of a request that is refused by `refuse`, or by a check before it. */
const showRefused = (
  { host, newTraceId, options }: UnknownSpaceParts,
  call: Call,
  refuse: () => Promise<void>,
): Promise<Response> =>
  withPolicy(call, async () => {
    call.header('Cache-Control', 'no-store')
    try {
      refuseCardData(call.req.path)
      guardOrigin(call, host, true)
      await refuse()
      throw new Refusal('SBX_NO_PATH')
    } catch (error) {
      const refusal = toRefusal(error, seen(call), newTraceId(), options)
      call.set('answered', refusal.code)
      if (refusal.code === 'SBX_STORE_FAIL') call.header('Retry-After', '1')
      return call.html(renderRefusal(refusal), errorTable[refusal.code].status as 403)
    }
  })
