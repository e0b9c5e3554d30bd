import { specified } from './claim.ts'

/** Rules of the specification, named by their anchors in docs/api.md, which lists the numbered ones. */

const overview = {
  'service-1': specified(
    'What the service does 1',
    '**In-person payments** run on a terminal, or in the cloud where the operation allows it. Their paths begin ' +
      'with `/v1/semi-integration/transaction/`.',
  ),
  'service-2': specified(
    'What the service does 2',
    '**Online payments** run on a hosted page (a checkout session) or as a direct payment from a digital wallet. ' +
      'Plaintext card data is never part of a request.',
    {
      adds: 'It is refused with `SBX_CARD_DATA` before it is logged or stored ([how it is recognized](assumptions.md#card-data)).',
      errors: ['SBX_CARD_DATA'],
    },
  ),
  'service-3': specified(
    'What the service does 3',
    '**One query** finds a transaction of any type, in person or online.',
  ),
  'service-4': specified('What the service does 4', '**Settlement** shows open batches and closes them.'),
  'service-5': specified('What the service does 5', '**Look-ups** show the merchant and its terminals.'),
  'service-6': specified(
    'What the service does 6',
    '**Currencies** are ISO 4217 codes, such as `USD`, `JPY` or `KWD`.',
    {
      adds:
        'Codes must be upper case and in current use. ISO 4217 must define their number of decimals, such as 0 ' +
        'for `JPY`; `XAU` has none, and is refused.',
      fields: ['priceCurrency'],
    },
  ),
}

const authentication = {
  'authentication-1': specified(
    'Authentication 1',
    'Send the API key as `Authorization: Bearer <API_KEY>`, a bearer token (RFC 6750), with exactly one space.',
    {
      adds: '`bearer` in another case is accepted with a note; `--strict` refuses it.',
      errors: ['SBX_AUTH_MISSING', 'SBX_AUTH_FORMAT'],
    },
  ),
  'authentication-2': specified('Authentication 2', 'The service requires HTTPS with TLS 1.2 or higher.', {
    adds: 'The sandbox listens on loopback with plain HTTP, or with HTTPS if it was started with `--https`.',
  }),
  'authentication-3': specified(
    'Authentication 3',
    'Every request carries the four headers [below](#headers).',
  ),
  'authentication-4': specified(
    'Authentication 4',
    "Merchants create, view and regenerate keys in the service's portal.",
    {
      adds: '`tillbox sandbox env --show-key` shows the key, and `POST /_sandbox/keys/regenerate` replaces it.',
    },
  ),
  'authentication-5': specified(
    'Authentication 5',
    'Rotate keys every 90 days. After a regeneration, the old key stays valid for a limited time.',
    { adds: 'The limited time is 24 hours, or `graceMs`.', errors: ['SBX_KEY_EXPIRED'] },
  ),
  'authentication-6': specified(
    'Authentication 6',
    'An application can have an IP allow-list. It takes effect immediately. Requests from other ' +
      'addresses are refused.',
    { adds: 'The list also accepts ranges. An empty list allows every address.', errors: ['SBX_IP_BLOCKED'] },
  ),
  'authentication-7': specified(
    'Authentication 7',
    'Authentication fails for a wrong key, a key of another environment, a malformed `Authorization`, a ' +
      'malformed or deviating timestamp, and a malformed or reused request id.',
    { errors: ['SBX_KEY_UNKNOWN', 'SBX_KEY_ENV'] },
  ),
}

