import type { DeliveryState } from '../../contract/sandbox/webhooks.ts'
import type { Delivery } from './outbox.ts'

/** Whether a delivery is pending, delivered or failed. */
export const deliveryState = ({ nextAt, delivered }: Delivery): DeliveryState =>
  nextAt !== null ? 'pending' : delivered ? 'delivered' : 'failed'
