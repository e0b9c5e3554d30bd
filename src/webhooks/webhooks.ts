import type { Ledger } from '../domain/model/ledger.ts'
import type { FaultRules } from '../faults/fault-rules.ts'
import type { Signing } from '../signature/signature.ts'
import type { Attempts } from './attempt-log.ts'
import type { Courier } from './courier.ts'
import type { DeliveryFaults } from './delivery-faults.ts'
import type { Followers } from './followers.ts'
import type { HandedDeliveries } from './handed-deliveries.ts'
import type { OrderSetting } from './hold-and-order.ts'
import type { Announcer } from './notifications/feed.ts'
import type { PostLimits } from './post.ts'

/** The parts of a sandbox that send notifications. */
export interface Webhooks {
  readonly courier: Courier
  readonly announcer: Announcer
  readonly attempts: Attempts
  /** Endpoints that get every notification. */
  readonly followers: Followers
  /** Deliveries that listeners were handed. */
  readonly handedDeliveries: HandedDeliveries
  /** Faults injected into answers of the payment API, and into webhooks. */
  readonly faults: FaultRules
  readonly deliveryFaults: DeliveryFaults
  /** The order in which webhooks go to one URL. */
  readonly webhookOrder: OrderSetting
  /** How the webhooks of a merchant are currently signed. */
  readonly signingOf: (ledger: Ledger) => Signing
  readonly webhookLimits: PostLimits
}
