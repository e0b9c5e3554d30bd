/**
 * Names that fixtures add, so that they compile beside the built-in ones:
 * `declare module 'tillbox' { interface FixtureNames { outcomes: 'fraud-check' } }`
 */
// biome-ignore lint/suspicious/noEmptyInterface: projects add members to it
export interface FixtureNames {}

type Added<K extends string> = FixtureNames extends Readonly<Record<K, infer N extends string>> ? N : never

/** Names of the built-in test cards, and those that `FixtureNames` adds. fixtures/cards.json */
export type CardName = BuiltInCard | Added<'cards'>

/** Names of the built-in outcomes, and those that `FixtureNames` adds. fixtures/outcomes.json */
export type OutcomeName = BuiltInOutcome | Added<'outcomes'>

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
