import { assumption, published } from './claim.ts'

/** Payments, their follow-ups, and settlement. */
export const payments = {
  refunds: assumption(
    'A pending refund counts as refunded until it fails or is closed. While it covers the whole ' +
      'remainder, a second refund gets `SBX_OVER_REFUND`, not `SBX_REFUNDED`, and the error names the ' +
      'pending refund. The refund period is 180 days from completion, for every network.',
    'Two refunds at the same time could exceed the original. The specification gives the period as ' +
      '"usually 180 days".',
    null,
    { errors: ['SBX_REFUNDED', 'SBX_REFUND_LATE'] },
  ),
  balance: assumption(
    'A merchant has a [balance](api.md#refund) per currency. A batch close may leave less than a pending ' +
      'refund needs; the refund still succeeds.',
    'The specification mentions the balance only in an error message.',
    '`reserve` of a merchant in `--fixtures`',
    { errors: ['SBX_NO_BALANCE'] },
  ),
  'refund-parts': assumption(
    "The SDKs' object states each part of a refund. A plain `amount` or an online `totalAmount`, without " +
      'parts, is a total that is [taken from the parts in order](api.md#refund). Without `amount`, an ' +
      'online refund covers [the whole remainder](api.md#operation-2-4), each part as it was paid.',
    'The specification shows no field for the tip, and no request of the online refund. A payment with a ' +
      "tip must be refundable in full with the six fields of the specification's request table.",
    null,
    { errors: ['SBX_OVER_REFUND'] },
  ),
  'refund-without-reference': assumption(
    'A refund without an original needs [an order and a terminal](api.md#operation-1-6). If the order ' +
      'has a payment that can still be refunded, a note names the newest one and the command for it.',
    'Without an original, a card must be read. A client that refunds an order usually means its payment.',
    '`--strict` refuses it',
  ),
  authorisations: assumption(
    'The authorised total includes tax, tip and surcharge of the authorisation and its increments. A ' +
      'void of the authorisation reports this total. An authorisation can be captured once.',
    'The specification does not say how often an authorisation can be captured.',
  ),
  'capture-limits': assumption(
    'The order amount, the tip, tax and surcharge of a capture have [limits](api.md#operation-1-5). The ' +
      'tip limit also applies to tips that are chosen at the terminal or adjusted later.',
    'The specification states no limits. Without any, an amount that is 100 times too large would pass ' +
      'every test.',
    '`captureTip` for the tip, `captureExcess` for tax and surcharge',
    { errors: ['SBX_OVER_CAPTURE'], limits: ['captureTip', 'captureExcess'] },
  ),
  'auth-validity': assumption(
    'An authorisation is valid for 30 days of the sandbox clock.',
    'The specification states no period. Card networks allow between a few days and 30, by the type of ' +
      'authorisation and merchant; 30 days are for hotels and similar.',
    '`authValidity`',
    { errors: ['SBX_AUTH_EXPIRED'], limits: ['authValidity'] },
  ),
  'tip-adjust': assumption(
    'The [new tip](api.md#operation-1-9) replaces the old one. No transaction is opened.',
    'The specification says only "Adjust the tip of a completed transaction".',
    null,
    { errors: ['SBX_NOT_ALLOWED', 'SBX_BATCH_CLOSED'], of: ['tip-adjust'], answers: ['tip-adjust'] },
  ),
  voids: assumption(
    'An authorisation that was captured, or has a pending follow-up, cannot be voided. After the void of ' +
      'a refund, the amount can be refunded again. After the void of a capture, the authorisation can be ' +
      "captured again. A void must be sent on the merchant's day on which the original completed, while " +
      'the batch is open. It may complete after midnight.',
    'A voided transaction counts for nothing. The specification says "same-day".',
    null,
    { errors: ['SBX_VOID_LATE', 'SBX_BATCH_CLOSED'], of: ['void'] },
  ),
  'abort-and-expiry': assumption(
    'An abort closes a payment, or [comes too late](api.md#operation-1-8). `timeExpire` may exceed ' +
      '[its limits](api.md#limits) by 5 seconds.',
    'The host may already have been asked. The 5 seconds are for clock differences and transit.',
    null,
    { answers: ['abort'] },
  ),
  batches: assumption(
    'Each terminal has one open batch per channel (SBX-CARD, SBX-EBT, SBX-QR) and currency. batchNo ' +
      'counts per terminal. SALE, FORCED_AUTH, POST_AUTH and REFUND join a batch on success. AUTH, ' +
      'INCREMENTAL, VOID and online payments join none. If all transactions of a batch are voided, the ' +
      'batch is empty; the next transaction opens it again. batch-query can also be [a ' +
      'POST](api.md#operation-4-1).',
    'The specification says only "statistics by channel and currency", and shows a GET. Three SDKs send ' +
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
    'A close acts on [the open batches that are not empty](api.md#operation-4-2). With `extras: false` ' +
      'the answer describes only the first one: name the terminalSn, as the SDKs do. A void that is ' +
      'pending at the close fails with 012 (already-settled). The sandbox pays the net amount out of the ' +
      "merchant's balance at once; a real acquirer pays out later. With `autoClose`, each batch closes at " +
      "the next configured time in the merchant's time zone. If the sandbox is stopped at that time, the " +
      'batch closes at the next start.',
    'The specification says only "trigger settlement". The SDKs read one batch; the Python SDK accepts ' +
      'no `batchList`.',
    '`autoClose`, off unless set',
    { errors: ['SBX_BATCH_EMPTY'], unchanged: ['SBX_BATCH_EMPTY'], answers: ['batch-close'] },
  ),
  'merchant-records': published(
    'Merchants and terminals have [the fields that the SDKs read](api.md#merchants). Those that ' +
      '`terminals: open` adds have default details.',
    'Node SDK 1.0.17',
    '`--fixtures`',
    { answers: ['merchant-query', 'merchant-terminals'] },
  ),
}
