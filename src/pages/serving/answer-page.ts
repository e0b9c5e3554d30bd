import type { AnswerContext } from '../../answering/answer.ts'
import { errorTable, type Refusal } from '../../contract/errors.ts'
import { baseUrlOf, type Call } from '../../http/call.ts'
import { refuseCardData } from '../../http/card-data.ts'
import { refusalOf } from '../../http/envelope.ts'
import { guardOrigin } from '../../http/origin.ts'
import { logRequest } from '../../request-log/log-request.ts'
import { elapsedTime } from '../../timers.ts'
import { renderMissingPage } from '../document/missing-page.tsx'
import type { FrameContext, PagesContext } from '../frame/pages-context.ts'
import { hiddenFromViewers } from './hide-from-viewers.ts'
import { renderRefusal } from './refusal-page.tsx'

/** Handler of a page's route. Errors: Refusal, which is shown on its own page. */
export type Handle = (call: Call) => Response | Promise<Response>

/** Adds a route to the pages. */
export type AddPage = (method: 'GET' | 'POST', path: string, handle: Handle) => void

/** What answering for a page needs, whatever the page shows. */
export type PageAnswerContext = AnswerContext & FrameContext & Pick<PagesContext, 'directory' | 'settings'>

/** Paths of the streams that pages follow: no link leads there. */
const isStream = /\/live$/

/**
 * Handles and logs one request of a page. A refusal is shown on its own page. `ofLooks`: pages that show the sandbox;
 * viewing them does not fill the log. assumption: request-log
 */
export async function answerPage(
  context: PageAnswerContext,
  call: Call,
  host: string,
  handle: Handle,
  ofLooks = false,
): Promise<Response> {
  const started = elapsedTime()
  const traceId = context.identifiers.traceId()
  context.running += 1
  call.header('Cache-Control', 'no-store')
  try {
    refuseCardData(call.req.path)
    guardOrigin(call, host, !isStream.test(call.req.path))
    await context.engine.ready()
    const response = await handle(call)
    const onlyLooked = ofLooks && call.req.method === 'GET' && response.ok
    if (!onlyLooked) logRequest(context, call, response.status, '0', traceId, started, [])
    return shownTo(context, call, response)
  } catch (error) {
    const refusal = refusalOf(error, call, traceId, context.options)
    const { status, message } = errorTable[refusal.code]
    call.set('answered', refusal.code)
    if (refusal.code === 'SBX_STORE_FAIL') call.header('Retry-After', '1')
    logRequest(context, call, status, refusal.code, traceId, started, [refusal.detail ?? message])
    const page = await pageOf(context, call, refusal)
    return shownTo(context, call, await call.html(page, status as 400 | 403 | 404 | 413 | 500 | 503))
  } finally {
    context.running -= 1
  }
}

const shownTo = (
  context: Pick<PagesContext, 'directory' | 'settings'>,
  call: Call,
  response: Response,
): Response | Promise<Response> =>
  call.get('grant')?.scope === 'viewer' ? hiddenFromViewers(context, response) : response

/** The page of a refusal; for a missing record with the navigation, if the visitor may use it. */
async function pageOf(
  context: FrameContext & Pick<PagesContext, 'log'>,
  call: Call,
  refusal: Refusal,
): Promise<string> {
  const missing = await renderMissingPage(context, refusal, call.req.path, baseUrlOf(call))
  if (missing !== null) return missing
  return renderRefusal(refusal)
}
