import { money } from '../../contract/presentation/money.ts'
import { Fold, Merchant, Slip } from '../components/basics.tsx'
import { Icon } from '../components/icons.tsx'
import { Pairs } from '../components/panel.tsx'
import { type CheckoutView, timeLeftOf } from './form/checkout-form.ts'
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
        <h2 class="flex wrap baseline between gap-3 below-3 body-size">
          <span>Order</span>
          {view.referenceOrderId !== null && <span class="code soft">{view.referenceOrderId}</span>}
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
  const remainingMs = timeLeftOf(view)
  return (
    <p class="row gap-2 soft small above-2" data-time-left={view.isFrozen ? undefined : remainingMs}>
      <Icon name="clock" />
      <span>
        <span class="tabular" data-clock>
          {timeLeftInWords(remainingMs)}
        </span>{' '}
        left to pay
      </span>
    </p>
  )
}

const shownAtOnce = 4

/** True for an order that is more than its total. */
export const hasLines = ({ products, orderAmount, totalAmount }: CheckoutView): boolean =>
  products.length > 0 || orderAmount !== totalAmount

/** Products and sums of an order, down to the total. A long list folds. */
export const OrderLines = ({ view }: { readonly view: CheckoutView }) => {
  const { products, currency } = view
  const folds = products.length > shownAtOnce + 1
  const first = folds ? products.slice(0, shownAtOnce) : products
  return (
    <div class="order">
      {products.length > 0 && <Products currency={currency} products={first} />}
      {folds && (
        <Fold summary={`${products.length - shownAtOnce} more products`}>
          <Products currency={currency} products={products.slice(shownAtOnce)} />
        </Fold>
      )}
      <Sums view={view} />
    </div>
  )
}

const Products = ({ currency, products }: Pick<CheckoutView, 'currency' | 'products'>) => (
  <ul class="products stack gap-3 small">
    {products.map(({ name, amount, num }) => (
      <li class="product stack">
        <span class="product-name">{name}</span>
        <span class="tabular">{money(amount * num, currency)}</span>
        {num !== 1 && <span class="note tabular">{`${num} × ${money(amount, currency)}`}</span>}
      </li>
    ))}
  </ul>
)

const Sums = ({ view }: { readonly view: CheckoutView }) => {
  const { currency, orderAmount, taxAmount, surchargeAmount, tipAmount, totalAmount } = view
  const extras = [
    ['Tax', taxAmount],
    ['Surcharge', surchargeAmount],
    ['Tip', tipAmount],
  ] as const
  const charged = extras.filter(([, amount]) => amount !== 0)
  return (
    <Pairs
      kind="rows"
      pairs={[
        ['Subtotal', charged.length > 0 ? money(orderAmount, currency) : null],
        ...charged.map(([name, amount]) => [name, money(amount, currency)] as const),
        [
          'Total',
          money(totalAmount, currency),
          'row-total baseline above-2 pad-top-3 rule-above body-size bold',
        ],
      ]}
    />
  )
}