const headers = {
  'header-authorization': specified(
    'Authentication 3',
    '`Bearer <API_KEY>`. The key must belong to this environment.',
    { headers: ['Authorization'], errors: ['SBX_KEY_ENV'] },
  ),
  'header-content-type': specified('Authentication 3', '`application/json`.', {
    adds:
      'Required for a request with a body. A GET needs none, unless `strictContentType` is set. ' +
      '`charset=utf-8` is accepted with a note, because the real service was reported to refuse it. ' +
      '`--strict` and `charset: refuse` accept only the exact value.',
    headers: ['Content-Type'],
    errors: ['SBX_MEDIA_TYPE'],
  }),
  'header-x-client-request-id': specified(
    'Authentication 3',
    'A UUID, new for each request. A POST that repeats a UUID within 10 minutes is a duplicate; a GET ' +
      'may repeat it.',
    {
      adds:
        'Dashes are optional. The sandbox also accepts 1 to 64 printable ASCII characters without spaces, ' +
        'with a note; `--strict` and `requestIds: uuid` do not. The 10 minutes are of the wall clock.',
      headers: ['X-Client-Request-Id'],
      errors: ['SBX_REQ_ID_NONE', 'SBX_REQ_ID_FORM', 'SBX_DUP_REQUEST'],
    },
  ),
  'header-x-timestamp': specified(
    'Authentication 3',
    "Unix time in milliseconds, 13 digits. It may differ from the service's time by at most 10 minutes. " +
      'Ten digits are seconds, and are wrong.',
    {
      adds: "The service's time is the wall clock: `sandbox clock` does not move it.",
      headers: ['X-Timestamp'],
      errors: ['SBX_TIME_MISSING', 'SBX_TIME_FORMAT', 'SBX_TIME_SKEW'],
    },
  ),
}

/** What acts on an earlier transaction. */
const followUps = [
  ...(['incremental-auth', 'post-auth', 'refund', 'void'] as const),
  ...(['abort', 'tip-adjust', 'online-refund'] as const),
]

const identifiers = {
  'ids-1': specified(
    'Rules for referenceOrderId and transactionRequestId 1',
    '`referenceOrderId` may be sent with a sale, an auth, a forced auth and a refund without an original.',
    {
      adds: 'Online payments accept it too.',
      fields: ['referenceOrderId'],
      of: ['sale', 'auth', 'forced-auth', 'refund', 'create-session', 'direct-payment'],
    },
  ),
  'ids-2': specified(
    'Rules for referenceOrderId and transactionRequestId 2',
    '`referenceOrderId` must not be sent with a follow-up: incremental auth, post auth, void, abort, tip ' +
      'adjust and a refund with an original. A follow-up is linked to its original by `originalTransactionId`.',
    {
      adds: "A follow-up's record has the original's order.",
      fields: ['referenceOrderId', 'originalTransactionId'],
      of: followUps,
    },
  ),
  'ids-3': specified(
    'Rules for referenceOrderId and transactionRequestId 3',
    'One order can have many transactions: a sale and several refunds, or an auth with its increments and its ' +
      'capture.',
  ),
  'ids-4': specified(
    'Rules for referenceOrderId and transactionRequestId 4',
    '`transactionRequestId` is new for each transaction. It must not be reused. It must not equal the ' +
      'order id, because one order can have several transactions.',
    {
      adds:
        'The id stays used for good, per merchant. A reused id is refused with `SBX_DUP_TXN_ID`. An abort ' +
        'and a tip adjust do not require an id. If they send one, it must be new too.',
      fields: ['transactionRequestId'],
      errors: ['SBX_DUP_TXN_ID'],
    },
  ),
  'ids-5': specified(
    'Rules for referenceOrderId and transactionRequestId 5',
    'A retry after a failed transaction uses a new `transactionRequestId`. Its `referenceOrderId` may stay.',
  ),
}

const statuses = {
  'statuses-1': specified(
    'States and transitions 1',
    'A refund needs an original with status SUCCESS. Otherwise it is refused with ' +
      '[`SBX_NOT_ALLOWED`](api.md#error-sbx-not-allowed).',
    { errors: ['SBX_NOT_ALLOWED'], of: ['refund', 'online-refund'] },
  ),
  'statuses-2': specified(
    'States and transitions 2',
    'While the original is PROCESSING, the refund has to wait until it completes.',
  ),
  'statuses-3': specified(
    'States and transitions 3',
    'After a failed transaction, a retry needs a new `transactionRequestId`.',
  ),
}

