import { money } from '../../contract/presentation/money.ts'
import { Fold, Merchant, Slip } from '../components/basics.tsx'
import { Icon } from '../components/icons.tsx'
import { Pairs } from '../components/panel.tsx'
import { type CheckoutView, timeLeftOf } from './form/checkout-form.ts'
import { timeLeftInWords } from './time-left.ts'

/** The order: content, merchant, amount, and time left. */
export const OrderSummary = ({ view }: { readonly view: CheckoutView }) => (
  <section class="summary bg-tint" aria-labelledby="pay-what">
    <div class="summary-inner">
      <Merchant name={view.merchantName} />
      <h1 class="mt-6" id="pay-what">
        <span class="block text-ink-soft text-sm font-medium">Amount to pay</span>
        <Amount view={view} />
      </h1>
      {view.description !== null && <p class="description mt-2">{view.description}</p>}
      <TimeLeft view={view} />
      <Slip look={hasLines(view) ? '' : 'max-sm:hidden'}>
        <h2 class="flex flex-wrap items-baseline justify-between gap-3 mb-3 text-base">
          <span>Order</span>
          {view.referenceOrderId !== null && <span class="code text-ink-soft">{view.referenceOrderId}</span>}
        </h2>
        <OrderLines view={view} />
      </Slip>
    </div>
  </section>
)

const Amount = ({ view: { totalAmount, currency } }: { readonly view: CheckoutView }) => {
  const amount = money(totalAmount, currency)
  const size =
    amount.length > 18
      ? 'text-2xl'
      : amount.length > 11
        ? 'text-[calc(var(--text-amount)*0.72)]'
        : 'text-amount'
  const [before, after] = amount.split(currency)
  return (
    <span class={`amount block leading-[1.15] tracking-[-0.035em] tabular-nums ${size}`}>
      {after === undefined ? `${amount} ` : before}
      <span class="text-[max(0.4em,1rem)] tracking-[0] text-ink-soft font-medium">{currency}</span>
      {after}
    </span>
  )
}

const TimeLeft = ({ view }: { readonly view: CheckoutView }) => {
  const remainingMs = timeLeftOf(view)
  return (
    <p
      class="flex items-center gap-2 text-ink-soft text-sm mt-2"
      data-time-left={view.isFrozen ? undefined : remainingMs}
    >
      <Icon name="clock" />
      <span>
        <span class="tabular-nums" data-clock>
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
        <Fold summary={`${products.length - shownAtOnce} more products`} className="fold [&>summary]:-mx-3">
          <Products currency={currency} products={products.slice(shownAtOnce)} />
        </Fold>
      )}
      <Sums view={view} />
    </div>
  )
}

const Products = ({ currency, products }: Pick<CheckoutView, 'currency' | 'products'>) => (
  <ul class="products grid gap-3 text-sm">
    {products.map(({ name, amount, num }) => (
      <li class="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4">
        <span>{name}</span>
        <span class="tabular-nums">{money(amount * num, currency)}</span>
        {num !== 1 && (
          <span class="text-note text-ink-soft tabular-nums">{`${num} × ${money(amount, currency)}`}</span>
        )}
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
          'row-total items-baseline mt-2 pt-3 border-t text-base font-semibold first:mt-0 first:border-0 first:pt-0',
        ],
      ]}
    />
  )
}
