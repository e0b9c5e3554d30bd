import type { Ledger } from '../../domain/model/ledger.ts'
import type { Notification } from '../../domain/model/outbox.ts'
import { type Signing, webhookHeaders } from '../../signature/signature.ts'
import { type InjectedFaults, noneInjected, signedWithFaults } from '../faults/drawn-faults.ts'
import { notificationBody, notificationId } from './notification.ts'

/** The request of an attempt. */
export interface SignedRequest {
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string
}

/** The request of a notification, signed at a wall-clock time in milliseconds. */
export function signedRequest(
  signing: Signing,
  ledger: Ledger,
  notification: Notification,
  at: number,
  injected: InjectedFaults = noneInjected,
): SignedRequest {
  const id = notificationId(ledger.settings.merchantId, notification)
  const requestBody = notificationBody(ledger, notification)
  const signed = { id, at, body: requestBody }
  return { requestHeaders: webhookHeaders(...signedWithFaults(injected, signing, signed)), requestBody }
}
