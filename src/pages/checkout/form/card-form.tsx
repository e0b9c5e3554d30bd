import { money } from '../../../presentation/money.ts'
import { Button } from '../../components/basics.tsx'
import { Icon } from '../../components/icons.tsx'
import { CardTiles, FoldedTiles, groupCards } from './card-choices.tsx'
import { CardFields } from './card-fields.tsx'
import type { CheckoutForm, OfferedCard } from './checkout-form.ts'
import type { CheckoutView } from './checkout-view.ts'
import { FieldError } from './field.tsx'
import { typedCardChoice } from './read-form.ts'
import { wallets } from './wallets.ts'

export interface CardFormProps {
  readonly view: CheckoutView
  readonly offered: readonly OfferedCard[]
  readonly form: CheckoutForm | undefined
}

/** Choose a test card or type one, and pay; or cancel. */
export const CardForm = ({ view, offered, form }: CardFormProps) => {
  const { first, more, declined } = groupCards(offered)
  const chosen = form === undefined ? first[0]?.name : form.values.choice
  const action = `/checkout/${encodeURIComponent(view.sessionId)}`
  return (
    <>
      <WalletForm action={action} />
      <form class="card-form" method="post" action={`${action}/pay`} data-now={view.now}>
        <fieldset class="choices" aria-describedby="choice-error">
          <legend class="section-title large bold below-4">Choose a test card</legend>
          <FieldError name="choice" error={form?.errors.choice} />
          <CardTiles cards={first} chosen={chosen}>
            <TypedTile chosen={chosen === typedCardChoice} />
          </CardTiles>
          <CardFields form={form} />
          <div class="folds rule-below">
            <FoldedTiles summary={`${more.length} more approved cards`} cards={more} chosen={chosen} />
            <FoldedTiles
              summary={`${declined.length} more declined cards`}
              cards={declined}
              chosen={chosen}
            />
          </div>
        </fieldset>
        <p class="visually-hidden" role="status" data-announce />
        <div class="pay-bar above-5">
          <Button kind="primary" busyLabel="Paying…">
            Pay {money(view.totalAmount, view.currency)}
          </Button>
        </div>
      </form>
      <form class="cancel-form above-2" method="post" action={`${action}/cancel`}>
        <Button kind="quiet">Cancel payment</Button>
      </form>
    </>
  )
}

/** A button for each wallet; the payload holds the first test card. A form of its own: Enter in a field pays by card. */
const WalletForm = ({ action }: { readonly action: string }) => (
  <form class="wallet-form stack gap-2 below-4" method="post" action={`${action}/pay`} aria-label="Wallets">
    {wallets.map(({ wallet, name }) => (
      <button class="button wallet-button" type="submit" name="wallet" value={wallet}>
        {name}
      </button>
    ))}
    <p class="wallet-or row gap-3 note above-2">or by card</p>
  </form>
)

const TypedTile = ({ chosen }: { readonly chosen: boolean }) => (
  <label class="tile pressable lined round-m pad-2-3 row gap-3 tile-typed">
    <input type="radio" name="choice" value={typedCardChoice} checked={chosen} />
    <span class="tile-figure lined stack centered note rigid">
      <Icon name="lock" />
    </span>
    <span class="stack shrinks">
      <span class="tile-number small medium">Type a card number</span>
      <span class="tile-note note">As a shopper would</span>
    </span>
  </label>
)
