import { published } from './claim.ts'

/** What the public SDKs and documents of the service show, and its specification does not. */

const node = 'Node SDK 1.0.17'

export const publicSources = {
  'sdk-operations': published(
    'The look-ups of merchant and terminals, which the specification only mentions, the list of closed ' +
      'batches, and POST as the method of two operations.',
    node,
  ),
  'sdk-fields': published(
    'Members of requests beside the six of the specification, with their names and types.',
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
    '[The form of an answer](api.md#envelope): `code`, a text that is `0` for accepted, `msg`, `traceId` and ' +
      '`data`.',
    `Documents; ${node}; Python SDK 1.0.14`,
    null,
    { envelope: ['code', 'msg', 'traceId', 'data'] },
  ),
  'sdk-values': published(
    'The letters I, P, F and C of a status, and the values of types, networks, entry modes and verification.',
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
    'Members of a record that the specification does not have: amounts nested, and marks of follow-ups.',
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
    'Lengths of ids, 30 days for the list of closed batches, 30 minutes for a session, 3 minutes to 1 day for ' +
      '`timeExpire`.',
    `Documents; ${node}`,
    null,
    { limits: ['closeListSpan', 'sessionExpiry', 'shortestExpiry', 'longestExpiry'] },
  ),
  'parameter-code': published('`C17` is the code of a wrong parameter.', `${node}; Python SDK 1.0.14`, null, {
    errors: ['C17'],
  }),
  'trigger-amounts': published(
    "Amounts that the service's public sandbox declines, with their codes but for 8826 and 7629.",
    'Documents, test amounts',
    '`triggerAmounts: false`',
  ),
}
