import { Refusal } from '../../contract/errors.ts'
import { checkoutPath } from '../../contract/sandbox/answers.ts'
import { cancelSession, payable, paySession, sessionNamed } from '../../control/sessions.ts'
import type { Ledger } from '../../domain/ledger.ts'
import { profileOf } from '../../domain/state.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { Call } from '../../http/call.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { AddPage } from '../serving/answer-page.ts'
import { fieldsOf } from '../serving/form-fields.ts'
import type { CheckoutForm, CheckoutView } from './form/checkout-view.ts'
import { viewOfSession } from './session-view.ts'

/** The hosted payment page. */
export function serveCheckout(page: AddPage, sandbox: Sandbox): void {
  page('GET', '/checkout/:id', (call) => showSession(sandbox, call))
  page('POST', '/checkout/:id/pay', (call) => pay(sandbox, call))
  page('POST', '/checkout/:id/cancel', (call) => cancel(sandbox, call))
  page('GET', '/checkout/:id/:step{pay|cancel}', (call) => goBack(sandbox, call))
}

async function showSession(sandbox: Sandbox, call: Call): Promise<Response> {
  const { ledger, transaction } = sessionOf(sandbox, call)
  return showCheckout(call, viewFor(sandbox, ledger, transaction), 200)
}

/** Pays, and shows what came of it; what is wrong with the form is shown beside its fields. */
async function pay(sandbox: Sandbox, call: Call): Promise<Response> {
  const { checkoutFields, readCheckoutForm } = await import('./form/read-form.ts')
  const form = readCheckoutForm(await fieldsOf(call, checkoutFields), sandbox.clock.now())
  await sandbox.engine.ready()
  const { ledger, transaction } = sessionOf(sandbox, call)
  if (!('card' in form)) return showCheckout(call, viewFor(sandbox, ledger, transaction), 422, form)
  await unlessOver(() => paySession(sandbox, ledger, transaction, payable(form.card)))
  return goBack(sandbox, call)
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
  const { offeredCards } = await import('./form/offered-cards.ts')
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
