import { money } from '../../presentation/money.ts'
import { Fold } from '../components/basics.tsx'
import { Pairs } from '../components/pairs.tsx'
import type { CheckoutView } from './form/checkout-view.ts'

const shownAtOnce = 4

/** Products and sums of an order, down to the total. A long list folds. */
export const OrderLines = ({ view }: { readonly view: CheckoutView }) => {
  const { products, currency } = view
  const folds = products.length > shownAtOnce + 1
  return (
    <div class="order">
      {products.length > 0 && (
        <Products currency={currency} products={folds ? products.slice(0, shownAtOnce) : products} />
      )}
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
        {num !== 1 && <span class="product-count note tabular">{`${num} × ${money(amount, currency)}`}</span>}
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
        ['Total', money(totalAmount, currency), 'row-total'],
      ]}
    />
  )
}
