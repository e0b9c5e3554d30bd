import { assumption } from './claim.ts'

/** The hosted page, and digital wallets. */
export const online = {
  checkout: assumption(
    'A [session](api.md#operation-2-1) takes a payment for 30 minutes of the sandbox clock, with [three ' +
      'tries](api.md#statuses). A host time-out ends it. The browser returns to merchantReturnUrl after 20 ' +
      "seconds, or by the page's link. The query string then has status (a letter), transactionId, " +
      'transactionRequestId, referenceOrderId and sessionId. If the merchant collects an address, the page ' +
      'says so, but has no fields for it, and no answer has an address.',
    'A shopper may mistype or take another card. A payment that may have been charged must not be tried ' +
      'again. The parameters are not documented.',
    null,
    {
      errors: ['SBX_SESSION_NONE', 'SBX_SESSION_OVER', 'SBX_SESSION_BUSY'],
      answers: ['create-session', 'expire-session'],
    },
  ),
  'online-originals': assumption(
    'An online refund acts only on online payments. No other follow-up acts on an online payment.',
    'The specification lists the online refund separately, and no other follow-up under `/v1/checkout/`.',
  ),
  wallets: assumption(
    'An online payment has no entryMode. Its authenticationMethod is NOT_AUTHENTICATED, and ' +
      'subPaymentMethod names the wallet. The wallet buttons of the payment page use the first card that ' +
      "the page offers. `tillbox checkout wallet-payload` prints a payload with the wallet's fields. " +
      'Instead of encrypted data, `signedMessage` or `data` has plain JSON with `testCard` (the card to ' +
      'charge) and `expires`. The signature is the string `TEST`. Signature and expiry are checked. A real ' +
      'payload counts as the first test card, and is not checked. A payload with another shape than the ' +
      "wallet's is accepted with a note.",
    "Only the wallet's processor can decrypt a real payload. To encrypt a test card would prove nothing.",
    '`--strict` refuses another shape',
    { errors: ['SBX_WALLET'] },
  ),
}
