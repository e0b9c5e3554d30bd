import { checkoutPath } from '../../contract/control/control-answers.ts'
import { Refusal } from '../../contract/errors.ts'
import { merchantProfileOf } from '../../domain/state.ts'
import { actOnSession, payable, sessionNamed } from '../../sandbox/control/sessions.ts'
import { type Call, idInPath } from '../../sandbox/http/call.ts'
import type { PagesContext } from '../frame/page-view.tsx'
import type { AddPage } from '../serving/answer-page.ts'
import { readForm } from '../serving/form-fields.ts'
import { renderCheckout } from './checkout-page.tsx'
import {
  type CheckoutForm,
  type CheckoutView,
  checkoutFields,
  checkoutView,
  offeredCards,
  readCheckoutForm,
  timeLeftOf,
  walletIn,
} from './form/checkout-form.ts'

/** The hosted payment page. */
export function serveCheckout(page: AddPage, context: PagesContext): void {
  page('GET', '/checkout/:id', (call) => showCheckout(context, call))
  page('POST', '/checkout/:id/pay', (call) => pay(context, call))
  page('POST', '/checkout/:id/cancel', (call) => cancel(context, call))
  page('GET', '/checkout/:id/:step{pay|cancel}', (call) => goBack(context, call))
}

/** Pays and shows the result; errors of the form are shown beside its fields. */
async function pay(context: PagesContext, call: Call): Promise<Response> {
  const cards = offeredCards(context.catalogue)
  const fields = (await readForm(call)).once([...checkoutFields, 'wallet'])
  const wallet = walletIn(fields)
  const form = wallet
    ? { card: cards[0]?.name ?? '' } // assumption: wallets
    : readCheckoutForm(fields, cards, context.clock.now())
  await context.engine.ready()
  if (!('card' in form)) return showCheckout(context, call, form)
  const { ledger, transaction } = requireSession(context, call)
  const card = payable(context.catalogue, form.card).name
  const paid = { type: 'pay-session', card, ...(wallet && { wallet }) } as const
  await unlessOver(() => context.send(actOnSession, ledger, transaction, paid))
  return goBack(context, call)
}

async function cancel(context: PagesContext, call: Call): Promise<Response> {
  const { ledger, transaction } = requireSession(context, call)
  await unlessOver(() => context.send(actOnSession, ledger, transaction, { type: 'cancel-session' }))
  return goBack(context, call)
}

/** To the page of the session. */
async function goBack(context: PagesContext, call: Call): Promise<Response> {
  return call.redirect(checkoutPath(requireSession(context, call).transaction.online?.sessionId ?? ''), 303)
}

const requireSession = (context: PagesContext, call: Call) => sessionNamed(context, idInPath(call))

/** If another window was faster or the session expired, the page shows the current state. */
async function unlessOver(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    const expected =
      error instanceof Refusal && (error.code === 'SBX_SESSION_OVER' || error.code === 'SBX_SESSION_BUSY')
    if (!expected) throw error
  }
}

/** Seconds after which the page looks again while the host decides, or returns to the merchant. */
const [lookAgain, returnAfter] = [2, 20]

/** `form`: refused input. */
async function showCheckout(context: PagesContext, call: Call, form?: CheckoutForm): Promise<Response> {
  const { engine, catalogue, clock } = context
  const { ledger, transaction } = requireSession(context, call)
  const { details } = merchantProfileOf(engine.state, ledger.settings.merchantId)
  const view = checkoutView(ledger, transaction, details.dbaName, clock)
  const stays = call.req.query('stay') !== undefined
  const refresh = refreshFor(view, stays)
  if (refresh !== null) call.header('Refresh', refresh)
  return call.html(renderCheckout(view, offeredCards(catalogue), form, stays), form ? 422 : 200)
}

/** Value of the header Refresh, which works without scripts. */
function refreshFor(view: CheckoutView, stays: boolean) {
  const { sessionId, state, isFrozen, returnUrl } = view
  const again = `; url=${checkoutPath(sessionId)}`
  if (state === 'processing') return lookAgain + again
  if (state === 'open') return isFrozen ? null : Math.max(1, Math.ceil(timeLeftOf(view) / 1000) + 1) + again
  return returnUrl === null || stays ? null : `${returnAfter}; url=${returnUrl}`
}
