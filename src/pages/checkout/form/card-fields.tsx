import { NetworkMark } from '../../components/network-mark.tsx'
import { networkCodes } from '../../components/network-names.ts'
import type { CheckoutForm } from './checkout-form.ts'
import { Field } from './field.tsx'

/** The fields of a card typed by hand. Number and security code are never filled in again. */
export const CardFields = ({ form }: { readonly form: CheckoutForm | undefined }) => (
  <fieldset class="typed stack gap-4">
    <legend class="visually-hidden">Card details</legend>
    <Field
      name="number"
      label="Card number"
      hint="The number of a test card. Real cards are refused."
      error={form?.errors.number}
      autocomplete="cc-number"
      numeric
      maxLength={40}
      end={<RecognisedNetwork />}
    />
    <div class="field-pair stack gap-4">
      <Field
        name="expiry"
        label="Expiry date"
        placeholder="MM/YY"
        hint="Any future month"
        error={form?.errors.expiry}
        value={form?.values.expiry}
        autocomplete="cc-exp"
        numeric
        maxLength={9}
      />
      <Field
        name="securityCode"
        label="Security code"
        hint="Any 3 digits; Amex 4"
        error={form?.errors.securityCode}
        autocomplete="cc-csc"
        numeric
        maxLength={4}
      />
    </div>
    <Field
      name="holder"
      label="Name on card"
      optional
      error={form?.errors.holder}
      value={form?.values.holder}
      autocomplete="cc-name"
      maxLength={128}
    />
  </fieldset>
)

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
