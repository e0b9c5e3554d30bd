import { hiddenKey } from '../../contract/control/request-log-answers.ts'
import { errorTable } from '../../contract/errors.ts'
import type { AnswerContext } from '../../sandbox/answering/answer.ts'
import { type Call, seen } from '../../sandbox/http/call.ts'
import { refuseCardData } from '../../sandbox/http/card-data.ts'
import { toRefusal } from '../../sandbox/http/envelope.ts'
import { guardOrigin } from '../../sandbox/http/origin.ts'
import { logRequest } from '../../sandbox/request-log/log-request.ts'
import { webhookSecrets } from '../../sandbox/webhooks/secrets.ts'
import { elapsedTime } from '../../shared/timers.ts'
import { missingPage, renderPage } from '../frame/page-frame.tsx'
import type { PagesContext } from '../frame/page-view.tsx'
import { listBefore } from './form-fields.ts'
import { renderRefusal } from './refusal-page.tsx'

/** Handler of a page's route. */
export type Handle = (call: Call) => Response | Promise<Response>

/** Adds a route to the pages. */
export type AddPage = (method: 'GET' | 'POST', path: string, handle: Handle) => void

/** What answering for a page needs, whatever the page shows. */
export type PageAnswerContext = AnswerContext & PagesContext

/** Paths of the streams that pages follow: no link leads there. */
const isStream = /\/live$/

/**
 * Handles and logs one request of a page. A refusal is shown on its own page. `ofLooks`: pages that show the
 * sandbox; viewing them, or one that is not there, does not fill the log. assumption: request-log
 */
export async function answerPage(
  context: PageAnswerContext,
  call: Call,
  host: string,
  handle: Handle,
  ofLooks = false,
): Promise<Response> {
  const isLook = ofLooks && call.req.method === 'GET'
  const started = elapsedTime()
  const traceId = context.identifiers.traceId()
  context.running += 1
  call.header('Cache-Control', 'no-store')
  try {
    refuseCardData(call.req.path)
    guardOrigin(call, host, !isStream.test(call.req.path))
    await context.engine.ready()
    const response = await handle(call)
    const code = call.get('answered') ?? (response.status < 400 ? '0' : 'C17')
    if (!isLook || !response.ok) logRequest(context, seen(call), response.status, code, traceId, started, [])
    return shownTo(context, call, isOfScript(call) ? withoutStatus(response) : response)
  } catch (error) {
    const refusal = toRefusal(error, seen(call), traceId, context.options)
    const { status, message } = errorTable[refusal.code]
    call.set('answered', refusal.code)
    if (refusal.code === 'SBX_STORE_FAIL') call.header('Retry-After', '1')
    if (!isLook || status !== 404)
      logRequest(context, seen(call), status, refusal.code, traceId, started, [refusal.detail ?? message])
    const missing = missingPage(refusal, call.req.path, listBefore(call))
    const page = missing === null ? renderRefusal(refusal) : await renderPage(context, missing)
    return shownTo(context, call, await call.html(page, status as 400 | 403 | 404 | 413 | 500 | 503))
  } finally {
    context.running -= 1
  }
}

/** True for what a script of a page asks for. */
const isOfScript = (call: Call): boolean => call.req.header('sec-fetch-dest') === 'empty'

/** A refused form, for a script that shows it: its status would be a line in the browser's console. */
const withoutStatus = (page: Response): Response =>
  page.headers.get('content-type')?.startsWith('text/html')
    ? new Response(page.body, { headers: page.headers })
    : page

/**
 * A text of a page as its visitor may see it. For users with the scope viewer, API keys and webhook secrets,
 * which some pages show in commands to copy, are shortened to their end. assumption: token-scopes
 */
export const textFor = (context: PagesContext, call: Call, text: string): string =>
  isViewer(call) ? withoutSecrets(context, text) : text

const isViewer = (call: Call): boolean => call.get('grant')?.scope === 'viewer'

/** What a token may not do is not shown. */
async function shownTo(context: PagesContext, call: Call, response: Response): Promise<Response> {
  const scope = call.get('grant')?.scope ?? 'admin'
  if (scope === 'admin' || !response.headers.get('content-type')?.startsWith('text/html')) return response
  const page = (await response.text()).replace('<html ', `<html data-${scope} `) // styles hide what it may not
  return new Response(textFor(context, call, page), response)
}

/**
 * Secrets are read each time, because they may have been rotated. HTML escapes none of their characters, so
 * pages have them verbatim.
 */
function withoutSecrets({ directory, settings }: PagesContext, text: string): string {
  let shown = text
  for (const application of directory.applications) {
    const { current, previous } = webhookSecrets(settings.data, application)
    const keys = [...application.keys, ...directory.keysOf(application)].map(({ key }) => key)
    for (const secret of [...keys, current, ...(previous === undefined ? [] : [previous.secret])])
      if (secret !== '') shown = shown.replaceAll(secret, hiddenKey(secret))
  }
  return shown
}
