import type { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { checkoutPath } from '../../api/control-answers.ts'
import { errorTable, Refusal } from '../../api/errors.ts'
import type { Ledger } from '../../domain/ledger.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { refuseCardData } from '../body.ts'
import { profileOf } from '../book.ts'
import { refusalOf } from '../envelope.ts'
import { type Call, type Env, guardLength, headerOf, isChunked, limitChunks } from '../guard.ts'
import { logRequest } from '../log-request.ts'
import { guardOrigin } from '../origin.ts'
import type { Sandbox } from '../sandbox.ts'
import { cancelSession, payable, paySession, sessionNamed } from '../sessions.ts'
import type { CheckoutForm, CheckoutView } from './checkout-view.ts'
import { asset } from './static-files.ts'
import { viewOfSession } from './view-of-session.ts'

/** The hosted payment page, and what every page needs. `host`: the address the sandbox is bound to. */
export function servePages(app: Hono<Env>, sandbox: Sandbox, host: string): void {
  const page = (path: string, method: 'GET' | 'POST', handle: (call: Call) => Promise<Response>) =>
    app.on(method, path, policy, (call) => answer(sandbox, call, host, () => handle(call)))
  page('/checkout/:id', 'GET', (call) => showSession(sandbox, call))
  page('/checkout/:id/pay', 'POST', (call) => pay(sandbox, call))
  page('/checkout/:id/cancel', 'POST', (call) => cancel(sandbox, call))
  page('/checkout/:id/:step{pay|cancel}', 'GET', (call) => goBack(sandbox, call))
  app.get('/_assets/:name', policy, (call) => asset(call))
}

/** Nothing from elsewhere, nothing inline, no frame, no cache. */
const policy = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    scriptSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
  },
  referrerPolicy: 'same-origin', // a form's own origin stays known, and is checked
  xFrameOptions: 'DENY',
  strictTransportSecurity: false, // plain HTTP on loopback
})

/** A page that says that the token is wanted. */
export async function showTokenWanted(call: Call): Promise<Response> {
  const { renderTokenWanted } = await import('./token-page.tsx')
  const shown = await policy(call, async () => {
    call.res = await call.html(renderTokenWanted(), 401)
  })
  return shown ?? call.res
}

async function showSession(sandbox: Sandbox, call: Call): Promise<Response> {
  const { ledger, transaction } = sessionOf(sandbox, call)
  return showCheckout(call, viewFor(sandbox, ledger, transaction), 200)
}

/** Pays, and shows what came of it; what is wrong with the form is shown beside its fields. */
async function pay(sandbox: Sandbox, call: Call): Promise<Response> {
  const { ledger, transaction } = sessionOf(sandbox, call)
  const { readCheckoutForm } = await import('./checkout-form.ts')
  const form = readCheckoutForm(await fieldsOf(call), sandbox.clock.now())
  if (!('card' in form)) return showCheckout(call, viewFor(sandbox, ledger, transaction), 422, form)
  await unlessOver(() => paySession(sandbox, ledger, transaction, payable(form.card)))
  return goBack(sandbox, call)
}

/** What was posted. A field that is sent twice counts as left out: nobody can tell which one was meant. */
async function fieldsOf(call: Call): Promise<Readonly<Record<string, string>>> {
  const { checkoutFields } = await import('./checkout-form.ts')
  if (isChunked(call)) await limitChunks(call)
  else guardLength(call)
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(headerOf(call, 'content-type') ?? '')) return {}
  const sent = new URLSearchParams(await call.req.text())
  const once = (name: string) => sent.getAll(name).length === 1
  return Object.fromEntries(checkoutFields.filter(once).map((name) => [name, sent.get(name) ?? '']))
}

async function cancel(sandbox: Sandbox, call: Call): Promise<Response> {
  const { ledger, transaction } = sessionOf(sandbox, call)
  await unlessOver(() => cancelSession(sandbox, ledger, transaction))
  return goBack(sandbox, call)
}

/** To the page of the session. Errors: SBX_SESSION_NONE. */
async function goBack(sandbox: Sandbox, call: Call): Promise<Response> {
  return call.redirect(checkoutPath(sessionOf(sandbox, call).transaction.online?.sessionId ?? ''), 303)
}

const sessionOf = (sandbox: Sandbox, call: Call) => sessionNamed(sandbox, call.req.param('id') ?? '')

const viewFor = ({ engine, clock }: Sandbox, ledger: Ledger, transaction: Transaction): CheckoutView =>
  viewOfSession(
    ledger,
    transaction,
    profileOf(engine.book, ledger.settings.merchantId).details.dbaName,
    clock.now(),
  )

/** Another window was faster, or the time ran out: the page shows how it stands. */
async function unlessOver(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    const expected =
      error instanceof Refusal && (error.code === 'SBX_SESSION_OVER' || error.code === 'SBX_SESSION_BUSY')
    if (!expected) throw error
  }
}

/** Seconds after which the page looks again while the host is asked, or returns to the merchant when it is over. */
const [lookAgain, returnAfter] = [2, 5]

async function showCheckout(
  call: Call,
  view: CheckoutView,
  status: 200 | 422,
  form?: CheckoutForm,
): Promise<Response> {
  const { renderCheckout } = await import('./checkout-page.tsx')
  const { offeredCards } = await import('./offered-cards.ts')
  const refresh = refreshOf(view)
  if (refresh !== null) call.header('Refresh', refresh)
  return call.html(renderCheckout(view, offeredCards(), form), status)
}

/** What the header Refresh says; it works without scripts. */
function refreshOf({ sessionId, state, expiresAt, now, returnUrl }: CheckoutView): string | null {
  const again = `; url=${checkoutPath(sessionId)}`
  if (state === 'processing') return lookAgain + again
  if (state === 'open') return Math.max(1, Math.ceil((expiresAt - now) / 1000) + 1) + again
  return returnUrl === null ? null : `${returnAfter}; url=${returnUrl}`
}

/** Carries out one request of a page, and logs it. What cannot be shown is said on a page of its own. */
async function answer(
  sandbox: Sandbox,
  call: Call,
  host: string,
  handle: () => Promise<Response>,
): Promise<Response> {
  const started = performance.now()
  const traceId = sandbox.identifiers.traceId()
  sandbox.running += 1
  call.header('Cache-Control', 'no-store')
  try {
    refuseCardData(call.req.path)
    guardOrigin(call, host)
    await sandbox.engine.ready()
    const response = await handle()
    logRequest(sandbox, call, response.status, '0', traceId, started, [])
    return response
  } catch (error) {
    const refusal = refusalOf(error, (fault) =>
      sandbox.options.report(`${traceId}: ${fault.stack ?? fault.message}`),
    )
    const { status, message } = errorTable[refusal.code]
    logRequest(sandbox, call, status, refusal.code, traceId, started, [refusal.detail ?? message])
    const { renderDeadCheckout, renderTrouble } = await import('./checkout-page.tsx')
    const render = refusal.code === 'SBX_SESSION_NONE' ? renderDeadCheckout : renderTrouble
    return call.html(render(refusal.message), status as 400 | 403 | 404 | 413 | 500 | 503)
  } finally {
    sandbox.running -= 1
  }
}
