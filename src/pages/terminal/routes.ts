import { terminalPath } from '../../contract/control/screens.ts'
import { errorTable, Refusal } from '../../contract/errors.ts'
import { isThere, screenNamed, serialInPath } from '../../sandbox/control/terminals.ts'
import { baseUrlOf, type Call } from '../../sandbox/http/call.ts'
import { streamLatest } from '../../sandbox/http/live-stream.ts'
import { resultEnds } from '../../sandbox/records/screen-view.ts'
import { renderPage } from '../frame/page-frame.tsx'
import type { PagesContext } from '../frame/page-view.tsx'
import { mastheadFacts } from '../masthead/masthead.tsx'
import type { AddPage } from '../serving/answer-page.ts'
import { pageBefore } from '../serving/form-fields.ts'
import { asPieces, changedIn, streamView } from '../serving/fragment-stream.ts'
import { fleetPage } from './fleet/fleet.tsx'
import { deviceUrlOf, workbenchView } from './screens/workbench-view.ts'
import { isTerminalAction, performAction } from './terminal-actions.ts'
import { renderTerminal, showsDeviceAlone } from './terminal-page.tsx'
import { drawQrCode } from './workbench.tsx'
import { missingFragments, renderFragments, replacement, workbenchFragments } from './workbench-fragments.tsx'

/** The table of terminals, and the page of each. */
export function serveTerminals(page: AddPage, context: PagesContext): void {
  page('GET', '/terminals', async (call) => {
    const notice = context.notices.named(call.req.query('notice'))
    return call.html(await renderPage(context, await fleetPage(context, pageRequest(call)), notice))
  })
  page('GET', '/terminals/live', async (call) =>
    streamView(context, call, await fleetPage(context, pageRequest(call))),
  )
  page('GET', '/terminal/:sn', (call) => showOne(context, call))
  page('GET', '/terminal/:sn/live', (call) => streamWorkbench(context, call))
  page('GET', '/terminal/:sn/phone.svg', async (call) =>
    call.body(await drawQrCode(deviceUrlOf(call, requireSerial(context, call))), 200, {
      'Content-Type': 'image/svg+xml',
    }),
  )
  page('GET', '/terminal/:sn/:act', (call) => call.redirect(terminalPath(requireSerial(context, call)), 303))
  page('POST', '/terminal/:sn/:act', (call) => act(context, call))
}

const requireSerial = (context: PagesContext, call: Call): string =>
  screenNamed(context, serialInPath(call)).terminalSn

function showOne(context: PagesContext, call: Call, refusal?: Refusal): Response | Promise<Response> {
  const view = workbenchView(context, requireSerial(context, call), call)
  return call.html(renderTerminal(context, call, view, refusal), httpStatus(refusal))
}

const pageRequest = (call: Call) => ({ id: '', query: call.req.query(), baseUrl: baseUrlOf(call) })

/** The page's script gets the changed parts; without scripts the answer redirects to the page. */
async function act(context: PagesContext, call: Call): Promise<Response> {
  const forScript = call.req.header('hx-request') === 'true'
  const serialNumber = serialInPath(call)
  if (forScript && !isThere(context, serialNumber))
    return call.html(renderFragments(serialNumber, missingFragments(serialNumber)), 404)
  const terminalSn = requireSerial(context, call)
  const name = call.req.param('act') ?? ''
  if (!isTerminalAction(name)) return call.notFound()
  const refusal = await performAction(context, call, name).then(() => undefined, thrownRefusal)
  if (forScript) {
    const parts = Object.values(workbenchFragments(workbenchView(context, terminalSn, call)))
    return call.html(renderFragments(terminalSn, parts, refusal), httpStatus(refusal))
  }
  return refusal === undefined
    ? call.redirect(returnPath(call, terminalSn), 303)
    : showOne(context, call, refusal)
}

/** To the window that the form was in: of the terminal, or of the device alone. */
function returnPath(call: Call, terminalSn: string): string {
  const path = terminalPath(terminalSn)
  const before = pageBefore(call, path)
  return before.split('?', 1)[0] === path ? before : path
}

/** The refusal of an action, to be shown on its page. */
function thrownRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

const httpStatus = (refusal: Refusal | undefined) =>
  (refusal === undefined ? 200 : errorTable[refusal.code].status) as 200 | 400 | 409 | 413 | 503

/** How often the masthead, which is of the whole sandbox, is read again. Milliseconds. */
const mastheadInterval = 5_000

/** Milliseconds after which a browser reconnects. */
const retry = 500

/**
 * Streams the parts of a terminal's page: all of them at first, then the changed ones. A browser cannot see
 * why a stream is refused, so a removed terminal is streamed as such.
 */
async function streamWorkbench(context: PagesContext, call: Call) {
  const sent = new Map<string, string>()
  const terminalSn = serialInPath(call)
  const partsNow = () =>
    isThere(context, terminalSn)
      ? Object.values(workbenchFragments(workbenchView(context, terminalSn, call)))
      : missingFragments(terminalSn)
  return streamLatest(context, call, {
    topics: [`terminal ${terminalSn}`, 'webhooks'],
    pause: 20,
    show: () => {
      const parts = partsNow().map((part) => ({ ...part, swap: replacement(part) }))
      const facts = showsDeviceAlone(call) ? {} : mastheadFacts(context)
      const message = changedIn(context, call, [...parts, ...asPieces(facts)], sent)
      return message && { ...message, retry }
    },
    again: () => {
      const ends = isThere(context, terminalSn) ? resultEnds(screenNamed(context, terminalSn)) : null
      return Math.min(ends ?? mastheadInterval, mastheadInterval)
    },
  })
}
