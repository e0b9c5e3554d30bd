import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Hono, MiddlewareHandler } from 'hono'
import { etag } from 'hono/etag'
import { secureHeaders } from 'hono/secure-headers'
import { Refusal } from '../contract/errors.ts'
import { type Call, type Env, headerOf } from '../sandbox/http/call.ts'
import { guardForm } from '../sandbox/http/origin.ts'
import { packageRoot } from '../shared/package-root.ts'
import { serveCheckout } from './checkout/routes.ts'
import { serveDashboard } from './dashboard/routes.ts'
import type { PagesContext } from './frame/page-view.tsx'
import { type AddPage, answerPage, type Handle, type PageAnswerContext } from './serving/answer-page.ts'
import { renderTokenWanted } from './serving/refusal-page.tsx'
import { serveTerminals } from './terminal/routes.ts'

/** Registers every page. `host`: the address that the sandbox is bound to. */
export function servePages(app: Hono<Env>, context: PagesContext & PageAnswerContext, host: string): void {
  const isOfSpace = context.options.basePath !== '' // its pages get their base path when they are sent
  const packs: MiddlewareHandler = isOfSpace ? (_, next) => next() : compressed
  const page =
    (ofLooks: boolean): AddPage =>
    (method, path, handle) =>
      app.on(method, path, packs, policy, (call) => {
        const guarded: Handle = () => {
          if (method === 'POST') guardForm(call)
          return handle(call)
        }
        return answerPage(context, call, host, guarded, ofLooks)
      })
  serveCheckout(page(false), context)
  serveTerminals(page(true), context)
  serveDashboard(page(true), context)
  serveAssets(app)
}

/** Registers the stylesheets, scripts and fonts of pages. What a browser has is not sent again. */
export const serveAssets = (app: Hono<Env>) =>
  app.get('/_assets/:name', compressed, policy, etag({ weak: true }), (call) => asset(call))

/** Paths that no browser shows a page of. */
const noPages = /^\/(v\d|api|_sandbox|_assets)(\/|$)/

/** True for a browser that requests a page; other clients, and operations, get an envelope. */
export const looksForPage = (call: Call): boolean =>
  call.req.method === 'GET' &&
  (headerOf(call, 'accept') ?? '').includes('text/html') &&
  !noPages.test(call.req.path)

/** The page for an unknown path. `host`: the address that the sandbox is bound to. */
export const showNoSuchPage = (context: PageAnswerContext, call: Call, host: string): Promise<Response> =>
  showRefusal(context, call, host, noSuchPage(call), true)

/** The refusal for the path of a page that does not exist. */
export function noSuchPage(call: Call): Refusal {
  const detail = `the sandbox has no page ${call.req.path.slice(0, 100)}`
  return new Refusal('SBX_NO_PATH', { field: 'path', detail })
}

/** A page that says why a request is refused. `host`: the address the sandbox is bound to. */
export const showRefusal = (
  context: PageAnswerContext,
  call: Call,
  host: string,
  refusal: Refusal,
  ofLooks = false,
): Promise<Response> =>
  withPolicy(call, () => answerPage(context, call, host, () => Promise.reject(refusal), ofLooks))

/** A page that says that a token is wanted, or why it is refused. */
export const showTokenWanted = (call: Call, refusal: Refusal): Promise<Response> =>
  withPolicy(call, async () => call.html(renderTokenWanted(refusal), 401))

/** A page outside of the routes, with the security headers of those. */
export async function withPolicy(call: Call, answer: () => Promise<Response>): Promise<Response> {
  const shown = await policy(call, async () => {
    call.res = await answer()
  })
  return shown ?? call.res
}

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

function asset(call: Call): Response | Promise<Response> {
  const name = call.req.param('name') ?? ''
  const type = /^[\w-]+\.(css|js|svg|woff2)$/.exec(name)?.[1]
  const contents = type === undefined ? undefined : readAsset(name)
  if (type === undefined || contents === undefined) return call.notFound()
  return call.body(contents, 200, { 'Content-Type': contentTypes[type] ?? '', 'Cache-Control': 'no-cache' })
}

function readAsset(name: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(readFileSync(join(packageRoot, 'dist/assets', name)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Pages and what they load; a stream is not held back, nor a font packed twice. */
const packable = /^(text\/(html|css|javascript)|image\/svg)/

/** Pages take a tenth of the way, as a whole: a stream of them depends on timers that tests replace. */
const compressed: MiddlewareHandler = async (call, next) => {
  await next()
  const { res } = call
  const isWanted = /\bgzip\b/.test(call.req.header('accept-encoding') ?? '')
  if (!isWanted || !packable.test(res.headers.get('content-type') ?? '')) return
  const packed = await gzipped(await res.arrayBuffer())
  const headers = new Headers(res.headers)
  headers.set('Content-Encoding', 'gzip')
  headers.set('Vary', 'Accept-Encoding')
  headers.delete('Content-Length')
  call.res = undefined
  call.res = new Response(packed, { status: res.status, headers })
}

const gzipped = promisify(gzip)

/** Security headers of every page: no foreign content, no inline code, no frames, no cache. */
const policy = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    scriptSrc: ["'self'"],
    imgSrc: ["'self'"],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
  },
  referrerPolicy: 'same-origin', // a form's own origin stays known, and is checked
  xFrameOptions: 'DENY',
  strictTransportSecurity: false, // plain HTTP on loopback
})
