import type { Access } from '../../access/access.ts'
import type { Retries } from '../../contract/sandbox/retries.ts'
import type { SignatureEncoding, SignatureScheme } from '../../contract/sandbox/webhooks.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Endpoint } from '../../domain/model/outbox.ts'
import type { Settings } from '../../domain/settings.ts'
import type { State } from '../../domain/state.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Identifiers } from '../../engine/identifiers.ts'
import type { SandboxClock } from '../../engine/sandbox-clock.ts'
import type { SerialQueue } from '../../engine/serial-queue.ts'
import type { FaultRules } from '../../faults/fault-rules.ts'
import type { Catalogue } from '../../fixtures.ts'
import type { LiveStreams } from '../../http/live-stream.ts'
import type { RequestLog } from '../../request-log/request-log.ts'
import type { ReadableLog } from '../../request-log/request-views.ts'
import type { Signing } from '../../signature/signature.ts'
import type { Checkpoints } from '../../store/file/checkpoints.ts'
import type { ConnectionContext, CountedState } from '../../views/views.ts'
import type { Attempts } from '../../webhooks/attempt-log.ts'
import type { DeliveryFaults } from '../../webhooks/faults/delivery-faults.ts'
import type { Followers } from '../../webhooks/followers.ts'
import type { Handings } from '../../webhooks/handings.ts'
import type { HeldDeliveries } from '../../webhooks/held-deliveries.ts'
import type { Announcer } from '../../webhooks/notifications/announcer.ts'
import type { OrderSetting } from '../../webhooks/order-setting.ts'
import type { PostLimits } from '../../webhooks/post.ts'
import type { Spaces } from './known-spaces.ts'

/** What the control interface reads and changes. */
export interface ControlContext extends LiveStreams, ReadableLog, ConnectionContext, CountedState {
  /** Tokens and audit log of the server. */
  readonly access: Access
  readonly catalogue: Catalogue
  /** The spaces of the server; null for a sandbox that no server runs. */
  readonly spaces: Spaces | null
  readonly engine: Engine
  readonly clock: SandboxClock
  /** Runs changes of the clock one after another: moving it forward waits for webhooks under way. */
  readonly clockQueue: SerialQueue
  readonly settings: { readonly data: Settings; write(): Promise<void> }
  readonly checkpoints: Checkpoints
  readonly identifiers: Identifiers
  readonly courier: HeldDeliveries & { rearm(): void; runAt(endpoint: Endpoint): void }
  readonly faults: FaultRules
  readonly announcer: Announcer
  readonly attempts: Attempts
  readonly followers: Followers
  readonly handings: Handings
  readonly log: RequestLog
  readonly deliveryFaults: DeliveryFaults
  readonly webhookOrder: OrderSetting
  readonly options: ConnectionContext['options'] & {
    readonly report: (message: string, error?: Error) => void
    readonly token: string | null
    readonly spaceName: string
    readonly signature: SignatureScheme
    readonly signatureEncoding: SignatureEncoding
    readonly retries: Retries
  }
  readonly signingOf: (ledger: Ledger) => Signing
  readonly webhookLimits: PostLimits
  readonly startedAt: number
  /** An empty state with the merchants, terminal settings and numbering. */
  emptyState(): State
  /** The state of a sandbox that was never used, with the options of its start. */
  newState(): State
}
