import { createHmac, timingSafeEqual } from 'node:crypto'
import { note } from './orders.js'

const minutes = 60_000

/**
 * Takes a notification; `body` as it came. Only 200 says that it is kept: anything else is sent again. Repeats are
 * acknowledged, too, and change nothing.
 */
export function takeWebhook({ headers, body }, { secret, orders, notifications }) {
  if (!isGenuine(headers, body, secret)) return { status: 401, body: { error: 'wrong signature' } }
  if (!isRecent(headers)) return { status: 401, body: { error: 'older than five minutes' } }
  const id = headers['x-client-request-id']
  if (notifications.get(id) !== undefined) return taken
  const record = JSON.parse(body)
  const order = orders.get(record.referenceOrderId)
  if (order === undefined) return taken // of another shop of this merchant
  note(order, record)
  notifications.insert(id, record) // in one transaction with what it changes
  return taken
}

const taken = { status: 200, body: { code: '0' } }

/**
 * An old one that is played back is refused. Its time is not signed, so a forged one gets here: it changes nothing, because
 * a result stays.
 */
const isRecent = (headers) => Math.abs(Date.now() - Number(headers['x-timestamp'])) < 5 * minutes

/** Whether the service sent it: over the bytes as they came. A comparison that takes the same time for each answer. */
function isGenuine(headers, body, secret) {
  const made = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  // for a while after a rotation, the second header has a signature with the previous secret
  return ['x-signature', 'x-sandbox-previous-signature'].some((name) => {
    const sent = Buffer.from(headers[name]?.toString() ?? '')
    return sent.length === made.length && timingSafeEqual(sent, made)
  })
}
