import type { Ledger } from '../domain/model/ledger.ts'
import type { Delivery, Endpoint } from '../domain/model/outbox.ts'

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
