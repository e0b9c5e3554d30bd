import type { Child } from 'hono/jsx'
import { money } from '../../../contract/presentation/money.ts'
import { Submit } from '../../components/actions.tsx'
import { Fold } from '../../components/basics.tsx'
import { drawField, type FormField, fieldError } from '../../components/field.tsx'
import { Icon, NetworkMark } from '../../components/icons.tsx'
import { networkCodes, networkName } from '../../components/network-names.ts'
import type { Values } from '../../frame/page-view.tsx'
import { groupDigits, type TypedField } from './card-checks.ts'
import {
  type CheckoutForm,
  type CheckoutView,
  type OfferedCard,
  typedCardChoice,
  wallets,
} from './checkout-form.ts'

/** Choose a test card or type one, and pay; or cancel. */
export const cardForm = (view: CheckoutView, offered: readonly OfferedCard[], form?: CheckoutForm) => {
  const { first, more, declined } = groupCards(offered)
  const chosen = form === undefined ? first[0]?.name : form.values.choice
  const action = `/checkout/${encodeURIComponent(view.sessionId)}`
  return (
    <>
      <WalletForm action={`${action}/pay`} />
      <form class="card-form" method="post" action={`${action}/pay`} data-now={view.now}>
        <fieldset class="choices" aria-describedby="choice-error">
          <legend class="tight large bold below-4">Choose a test card</legend>
          {fieldError('choice', form?.errors.choice)}
          {cardTiles(first, chosen, <TypedTile chosen={chosen === typedCardChoice} />)}
          <CardFields form={form} />
          <div class="folds rule-below">
            {foldedTiles(`${more.length} more approved cards`, more, chosen)}
            {foldedTiles(`${declined.length} more declined cards`, declined, chosen)}
          </div>
        </fieldset>
        <p class="visually-hidden" role="status" data-announce />
        <div class="pay-bar above-5">
          <Submit look="main" className="action-wide wide gap-2" data-busy-label="Paying…" autocomplete="off">
            <span class="button-label">Pay {money(view.totalAmount, view.currency)}</span>
          </Submit>
        </div>
      </form>
      <form class="cancel-form above-2" method="post" action={`${action}/cancel`}>
        <Submit className="action-wide wide gap-2" autocomplete="off">
          <span class="button-label">Cancel payment</span>
        </Submit>
      </form>
    </>
  )
}

/** A button for each wallet; the payload holds the first test card. A form of its own: Enter in a field pays by card. */
const WalletForm = ({ action }: { readonly action: string }) => (
  <form class="wallet-form halves stack gap-2 below-4" method="post" action={action} aria-label="Wallets">
    {wallets.map(({ wallet, name }) => (
      <Submit look="main" className="wallet-button" name="wallet" value={wallet}>
        {name}
      </Submit>
    ))}
    <p class="wallet-or row gap-3 note above-2">or by card</p>
  </form>
)

const TypedTile = ({ chosen }: { readonly chosen: boolean }) => (
  <label class="tile pressable lined round-m pad-2-3 row gap-3 tile-typed">
    <input type="radio" name="choice" value={typedCardChoice} checked={chosen} />
    <span class="tile-figure clipped lined stack centered note rigid">
      <Icon name="lock" />
    </span>
    <span class="stack shrinks">
      <span class="small medium">Type a card number</span>
      <span class="note line-1-3">As a shopper would</span>
    </span>
  </label>
)

/** Declined cards among the first: the usual reason, and one that shoppers can act on. */
const firstDeclined = ['visa-declined', 'visa-insufficient-funds']

/** The test cards in the order the page shows them: one of each network and two declined, the others of both. */
function groupCards(offered: readonly OfferedCard[]) {
  const approved = offered.filter(({ outcome }) => outcome === 'approved')
  const isFirst = ({ network }: OfferedCard, index: number) =>
    approved.findIndex((card) => card.network === network) === index
  const declined = offered.filter(({ outcome }) => outcome !== 'approved')
  const isPromoted = ({ name }: OfferedCard) => firstDeclined.includes(name)
  return {
    first: [...approved.filter(isFirst), ...declined.filter(isPromoted)],
    more: approved.filter((card, index) => !isFirst(card, index)),
    declined: declined.filter((card) => !isPromoted(card)),
  }
}

/** Tiles of test cards, one of which can be selected. Children are appended as another tile. */
const cardTiles = (cards: readonly OfferedCard[], chosen: string | undefined, last?: Child) => (
  <div class="tiles stack gap-2">
    {cards.map((card) => cardTile(card, card.name === chosen))}
    {last}
  </div>
)

/** Tiles that are folded away until they are asked for, or one of them is the chosen one. */
const foldedTiles = (summary: string, cards: readonly OfferedCard[], chosen: string | undefined) =>
  cards.length === 0 ? null : (
    <Fold summary={summary} open={cards.some(({ name }) => name === chosen)}>
      {cardTiles(cards, chosen)}
    </Fold>
  )

const cardTile = (card: OfferedCard, chosen: boolean) => (
  <label class="tile pressable lined round-m pad-2-3 row gap-3">
    <input type="radio" name="choice" value={card.name} checked={chosen} data-number={card.number} />
    <NetworkMark network={card.network} />
    <span class="stack shrinks">
      <span class="small medium tabular">{groupDigits(card.number)}</span>
      <span class="note line-1-3">
        {networkName(card.network)}
        <span> · </span>
        {card.outcome === 'approved' ? (
          <span class="approved">Approved</span>
        ) : (
          <span class="declined">
            <span class="visually-hidden">Declined: </span>
            {card.outcome}
          </span>
        )}
      </span>
    </span>
  </label>
)

/** The fields of a card typed by hand. Number and security code are never filled in again. */
const CardFields = ({ form }: { readonly form: CheckoutForm | undefined }) => {
  const values: Values = form?.values ?? {}
  const [number, expiry, securityCode, holder] = typedCard.map((field) =>
    drawField(field, { value: values[field.name], error: form?.errors[field.name] }),
  )
  return (
    <fieldset class="typed stack gap-4">
      <legend class="visually-hidden">Card details</legend>
      {number}
      <div class="field-pair stack gap-4">
        {expiry}
        {securityCode}
      </div>
      {holder}
    </fieldset>
  )
}

/** Marks of all networks; the script shows and announces the one of the first digits. */
const RecognisedNetwork = () => (
  <span class="recognised">
    {networkCodes.map((network) => (
      <span data-network={network} hidden>
        <NetworkMark network={network} />
      </span>
    ))}
    <span class="visually-hidden" role="status" data-network-name />
  </span>
)

const typedCard: readonly (FormField & { readonly name: TypedField })[] = [
  {
    name: 'number',
    label: 'Card number',
    hint: 'The number of a test card. Real cards are refused.',
    autocomplete: 'cc-number',
    inputMode: 'numeric',
    maxLength: 40,
    end: <RecognisedNetwork />,
  },
  {
    name: 'expiry',
    label: 'Expiry date',
    placeholder: 'MM/YY',
    hint: 'Any future month',
    autocomplete: 'cc-exp',
    inputMode: 'numeric',
    maxLength: 9,
  },
  {
    name: 'securityCode',
    label: 'Security code',
    hint: 'Any 3 digits; Amex 4',
    autocomplete: 'cc-csc',
    inputMode: 'numeric',
    maxLength: 4,
  },
  { name: 'holder', label: 'Name on card', optional: true, autocomplete: 'cc-name', maxLength: 128 },
]
