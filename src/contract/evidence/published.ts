import { published } from './claim.ts'

/** What the public SDKs and documents of the service show, and its specification does not. */

const node = 'Node SDK 1.0.17'

export const publicSources = {
  'sdk-operations': published(
    'Three look-ups that the specification does not list, and POST as the method of two operations.',
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
  'sdk-record': published(
    'Members of a record that the specification does not have: amounts nested, and marks of follow-ups.',
    node,
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
    "Amounts that the service's public sandbox declines, each with its code.",
    'Documents, test amounts',
    '`triggerAmounts: false`',
  ),
}
