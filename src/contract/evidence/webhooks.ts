import { assumption, published } from './claim.ts'

/** Notifications, and how they are delivered. */
export const webhooks = {
  'terminal-events': published(
    '[Events](api.md#events) have a flat body. ORDER_RECEIVED is sent when the terminal takes the order ' +
      'up, not while it is offline or busy; PRINTING and PRINT_COMPLETED only when printReceipt asks for a ' +
      'receipt.',
    'Names and order: Node SDK 1.0.17',
  ),
  'webhook-delivery': assumption(
    'A [notification](api.md#events) keeps id and body when it is sent again. Acknowledgement, times, ' +
      'retries and connections are under [delivery](webhooks.md#delivery). [Details](#webhook-delivery).',
    'The public documents show neither order nor schedule. One notification that a receiver cannot handle ' +
      'must not silence later ones.',
    '`--notify-url`; `--retries`',
    { errors: ['SBX_WEBHOOK_NONE', 'SBX_NO_NOTIFYURL'], unchanged: ['SBX_WEBHOOK_NONE'] },
  ),
  'webhook-order': assumption(
    'Deliveries to a URL, of every endpoint, are [relaxed, strict or concurrent](webhooks.md#order). In ' +
      'concurrent order, a fault that delays a delivery holds up one place, not the others. `webhookOrder` ' +
      'of a start is not stored. A [hold](webhooks.md#hold-and-release) keeps deliveries pending until they ' +
      'are released by name or it ends. Faults apply to a release, except delay and reorder. What only a ' +
      '`tillbox listen` gets is released while that is connected.',
    'The service shows no order. Real senders deliver in parallel, and a test has to choose.',
    '`tillbox webhook order`, `webhookOrder`, `webhookConcurrency`; `tillbox webhook hold`, `tillbox ' +
      'webhook release`',
  ),
  'webhook-resend': assumption(
    "A notification that is sent again goes to the end of its URL's queue; one that was never tried keeps " +
      'its place. A time range is in sandbox time. A delivery of `listen` is made again by the `listen` for ' +
      'the same URL on the same machine, whatever its filters, and is pending until one is connected. One ' +
      'that is sent to another URL is a delivery of its own there, which is made again with the others. An ' +
      '[edited](dashboard.md#send-a-webhook-again) one is sent once; headers of the connection cannot be ' +
      'set.',
    'The service shows no resending. Whoever asks for a delivery again expects it at the same receiver.',
    '`tillbox webhook resend --to`; `sign`, `headers` of [its call](control-interface.md)',
  ),
  'webhook-signature': assumption(
    'Webhooks have [this signature](webhooks.md#check-the-signature). The secret is the text as shown. ' +
      'After a rotation the old one signs too, as long as an old API key is valid (keys).',
    'The algorithm is public, its encoding is not.',
    '`signatureEncoding: base64`, `signature: standard` (Standard Webhooks), `none`',
  ),
  'webhook-targets': assumption(
    'Webhooks go to [allowed hosts](../SECURITY.md#requests-that-the-sandbox-sends), and never to the ' +
      'sandbox itself. For `--notify-url` and `--forward-to`, an IP address is checked at the start, and a ' +
      "name at each call; a name that resolves to the sandbox's port is then refused. `listen` is a process " +
      'of its own, and sends anywhere. Each notification has `User-Agent: tillbox-webhook`, signed or not; ' +
      "a sandbox refuses what carries it, or a webhook's signature, on every path.",
    'A sandbox must not be a way into a network, and a notification must not drive one.',
    '`--allow-webhook-host`',
    { errors: ['SBX_HOST'], unchanged: ['SBX_HOST'] },
  ),
  'attempt-log': assumption(
    'The last 16 to 32 MB of attempts (some 10,000; in a database the last 10,000) are kept with request ' +
      'and response; the result of each delivery for good. A crash may lose those of the last 50 ms.',
    'A log must not slow the sandbox down.',
  ),
  followers: assumption(
    '`--forward-to` and each URL of a connected `listen` are endpoints of the outbox that get every ' +
      'notification. [Details](#followers).',
    'One loop delivers everything: order, retries, faults and lists are the same for each endpoint.',
    '`sandbox start --forward-to`, `listen --retries`',
  ),
  'trace-context': assumption(
    'The `traceparent` of a request that opens a transaction is kept in its timeline, and sent unchanged ' +
      'with each of its webhooks. A malformed one counts as none; of a later version the fields of version ' +
      '00 are used. `tracestate` is not kept. Without `extras` both are ignored.',
    'A receiver then belongs to the [trace](https://www.w3.org/TR/trace-context/) of the payment. ' +
      '`tracestate` may hold anything.',
    '`extras`',
  ),
  'webhook-faults': assumption(
    'Webhook faults are [rules](faults.md#which-requests) like those of answers. Only faults of attempts count ' +
      'as used. Setting one restarts its draws: the same seed injects the same faults into the deliveries that follow, numbered from the ' +
      "merchant's last delivery before. A notification in the JSON of another language has the same value, " +
      'and is signed as it is sent. With a reorder of n, fewer than n later deliveries overtake one before ' +
      'its first attempt.',
    'Receivers must withstand all of them.',
    '`tillbox sandbox fault`',
  ),
  'event-stream': assumption(
    'Every notification is streamed to listeners when it becomes durable, in the order of the journal, ' +
      'also after the clock was set back. [Details](#event-stream).',
    'No listener loses a notification, and none can hold up a payment.',
    null,
    { headers: ['X-Sandbox-Missed'] },
  ),
}
