import { assumption, published } from './claim.ts'

/** Payments, their follow-ups, and settlement. */
export const payments = {
  refunds: assumption(
    'A refund in flight counts as refunded until it fails or is closed. While it holds all that is left, ' +
      'another one is refused as too large, not as fully refunded, with the id to wait for. The period is ' +
      '180 days from completion, for every network.',
    'Two refunds at the same time could exceed the original. The period is given as "usually 180 days".',
    null,
    { errors: ['SBX_REFUNDED', 'SBX_REFUND_LATE'] },
  ),
  balance: assumption(
    'The [balance](api.md#refund) of a merchant counts per currency. A batch close may leave less of it than ' +
      'is held for refunds in flight; the refund then still succeeds.',
    'The specification names the balance only by its message.',
    '`reserve` of a merchant in `--fixtures`',
    { errors: ['SBX_NO_BALANCE'] },
  ),
  'refund-parts': assumption(
    "The SDKs' object states each part of a refund; a plain `amount`, and an online `totalAmount` alone, " +
      'is a sum that is [taken from the parts in order](api.md#refund). Without `amount`, an online refund takes [all ' +
      'that is left](api.md#operation-2-4), each part as what it was.',
    'The specification shows no field for the tip, and neither payload nor method of the online refund. ' +
      'With its six fields alone, a tipped payment must be refundable in full.',
    null,
    { errors: ['SBX_OVER_REFUND'] },
  ),
  'refund-without-reference': assumption(
    'A refund without an original needs [an order and a terminal](api.md#operation-1-6). A note names the ' +
      'newest payment of the order that can still be refunded, and the command that does it.',
    'Without an original, a card has to be read. Who refunds an order usually means its payment.',
    '`--strict` refuses it',
  ),
  authorisations: assumption(
    'The authorised total has tax, tip and surcharge of an authorisation and its increments; its void ' +
      'states it too. There is one capture: nothing authorised is captured twice.',
    'The specification does not say how often an authorisation is captured.',
  ),
  'capture-limits': assumption(
    'A capture has [limits](api.md#operation-1-5): its order, its tip, and its tax and surcharge each have ' +
      'their own. The limit of the tip also holds for one that is chosen at the terminal or adjusted later.',
    'The specification states no limits; without any, a mistake of two digits passes every test.',
    '`captureTip` for the tip, `captureExcess` for tax and surcharge',
    { errors: ['SBX_OVER_CAPTURE'], limits: ['captureTip', 'captureExcess'] },
  ),
  'auth-validity': assumption(
    'An authorisation is valid for 30 days of the sandbox clock.',
    'The specification states no period; 30 days are usual for card networks.',
    '`authValidity`',
    { errors: ['SBX_AUTH_EXPIRED'], limits: ['authValidity'] },
  ),
  'tip-adjust': assumption(
    'The [new tip](api.md#operation-1-9) replaces the old one; no transaction is opened.',
    'The specification says only "Adjust the tip of a completed transaction".',
    null,
    { errors: ['SBX_NOT_ALLOWED', 'SBX_BATCH_CLOSED'], of: ['tip-adjust'], answers: ['tip-adjust'] },
  ),
  voids: assumption(
    'An authorisation that was captured, or has a follow-up in flight, cannot be voided. Voiding a refund ' +
      'makes the amount refundable again; voiding a capture lets the authorisation be captured again. A ' +
      "transaction counts on the day it completes, in the merchant's time zone, and while its batch is " +
      'open. A void can be sent until the midnight that ends this day, and may complete after it.',
    'A voided transaction counts for nothing. The specification says "of the same day".',
    null,
    { errors: ['SBX_VOID_LATE', 'SBX_BATCH_CLOSED'], of: ['void'] },
  ),
  'abort-and-expiry': assumption(
    'An abort closes a payment, or [is only accepted](api.md#operation-1-8). `timeExpire` has 5 seconds ' +
      'of tolerance at [its limits](api.md#limits).',
    'Accepted does not mean aborted. The tolerance is for clocks and transit.',
    null,
    { answers: ['abort'] },
  ),
  batches: assumption(
    'There is one open batch per terminal, channel (SBX-CARD, SBX-EBT, SBX-QR) and currency; batchNo ' +
      'counts per terminal. SALE, FORCED_AUTH, POST_AUTH and REFUND join it on success; AUTH, INCREMENTAL, ' +
      'VOID and online payments join none. A batch whose transactions are all voided is empty, and opens ' +
      'again with its next transaction. batch-query also takes [a POST](api.md#operation-4-1).',
    'The specification says only "statistics by channel and currency", and shows a GET; three SDKs send ' +
      'POST.',
    null,
    { answers: ['batch-query'] },
  ),
  'close-list': assumption(
    'batch-close-list shows the last 7 days by default.',
    'The specification names no period for a request without one.',
    '`startTime`, `endTime`',
    { of: ['batch-close-list'], answers: ['batch-close-list'] },
  ),
  'batch-close': assumption(
    'Closes [the open batches that are not empty](api.md#operation-4-2). With `extras: false` it answers ' +
      'only the first: name the terminalSn, as the SDKs do. The net is paid out of the balance. A void in ' +
      'flight then fails (012 already-settled), and a refund is paid from what balance is left. An ' +
      'automatic close takes the batches of all terminals at the first such time of day after each was ' +
      "opened, in the merchant's time zone, or when the sandbox starts again.",
    'The specification says only "triggers settlement". The SDKs read one batch; the Python SDK accepts ' +
      'no `batchList`.',
    '`autoClose`, off unless set',
    { errors: ['SBX_BATCH_EMPTY'], unchanged: ['SBX_BATCH_EMPTY'], answers: ['batch-close'] },
  ),
  'merchant-records': published(
    'Merchant and terminals have [the fields that the SDKs read](api.md#merchants). Those registered on ' +
      'first sight have plain details.',
    'Node SDK 1.0.17',
    '`--fixtures`',
    { answers: ['merchant-query', 'merchant-terminals'] },
  ),
}
