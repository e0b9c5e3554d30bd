import { checkoutPath } from '../../contract/control/control-answers.ts'
import { money } from '../../contract/presentation/money.ts'
import {
  ConnectionNotice,
  Merchant,
  Notice,
  ResultPage,
  ResultText,
  safeLink,
} from '../components/basics.tsx'
import { Icon, type IconName } from '../components/icons.tsx'
import { htmlDocument, Layout } from '../components/layout.tsx'
import { actionLooks } from '../components/looks.ts'
import { networkName } from '../components/network-names.ts'
import { Pairs } from '../components/panel.tsx'
import { cardForm } from './form/card-form.tsx'
import {
  type CheckoutForm,
  type CheckoutView,
  checkoutFields,
  type OfferedCard,
  wallets,
} from './form/checkout-form.ts'
import { hasLines, OrderLines, OrderSummary } from './order-summary.tsx'

/**
 * The hosted payment page of a session, as a whole document. `form`: refused input; `stays`: it does not
 * return to the merchant by itself.
 */
export function renderCheckout(
  view: CheckoutView,
  offered: readonly OfferedCard[],
  form?: CheckoutForm,
  stays = false,
): string {
  const { state } = view
  if (state !== 'open')
    return htmlDocument(
      <Layout title={`${results[state].heading} – ${view.merchantName}`}>
        {checkoutResult(view, state, stays)}
      </Layout>,
    )
  return htmlDocument(
    <Layout title={pageTitle(view, form)} script="checkout.js">
      <ConnectionNotice>
        <p>Nothing was sent, and what you typed is still here. Start the sandbox, then try again.</p>
      </ConnectionNotice>
      <main class="checkout grid flex-1">
        {formNotices(view, form)}
        <OrderSummary view={view} />
        <section class="pay" aria-label="Payment">
          <div class="pay-inner">
            {cardForm(view, offered, form)}
            <FinePrint view={view} />
          </div>
        </section>
      </main>
    </Layout>,
  )
}

function pageTitle({ merchantName, totalAmount, currency, declined }: CheckoutView, form?: CheckoutForm) {
  const title = `Pay ${money(totalAmount, currency)} – ${merchantName}`
  if (form !== undefined && Object.keys(form.errors).length > 0) return `To correct: ${title}`
  return declined === null ? title : `Declined: ${title}`
}

/** Addresses are asked for in words alone. assumption: checkout */
const FinePrint = ({ view }: { readonly view: CheckoutView }) => {
  const addresses = [
    view.collectsBillingAddress && 'billing address',
    view.collectsShippingAddress && 'shipping address',
  ].filter((address) => address !== false)
  return (
    <div class="mt-6 grid gap-2 text-note text-ink-soft pt-3 border-t">
      {addresses.length > 0 && (
        <p class="flex items-center gap-2">
          {view.merchantName} asks for a {addresses.join(' and a ')}. Test cards need none.
        </p>
      )}
      <p class="flex items-center gap-2">
        <Icon name="lock" />
        <span>A page of the tillbox sandbox. Card numbers are checked, never stored.</span>
      </p>
    </div>
  )
}

/** Notice above the form: its errors, otherwise the result of the last try. */
const formNotices = ({ declined, triesLeft }: CheckoutView, form: CheckoutForm | undefined) => {
  const wrong = checkoutFields.filter((field) => form?.errors[field] !== undefined)
  if (wrong.length === 0 && declined === null) return null
  return (
    <div class="alerts bg-tint lg:bg-transparent">
      {wrong.length > 0 ? (
        <Notice
          tone="error"
          title={wrong.length === 1 ? 'One thing to correct' : `${wrong.length} things to correct`}
        >
          <ul>
            {wrong.map((field) => {
              const error = form?.errors[field]
              return <li>{field === 'choice' ? error : <a href={`#${field}`}>{error}</a>}</li>
            })}
          </ul>
        </Notice>
      ) : (
        <Notice tone="error" title={`Declined: ${declined?.message}`}>
          <p>
            The bank answered {declined?.code}. Nothing was charged.{' '}
            {triesLeft === 1 ? 'One try is left.' : `${triesLeft} tries are left.`} Choose another card.
          </p>
        </Notice>
      )}
    </div>
  )
}

