import type * as v from 'valibot'
import { amount, amountOrNull, described, named, record, text, textOrNull, whether } from '../answer-kinds.ts'
import { notificationMembers } from './webhooks.ts'

export const streamedNotification = named(
  'StreamedNotification',
  'A notification as listeners get it, ready to be forwarded byte for byte: an event of `events`',
  {
    ...notificationMembers,
    terminalSn: textOrNull,
    headers: record(text),
    body: described(text, 'Byte for byte as it is signed'),
  },
)
export type StreamedNotification = v.InferOutput<typeof streamedNotification>

export const followed = named(
  'Followed',
  'First event of `listen`: how many notifications were missed since the endpoint last followed',
  { missed: amount },
)
export type Followed = v.InferOutput<typeof followed>

export const handedDelivery = named(
  'HandedDelivery',
  'A delivery that a listener is handed: it posts the notification, and reports what came of it',
  {
    handed: described(
      textOrNull,
      'Names the attempt in the report; null when a fault drops it: nothing is posted',
    ),
    attempt: described(amount, 'Number of the attempt, from 1, since it was last resent'),
    resends: described(amount, 'How often the notification was resent to this endpoint'),
    fault: textOrNull,
    retryMs: described(
      amountOrNull,
      'Pause before the next attempt if this one fails, in milliseconds of the sandbox clock; null: none follows',
    ),
    notification: streamedNotification,
  },
)
export type HandedDelivery = v.InferOutput<typeof handedDelivery>

export const superseded = named(
  'Superseded',
  'Whether a later `listen` for the same URL gets the deliveries from now on; false when it has ended',
  { superseded: whether },
)
export type Superseded = v.InferOutput<typeof superseded>

/** Names of the events of `listen`. */
export const listenEvents = { followed: 'followed', handed: 'delivery', superseded: 'superseded' } as const

/** Result of a delivery that a fault dropped. */
export const droppedByFault = 'dropped by an injected fault'
