import type { Ledger } from '../domain/model/ledger.ts'
import type { Delivery } from '../domain/model/outbox.ts'

/** Held deliveries. assumption: webhook-hold */
export interface HeldDeliveries {
  /** True for a pending delivery that waits for its release; false while an attempt is under way. */
  isHeld(ledger: Ledger, delivery: Delivery): boolean
  /** True while an attempt of the sandbox is under way. */
  isUnderWay(ledger: Ledger, delivery: Delivery): boolean
  /**
   * Makes one attempt at a held delivery now; resolves when it is recorded. Does nothing if the delivery is not held.
   */
  release(merchantId: string, number: number): Promise<void>
}
