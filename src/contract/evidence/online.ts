import { assumption } from './claim.ts'

/** The hosted page, and digital wallets. */
export const online = {
  checkout: assumption(
    'A [session](api.md#operation-2-1) takes a payment for 30 minutes of the sandbox clock, with [three ' +
      'tries](api.md#statuses); a host that does not answer in time ends it. The browser returns to ' +
      'merchantReturnUrl after 20 seconds, or by its link, with status (a letter), transactionId, ' +
      'transactionRequestId, referenceOrderId and sessionId in the query. The page says that the merchant ' +
      'asks for an address, but does not ask for it; no answer has one.',
    'A shopper may mistype or take another card; a payment that may have been charged must not be tried ' +
      'again. The parameters are not documented.',
    null,
    {
      errors: ['SBX_SESSION_NONE', 'SBX_SESSION_OVER', 'SBX_SESSION_BUSY'],
      answers: ['create-session', 'expire-session'],
    },
  ),
  'online-originals': assumption(
    'An online refund acts on online payments only. No other follow-up does.',
    'The specification lists the online refund apart, and no other follow-up under `/v1/checkout/`.',
  ),
  wallets: assumption(
    'An online payment has no entryMode, and its authenticationMethod is NOT_AUTHENTICATED; ' +
      'subPaymentMethod names the wallet. The wallet buttons of the page pay with the first card that the ' +
      "page offers. A payload of `tillbox checkout wallet-payload` has the wallet's members; in place of " +
      'what is encrypted (`signedMessage`, `data`) it has JSON: `testCard`, which pays, and `expires`. ' +
      '`TEST` is its signature, and is checked with the expiry. A real payload counts as the first test ' +
      "card, unchecked. A shape other than the wallet's own is noted.",
    "Only the wallet's processor can open a real payload: encrypting a test card would prove nothing.",
    '`--strict` refuses another shape',
    { errors: ['SBX_WALLET'] },
  ),
}
