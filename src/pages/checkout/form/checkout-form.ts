import { typedFields } from './card-checks.ts'

/** The fields of the form; other posted fields are ignored. */
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

/** The shopper's input and its errors, never a card number. */
export interface CheckoutForm {
  readonly values: { readonly choice?: string; readonly holder?: string; readonly expiry?: string }
  readonly errors: Readonly<Partial<Record<CheckoutField, string>>>
}
