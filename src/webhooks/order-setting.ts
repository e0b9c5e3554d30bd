import type { DeliveryOrder, WebhookOrder } from '../contract/sandbox/webhooks.ts'

/** How deliveries go to one URL: as the start says, or as it was set on a running sandbox. */
export interface OrderSetting {
  readonly current: DeliveryOrder
  /** It was set while the sandbox runs: what was kept counts from now on, whatever the start said. */
  wasSet(): void
}

/** `given`: by this start; null where it says nothing. What is kept counts then. assumption: webhook-order */
export function orderSetting(
  kept: () => DeliveryOrder | null,
  given: { readonly order: WebhookOrder | null; readonly concurrency: number },
): OrderSetting {
  const { order, concurrency } = given
  const atStart: DeliveryOrder = { order: order ?? 'relaxed', concurrency }
  let startCounts = order !== null
  return {
    get current() {
      return startCounts ? atStart : (kept() ?? atStart)
    },
    wasSet: () => {
      startCounts = false
    },
  }
}
