import type { Ledger } from '../domain/model/ledger.ts'
import { type Signing, webhookHeaders } from '../signature/signature.ts'
import { type InjectedFaults, signedWithFaults } from './faults/faults.ts'
import { type Notification, notificationBody, notificationId } from './notifications/notification.ts'
import type { Attempt } from './post.ts'

/** What an attempt posts. */
export type SignedRequest = Pick<Attempt, 'requestHeaders' | 'requestBody'>

/** The request for a notification, signed at that time of the wall clock in milliseconds. */
export function signedRequest(
  signing: Signing,
  ledger: Ledger,
  notification: Notification,
  at: number,
  injected: Pick<InjectedFaults, 'badSignature' | 'stale'> = { badSignature: false, stale: false },
): SignedRequest {
  const id = notificationId(ledger.settings.merchantId, notification)
  const requestBody = notificationBody(ledger, notification)
  const signed = { id, at, body: requestBody }
  return { requestHeaders: webhookHeaders(...signedWithFaults(injected, signing, signed)), requestBody }
}

/** What was not sent, as there was no connection, is kept without its request: that is made when somebody looks. */
export const withoutRequest = (attempt: Attempt): Attempt => ({
  ...attempt,
  requestHeaders: {},
  requestBody: '',
})

/** True for an attempt that is kept without its request. */
export const isWithoutRequest = ({ requestBody }: Attempt): boolean => requestBody === ''
