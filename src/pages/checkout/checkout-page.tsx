import { money } from '../../presentation/money.ts'
import { ConnectionNotice, Notice } from '../components/basics.tsx'
import { Icon } from '../components/icons.tsx'
import { documentOf, Layout } from '../components/layout.tsx'
import { checkoutResult, resultHeading } from './checkout-result.tsx'
import { cardForm } from './form/card-form.tsx'
import {
  type CheckoutForm,
  type CheckoutView,
  checkoutFields,
  type OfferedCard,
} from './form/checkout-form.ts'
import { OrderSummary } from './order-summary.tsx'

/** The hosted payment page of a session, as a whole document. `form`: refused input; `stays`: it does not return to the merchant by itself. */
export function renderCheckout(
  view: CheckoutView,
  offered: readonly OfferedCard[],
  form?: CheckoutForm,
  stays = false,
): string {
  const { state } = view
  if (state === 'open') return documentOf(openCheckout(view, offered, form))
  return documentOf(
    <Layout title={`${resultHeading(state)} – ${view.merchantName}`}>
      {checkoutResult(view, state, stays)}
    </Layout>,
  )
}

const openCheckout = (
  view: CheckoutView,
  offered: readonly OfferedCard[],
  form: CheckoutForm | undefined,
) => (
  <Layout title={titleOf(view, form)} script="checkout.js">
    <ConnectionNotice>
      <p>Nothing was sent, and what you typed is still here. Start the sandbox, then try again.</p>
    </ConnectionNotice>
    <main class="checkout stack grows">
      {formNotices(view, form)}
      <OrderSummary view={view} />
      <section class="pay" aria-label="Payment">
        <div class="pay-inner">
          {cardForm(view, offered, form)}
          <FinePrint view={view} />
        </div>
      </section>
    </main>
  </Layout>
)

function titleOf(
  { merchantName, totalAmount, currency, declined }: CheckoutView,
  form?: CheckoutForm,
): string {
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
    <div class="fine-print above-5 stack gap-2 note pad-top-3 rule-above">
      {addresses.length > 0 && (
        <p class="row gap-2">
          {view.merchantName} asks for a {addresses.join(' and a ')}. Test cards need none.
        </p>
      )}
      <p class="row gap-2">
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
    <div class="alerts on-tint">
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
