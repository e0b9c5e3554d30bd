import { assumption, published } from './claim.ts'

/** Notifications, and how they are delivered. */
export const webhooks = {
  'terminal-events': published(
    '[Events](api.md#events) have a flat body. ORDER_RECEIVED is sent when the terminal starts the ' +
      'payment, not while it is offline or busy. PRINTING and PRINT_COMPLETED are sent only if ' +
      'printReceipt asks for a receipt.',
    'Names and order: Node SDK 1.0.17',
  ),
  'webhook-delivery': assumption(
    'A [notification](api.md#events) keeps its id and body when it is sent again. ' +
      '[Delivery](webhooks.md#delivery) describes acknowledgement, times, retries and connections.',
    'The public documents show neither order nor schedule. One notification that a receiver cannot ' +
      'handle must not block later ones.',
    '`--notify-url`; `--retries`',
    { errors: ['SBX_WEBHOOK_NONE', 'SBX_NO_NOTIFYURL'], unchanged: ['SBX_WEBHOOK_NONE'] },
  ),
  'webhook-order': assumption(
    'Deliveries to each URL are [relaxed, strict or concurrent](webhooks.md#order). One setting applies ' +
      'to all URLs. In concurrent order, a delay fault holds back only its own delivery. A `webhookOrder` ' +
      'that is set at the start is not stored. A [hold](webhooks.md#hold-and-release) keeps deliveries ' +
      'pending until you release them by name, or end the hold. Faults apply to a release, except delay ' +
      'and reorder. Deliveries to a `tillbox listen` can be released only while it is connected.',
    'The service does not document an order. Real senders deliver in parallel, and a test must be able ' +
      'to choose.',
    '`tillbox webhook order`, `webhookOrder`, `webhookConcurrency`; `tillbox webhook hold`, `tillbox ' +
      'webhook release`',
  ),
  'webhook-resend': assumption(
    "A notification that is sent again goes to the end of its URL's queue; one that was never tried " +
      'keeps its place. `--since` and `--until` are in sandbox time. If the delivery was made by a ' +
      '`listen`, a resend goes to a `listen` for the same URL on the same machine. It is pending until such ' +
      'a `listen` is connected. A resend to another URL creates a separate delivery for that URL; later resends include ' +
      'it. An [edited](dashboard.md#send-a-webhook-again) notification is sent once.',
    'A repeated delivery is expected at the same receiver.',
    '`tillbox webhook resend --to`; `sign`, `headers` of [its call](control-interface.md)',
  ),
  'webhook-signature': assumption(
    "Webhooks have [this signature](webhooks.md#check-the-signature). The key is the secret's characters " +
      'as shown, not decoded. After a rotation, webhooks are also signed with the old secret, for 24 ' +
      'hours or `graceMs`.',
    'The algorithm is public, its encoding is not.',
    '`signatureEncoding: base64`, `signature: standard` (Standard Webhooks), `none`',
  ),
  'webhook-targets': assumption(
    'Webhooks go only to [allowed hosts](../SECURITY.md#requests-that-the-sandbox-sends), and never to ' +
      'the sandbox itself. An IP address of `--notify-url` or `--forward-to` is checked at the start, a ' +
      'name at each call. `listen` is a separate process, and sends to any host. Each notification has ' +
      "`User-Agent: tillbox-webhook`. A sandbox refuses requests with this User-Agent or a webhook's " +
      'signature, on every path.',
    'A sandbox must not be a way into a network, and a notification must not trigger another.',
    '`--allow-webhook-host`',
    { errors: ['SBX_HOST'], unchanged: ['SBX_HOST'] },
  ),
  'attempt-log': assumption(
    'The last 16 to 32 MB of attempts (about 10,000; in a database the last 10,000) are kept with ' +
      'request and response. The result of each delivery is kept for good. A crash may lose the attempts ' +
      'of the last 50 ms.',
    'A log must not slow the sandbox down.',
  ),
  followers: assumption(
    '`--forward-to`, and each URL of a connected `listen`, are endpoints that get every notification. ' +
      '[Details](#followers).',
    'Order, retries, faults and lists are the same for each endpoint.',
    '`sandbox start --forward-to`, `listen --retries`',
  ),
  'trace-context': assumption(
    'The `traceparent` of a request that opens a transaction is stored with it, and sent unchanged with ' +
      'each of its webhooks. A malformed one is ignored. Of a later version of the standard, the ' +
      'fields of version 00 are used. `tracestate` is not kept. With `extras: false` both are ignored.',
    "The receiver's work then belongs to the [trace](https://www.w3.org/TR/trace-context/) of the " +
      'payment. `tracestate` may contain anything.',
    '`extras`',
  ),
  'webhook-faults': assumption(
    'Webhook faults are [rules](faults.md#which-requests) like faults of answers. A fault of a single ' +
      'attempt, such as `duplicate`, counts as used. `delay` and `reorder` do not: they apply until ' +
      'cleared. Setting a fault restarts its random draws: the same seed injects the same ' +
      'faults into the next deliveries. With `other-json`, the JSON has the same content, and the signature ' +
      'fits the bytes that are sent. With `reorder=n`, at most n − 1 later deliveries overtake a delivery ' +
      'before its first attempt.',
    'Receivers must withstand all of these.',
    '`tillbox sandbox fault`',
  ),
  'event-stream': assumption(
    'Every notification is streamed to listeners as soon as it is durable, in the order of the journal, ' +
      'even after the clock was set back. [Details](#event-stream).',
    'No listener loses a notification, and no listener can delay a payment.',
    null,
    { headers: ['X-Sandbox-Missed'] },
  ),
}