/** How it ended, or that the bank is being asked. */
type ResultState = Exclude<CheckoutView['state'], 'open'>

interface ResultView {
  readonly icon: IconName
  readonly tone: 'success' | 'error' | 'info' | 'busy'
  readonly heading: string
  readonly text: (view: CheckoutView) => string
}

const results: Readonly<Record<ResultState, ResultView>> = {
  paid: {
    icon: 'check',
    tone: 'success',
    heading: 'Payment received',
    text: ({ merchantName }) =>
      `Thank you. ${merchantName} has your payment. This was a test: no real money moved.`,
  },
  failed: {
    icon: 'cross',
    tone: 'error',
    heading: 'Payment declined',
    text: ({ declined, triesLeft }) => {
      const last = declined === null ? '' : `“${declined.message}” (${declined.code})`
      if (triesLeft > 0)
        return `The bank's answer: ${last || 'none'}. You cannot try again. Nothing was charged.`
      return `The bank declined three times${last && `, most recently with ${last}`}. No more tries are left. Nothing was charged.`
    },
  },
  expired: {
    icon: 'clock',
    tone: 'info',
    heading: 'This payment has expired',
    text: ({ merchantName, isEndedByShop }) =>
      `${isEndedByShop ? `${merchantName} closed this page.` : 'The time to pay has run out.'} Nothing was charged. To pay, start again at ${merchantName}.`,
  },
  cancelled: {
    icon: 'cross',
    tone: 'info',
    heading: 'Payment cancelled',
    text: ({ merchantName }) =>
      `It was cancelled before anything was charged. To pay, start again at ${merchantName}.`,
  },
  processing: {
    icon: 'clock',
    tone: 'busy',
    heading: 'Asking the bank',
    text: () => 'This takes a moment. The page updates automatically. Do not pay again.',
  },
}

/** The end of a payment on one slip: how it ended, what happened, its numbers, and the way back. */
function checkoutResult(view: CheckoutView, state: ResultState, stays: boolean) {
  const { icon, tone, heading, text } = results[state]
  const back = state === 'processing' ? undefined : safeLink(view.returnUrl)
  return (
    <ResultPage
      icon={icon}
      tone={tone}
      heading={heading}
      above={
        <Merchant
          name={view.merchantName}
          className="justify-center border-b border-dashed border-line-strong/60 py-3 text-sm"
        />
      }
    >
      <p class="text-lg tabular-nums text-center mt-1">{money(view.totalAmount, view.currency)}</p>
      <ResultText>{text(view)}</ResultText>
      {back !== undefined && (
        <>
          <a class={`${actionLooks.wide} mt-6`} href={back} rel="noreferrer">
            <span class="button-label">Return to {view.merchantName}</span>
            <Icon name="arrow" />
          </a>
          {!stays && (
            <ResultText>
              You return automatically in 20 seconds.{' '}
              <a class="inline-block" href={`${checkoutPath(view.sessionId)}?stay=on`}>
                Stay on this page
              </a>
            </ResultText>
          )}
        </>
      )}
      {particulars(view)}
      {state === 'paid' && hasLines(view) && <OrderLines view={view} />}
    </ResultPage>
  )
}

const asCode = '*:[dd]:font-mono *:[dd]:text-note'

const particulars = ({ maskedPan, cardNetwork, referenceOrderId, transactionId, ...view }: CheckoutView) => (
  <Pairs
    kind="rows"
    pairs={[
      ['Card', maskedPan && `${networkName(cardNetwork ?? 'Card')} ending in ${maskedPan.slice(-4)}`],
      ['Wallet', wallets.find(({ wallet }) => wallet === view.wallet)?.name],
      ['Order', referenceOrderId, asCode],
      ['Transaction', transactionId, asCode],
    ]}
  />
)
