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
        <fieldset class="choices *:[.field-error]:mt-0 *:[.field-error]:mb-3" aria-describedby="choice-error">
          <legend class="tracking-tight text-lg font-semibold mb-4">Choose a test card</legend>
          {fieldError('choice', form?.errors.choice)}
          {cardTiles(first, chosen, <TypedTile chosen={chosen === typedCardChoice} />)}
          <div class="mt-4 border-b *:border-t [&_.tiles]:pt-1 [&_.tiles]:pb-4">
            {foldedTiles(`${more.length} more approved cards`, more, chosen)}
            {foldedTiles(`${declined.length} more declined cards`, declined, chosen)}
          </div>
          <CardFields form={form} />
        </fieldset>
        <p class="sr-only" role="status" data-announce />
        <div class="pay-bar mt-6">
          <Submit look="wide" data-busy-label="Paying…" autocomplete="off">
            <span class="button-label">Pay {money(view.totalAmount, view.currency)}</span>
          </Submit>
        </div>
      </form>
      <form class="cancel-form mt-2" method="post" action={`${action}/cancel`}>
        <Submit look="link" className="w-full justify-center" autocomplete="off">
          <span class="button-label">Cancel payment</span>
        </Submit>
      </form>
    </>
  )
}

/** A button for each wallet; the payload is of the first test card. A form of its own: Enter pays by card. */
const WalletForm = ({ action }: { readonly action: string }) => (
  <form class="wallet-form grid-cols-2 grid gap-2 mb-4" method="post" action={action} aria-label="Wallets">
    {wallets.map(({ wallet, name }) => (
      <Submit look="wallet" name="wallet" value={wallet}>
        {name}
      </Submit>
    ))}
    <p class="col-span-full mt-2 flex items-center gap-3 text-note text-ink-soft before:flex-1 before:border-t after:flex-1 after:border-t">
      or by card
    </p>
  </form>
)

const tileLook =
  'tile flex min-h-15 cursor-pointer items-center gap-3 rounded-lg border bg-surface px-3 py-2 hover:border-line-strong has-checked:border-accent has-checked:bg-accent-tint has-checked:inset-ring has-checked:inset-ring-accent *:[input]:flex-none *:[input]:outline-none'

const TypedTile = ({ chosen }: { readonly chosen: boolean }) => (
  <label class={`${tileLook} tile-typed`}>
    <input type="radio" name="choice" value={typedCardChoice} checked={chosen} />
    <span class="tile-figure overflow-hidden border grid place-items-center text-note text-ink-soft flex-none">
      <Icon name="lock" />
    </span>
    <span class="grid min-w-0">
      <span class="text-sm font-medium">Type a card number</span>
      <span class="text-note text-ink-soft leading-snug">As a shopper would</span>
    </span>
  </label>
)

/** Declined cards among the first: the usual reason, and one that shoppers can act on. */
const firstDeclined = ['visa-declined', 'visa-insufficient-funds']

/** The test cards in the page's order: one of each network and two declined, the others of both. */
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
  <div class="tiles grid grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] gap-2">
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
  <label class={tileLook}>
    <input type="radio" name="choice" value={card.name} checked={chosen} data-number={card.number} />
    <NetworkMark network={card.network} />
    <span class="grid min-w-0">
      <span class="text-sm font-medium tabular-nums">{groupDigits(card.number)}</span>
      <span class="text-note text-ink-soft leading-snug">
        {networkName(card.network)}
        <span> · </span>
        {card.outcome === 'approved' ? (
          <span class="text-good">Approved</span>
        ) : (
          <span class="text-bad">
            <span class="sr-only">Declined: </span>
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
    <fieldset class="typed grid gap-4 pt-6 pb-2 [--field:9rem] [--spacing-control:3rem]">
      <legend class="sr-only">Card details</legend>
      {number}
      <div class="field-pair grid gap-4">
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
    <span class="sr-only" role="status" data-network-name />
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
