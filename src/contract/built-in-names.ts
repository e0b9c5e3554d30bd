/** Names of the built-in test cards, for suggestions while typing; fixtures may add others. fixtures/cards.json */
export type CardName = BuiltInCard | (string & {})

/** Names of the built-in outcomes, for suggestions while typing; fixtures may add others. fixtures/outcomes.json */
export type OutcomeName = BuiltInOutcome | (string & {})

/** Built-in test cards. */
type BuiltInCard =
  | 'visa-contactless'
  | 'visa-chip-pin'
  | 'visa-debit'
  | 'mastercard-contactless'
  | 'mastercard-chip-signature'
  | 'mastercard-debit'
  | 'amex-chip'
  | 'discover-swipe'
  | 'jcb-contactless'
  | 'diners-chip'
  | 'unionpay-chip-pin'
  | 'visa-manual'
  | 'visa-fallback-swipe'
  | 'visa-declined'
  | 'visa-insufficient-funds'
  | 'visa-expired'
  | 'visa-lost'
  | 'visa-stolen'
  | 'ebt-snap'
  | 'wechat-qr'
  | 'alipay-qr'

/** Built-in outcomes. */
type BuiltInOutcome =
  | 'approve'
  | 'do-not-honor'
  | 'insufficient-funds'
  | 'expired-card'
  | 'invalid-account'
  | 'restricted-card'
  | 'over-limit'
  | 'cvv-mismatch'
  | 'lost-card'
  | 'stolen-card'
  | 'refer-to-issuer'
  | 'suspected-fraud'
  | 'host-timeout'
  | 'late-approval'
  | 'wrong-pin'
  | 'pin-tries-exceeded'
  | 'issuer-unavailable'
  | 'already-settled'
  | 'system-malfunction'
  | 'no-card-fits'
