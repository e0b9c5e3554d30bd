import type { DeliveryOrder, WebhookOrder } from '../../contract/control/webhook-delivery.ts'

/** The order of deliveries to one URL: from the start, or set on the running sandbox. */
export interface OrderSetting {
  readonly current: DeliveryOrder
  /** The order was set on the running sandbox: from now on it replaces that of the start. */
  wasSet(): void
}

/** `startOrder`: the order of the start; null: the stored order applies. assumption: webhook-order */
export function orderSetting(
  storedOrder: () => DeliveryOrder | null,
  startOrder: { readonly order: WebhookOrder | null; readonly concurrency: number },
): OrderSetting {
  const { order, concurrency } = startOrder
  const atStart: DeliveryOrder = { order: order ?? 'relaxed', concurrency }
  let startCounts = order !== null
  return {
    get current() {
      return startCounts ? atStart : (storedOrder() ?? atStart)
    },
    wasSet: () => {
      startCounts = false
    },
  }
}
