import type { SessionState } from '../../../contract/sandbox/answers.ts'
import type { Product } from '../../../domain/model/transaction.ts'

export type { Product }

/** Where a session stands, as the shopper sees it. */
export type CheckoutState = SessionState

/** What the hosted page shows of a session. Amounts in minor units of `currency`; times in milliseconds. */
export interface CheckoutView {
  readonly sessionId: string
  readonly state: SessionState
  readonly merchantName: string
  readonly referenceOrderId: string | null
  readonly description: string | null
  readonly currency: string
  readonly orderAmount: number
  readonly taxAmount: number
  readonly surchargeAmount: number
  readonly tipAmount: number
  readonly totalAmount: number
  readonly products: readonly Product[]
  /** Tries that are left, of three. */
  readonly triesLeft: number
  /** What the host said to the last try, when it was declined. */
  readonly declined: { readonly code: string; readonly message: string } | null
  readonly expiresAt: number
  /** Sandbox time now. */
  readonly now: number
  readonly transactionId: string
  readonly maskedPan: string | null
  readonly cardNetwork: string | null
  /** Where the browser goes when it is over, with the result in its query; null when the merchant named none. */
  readonly returnUrl: string | null
  readonly collectsBillingAddress: boolean
  readonly collectsShippingAddress: boolean
}

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

/** Fields of the card form. */
export type CheckoutField = 'choice' | 'number' | 'expiry' | 'securityCode' | 'holder'
