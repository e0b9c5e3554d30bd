import { typedFields } from './card-checks.ts'

/** The fields of the form; nothing else that is posted is looked at. */
export const checkoutFields = ['choice', ...typedFields] as const
type CheckoutField = (typeof checkoutFields)[number]

/** A test card that the page offers. */
export interface OfferedCard {
  readonly name: string
  readonly number: string
  readonly network: string
  /** What paying with it comes to: `approved`, or the message of its decline. */
  readonly outcome: string
}

/** What the shopper had typed, and what is wrong with it. A card number is never among it. */
export interface CheckoutForm {
  readonly values: { readonly choice?: string; readonly holder?: string; readonly expiry?: string }
  readonly errors: Readonly<Partial<Record<CheckoutField, string>>>
}