const refunds = {
  'refund-1': specified('Refund rules 1', 'A payment can have several partial refunds.'),
  'refund-2': specified(
    'Refund rules 2',
    "Together they must not exceed the payment's amount " +
      '([`SBX_OVER_REFUND`](api.md#error-sbx-over-refund)).',
    {
      adds:
        'The limit applies to the whole, and to each part (order, tax, surcharge, tip, cashback). A pending ' +
        'refund counts until it fails.',
      errors: ['SBX_OVER_REFUND'],
    },
  ),
  'refund-3': specified('Refund rules 3', 'The request chooses whether the tip is refunded.', {
    adds:
      'With `tipAmount` or another part, in the object or beside a plain `amount`, exactly the stated parts ' +
      'are refunded. A plain `amount` without parts is a total. If it equals the remainder, every part is ' +
      'refunded. Otherwise it is taken from the order amount first, then from tax, surcharge, tip and cashback.',
  }),
}

const limits = {
  'limit-timestamp': specified(
    'Limits',
    "X-Timestamp differs from the service's time by at most 10 minutes.",
    {
      errors: ['SBX_TIME_SKEW'],
      limits: ['timestampDeviation'],
    },
  ),
  'limit-duplicates': specified(
    'Limits',
    'A POST must not repeat an X-Client-Request-Id within 10 minutes.',
    {
      errors: ['SBX_DUP_REQUEST'],
      limits: ['clientRequestIdWindow'],
    },
  ),
  'limit-refunds': specified('Limits', 'The refunds of a payment add up to at most its amount.', {
    errors: ['SBX_OVER_REFUND'],
  }),
  'limit-refund-period': specified('Limits', 'Some card networks limit refunds, usually to 180 days.', {
    errors: ['SBX_REFUND_LATE'],
    limits: ['refundPeriod'],
  }),
  'limit-void': specified('Limits', 'Only a transaction of the same day can be voided.', {
    adds: "The day is the merchant's day on which the transaction completed.",
    errors: ['SBX_VOID_LATE'],
  }),
}

/** The members of the record, in the order of the specification. */
const recordMembers = [
  'transactionId',
  'transactionRequestId',
  'referenceOrderId',
  'transactionStatus',
  'transactionType',
  'createTime',
  'completeTime',
  'priceCurrency',
  'orderAmount',
  'transactionAmount',
  'taxAmount',
  'surchargeAmount',
  'tipAmount',
  'cashbackAmount',
  'maskedPan',
  'cardNetworkType',
  'paymentMethod',
  'subPaymentMethod',
  'batchNo',
  'voucherNo',
  'stan',
  'rrn',
  'authCode',
  'entryMode',
  'authenticationMethod',
  'transactionResultCode',
  'transactionResultMsg',
  'terminalSn',
  'description',
  'attach',
]

const shapes = {
  operations: specified(
    'Endpoints',
    'Every operation has its path, under `/v1/`, and its purpose. All but two have their method.',
    {
      errors: ['SBX_NO_PATH', 'SBX_METHOD', 'SBX_WRONG_TYPE'],
    },
  ),
  json: specified('Endpoints', 'Requests and answers are JSON in UTF-8.', { errors: ['SBX_BAD_JSON'] }),
  fields: specified(
    'Fields seen in requests',
    'Requests have six fields: `transactionRequestId`, `referenceOrderId`, `originalTransactionId`, ' +
      '`pushToTerminal`, `amount` and `priceCurrency`, each with its type.',
    {
      fields: [
        'transactionRequestId',
        'referenceOrderId',
        'originalTransactionId',
        'pushToTerminal',
        'amount',
        'priceCurrency',
      ],
    },
  ),
  'query-by-id': specified('Payload shapes', 'A query names its transaction by `transactionId`.', {
    fields: ['transactionId'],
  }),
  record: specified(
    'Transaction record',
    'A transaction record has [thirty fields](api.md#record), each with its type.',
    {
      record: recordMembers,
    },
  ),
  'refund-messages': specified(
    'Errors',
    'A refund can be rejected with [five messages](api.md#refund), each with a condition and a remedy.',
    {
      errors: ['SBX_NOT_ALLOWED', 'SBX_OVER_REFUND', 'SBX_NO_BALANCE', 'SBX_REFUNDED', 'SBX_REFUND_LATE'],
      of: ['refund', 'online-refund'],
    },
  ),
}

export const specification = {
  ...overview,
  ...authentication,
  ...headers,
  ...identifiers,
  ...statuses,
  ...refunds,
  ...limits,
  ...shapes,
}
