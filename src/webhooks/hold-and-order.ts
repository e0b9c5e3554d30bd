import type { DeliveryOrder, WebhookOrder } from '../contract/sandbox/webhooks.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import type { Delivery, Endpoint } from '../domain/model/outbox.ts'

/** The order of deliveries to one URL: from the start, or set on the running sandbox. */
export interface OrderSetting {
  readonly current: DeliveryOrder
  /** The order was set on the running sandbox: from now on it replaces that of the start. */
  wasSet(): void
}

/** `given`: the order of the start; null: the stored order applies. assumption: webhook-order */
export function orderSetting(
  storedOrder: () => DeliveryOrder | null,
  given: { readonly order: WebhookOrder | null; readonly concurrency: number },
): OrderSetting {
  const { order, concurrency } = given
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

/** Held deliveries. assumption: webhook-hold */
export interface HeldDeliveries {
  /** True for a pending delivery that waits for its release; false while an attempt is under way. */
  isHeld(ledger: Ledger, delivery: Delivery): boolean
  /** True while an attempt of the sandbox is under way. */
  isUnderWay(ledger: Ledger, delivery: Delivery): boolean
  /** True for an endpoint whose deliveries wait for its receiver to take connections. */
  isResting(endpoint: Endpoint): boolean
  /**
   * Makes one attempt at a held delivery now; resolves when it is recorded. Does nothing if the delivery is not held.
   */
  release(merchantId: string, number: number): Promise<void>
}
