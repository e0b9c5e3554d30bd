import { published } from './claim.ts'

/** What the public SDKs and documents of the service show, and its specification does not. */

const node = 'Node SDK 1.0.17'

export const publicSources = {
  'sdk-operations': published(
    'The specification only mentions the look-ups of merchant and terminals. These look-ups, the list of ' +
      'closed batches, and POST for batch-query follow the SDK.',
    node,
  ),
  'sdk-fields': published(
    "Requests have the fields of the SDKs beside the six of the specification's request table, with the SDKs' names and " +
      'types.',
    `${node}; Python SDK 1.0.14`,
    null,
    {
      fields: [
        'tipAmount',
        'taxAmount',
        'surchargeAmount',
        'cashbackAmount',
        'appId',
        'merchantId',
        'terminalSn',
        'description',
        'attach',
        'notifyUrl',
        'terminalEventNotifyUrl',
        'printReceipt',
        'paymentMethod',
        'cardNetworkType',
        'timeExpire',
        'signatureConfig',
        'signatureEntryLocation',
        'tipConfig',
        'originalTransactionRequestId',
        'productList',
        'merchantReturnUrl',
        'collectBillingAddress',
        'collectShippingAddress',
        'cardEncryptedData',
        'customerName',
        'customerEmail',
        'billingAddress',
        'shippingAddress',
        'sessionId',
        'reason',
        'channelCode',
        'startTime',
        'endTime',
        'nextToken',
      ],
    },
  ),
  'sdk-envelope': published(
    'An answer has [this form](api.md#envelope): `code`, which is the string `"0"` if the request was ' +
      'accepted, `msg`, `traceId` and `data`.',
    `Documents; ${node}; Python SDK 1.0.14`,
    null,
    { envelope: ['code', 'msg', 'traceId', 'data'] },
  ),
  'sdk-values': published(
    'The letters I, P, F and C of a status (S is in the specification), and the values of transaction type, network type, entry mode ' +
      "and verification, are the SDK's.",
    node,
    null,
    {
      record: [
        'transactionStatus',
        'transactionType',
        'cardNetworkType',
        'entryMode',
        'authenticationMethod',
      ],
    },
  ),
  'sdk-record': published(
    'A record has fields that the specification does not have: amounts in an `amount` object, and fields ' +
      'that say which follow-ups a transaction has.',
    `${node}; \`totalAuthorizedAmount\`: Android demo`,
    '`dialect: spec` leaves them out',
    {
      record: [
        'amount',
        'paymentMethodId',
        'subPaymentMethodId',
        'totalAuthorizedAmount',
        'relatedTransactionStatus',
        'transactionBatchStatus',
      ],
    },
  ),
  'public-limits': published(
    'Ids have [maximum lengths](api.md#fields). The list of closed batches covers 30 days. A session ' +
      'takes a payment for 30 minutes. `timeExpire` is 3 minutes to 1 day ahead.',
    `Documents; ${node}`,
    null,
    { limits: ['closeListSpan', 'sessionExpiry', 'shortestExpiry', 'longestExpiry'] },
  ),
  'parameter-code': published(
    '`C17` is the code for a wrong parameter.',
    `${node}; Python SDK 1.0.14`,
    null,
    {
      errors: ['C17'],
    },
  ),
  'trigger-amounts': published(
    "Some amounts are declined, as in the service's public test environment, with the same codes. Only " +
      "the codes of the amounts 8826 and 7629 are tillbox's.",
    'Documents, test amounts',
    '`triggerAmounts: false`',
  ),
}
