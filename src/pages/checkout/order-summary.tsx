import { money } from '../../presentation/money.ts'
import { Slip } from '../components/basics.tsx'
import { Icon } from '../components/icons.tsx'
import { Merchant } from '../components/merchant.tsx'
import type { CheckoutView } from './form/checkout-view.ts'
import { OrderLines } from './order-lines.tsx'
import { timeLeftInWords } from './time-left.ts'

/** The order: content, merchant, amount, and time left. */
export const OrderSummary = ({ view }: { readonly view: CheckoutView }) => (
  <section class="summary on-tint" aria-labelledby="pay-what">
    <div class="summary-inner">
      <Merchant name={view.merchantName} />
      <h1 class="above-5" id="pay-what">
        <span class="block soft small medium">Amount to pay</span>
        <Amount view={view} />
      </h1>
      {view.description !== null && <p class="description above-2">{view.description}</p>}
      <TimeLeft view={view} />
      <Slip>
        <h2 class="slip-title body-size">
          <span>Your order</span>
          {view.referenceOrderId !== null && <span class="code">{view.referenceOrderId}</span>}
        </h2>
        <OrderLines view={view} />
      </Slip>
    </div>
  </section>
)

const Amount = ({ view: { totalAmount, currency } }: { readonly view: CheckoutView }) => {
  const amount = money(totalAmount, currency)
  const size =
    amount.length > 18 ? 'amount amount-longest' : amount.length > 11 ? 'amount amount-long' : 'amount'
  const [before, after] = amount.split(currency)
  return (
    <span class={size}>
      {after === undefined ? `${amount} ` : before}
      <span class="amount-code soft medium">{currency}</span>
      {after}
    </span>
  )
}

const TimeLeft = ({ view }: { readonly view: CheckoutView }) => {
  const left = view.expiresAt - view.now
  return (
    <p class="row gap-2 soft small above-2" data-time-left={left}>
      <Icon name="clock" />
      <span>
        <span class="tabular" data-clock>
          {timeLeftInWords(left)}
        </span>{' '}
        left to pay
      </span>
    </p>
  )
}
