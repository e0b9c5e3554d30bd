import type { Low } from 'lowdb'
import type { Behaviour } from '../../contract/control/sandbox-options.ts'
import { receiverTimeout, type WebhookOrder } from '../../contract/control/webhook-delivery.ts'
import type { Signing } from '../../contract/signature/signature.ts'
import { presenceText } from '../../contract/transport/connection-errors.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Settings } from '../../domain/settings.ts'
import type { State } from '../../domain/state.ts'
import type { Directory } from '../engine/directory.ts'
import type { Engine } from '../engine/engine.ts'
import type { SandboxClock } from '../engine/identifiers.ts'
import { FaultRules } from '../faults/fault-rules.ts'
import { hideInAddress } from '../http/hide-addresses.ts'
import type { OpenStorage } from '../store/storage.ts'
import { Courier, type CourierOptions } from './courier.ts'
import { type DeliveryFaults, LedgerFaults } from './delivery-faults.ts'
import { Followers, type FollowingEndpoint } from './followers.ts'
import { HandedDeliveries } from './handed-deliveries.ts'
import { Announcer } from './notifications/feed.ts'
import { orderSetting } from './order-setting.ts'
import { type PostLimits, postItself } from './post.ts'
import { validSecrets, webhookSecrets } from './secrets.ts'

/** The parts of a sandbox that send notifications. */
export type Webhooks = ReturnType<typeof openWebhooks>

/** The options of a sandbox that webhooks depend on. */
interface WebhookOptions
  extends Pick<Behaviour, 'retries' | 'webhookConcurrency' | 'signature' | 'signatureEncoding' | 'extras'> {
  /** Hosts that webhooks may reach beside this machine. */
  readonly webhookHosts: readonly string[]
  /** See `PostLimits`. */
  readonly isShared: boolean
  /** Null: as set on the running sandbox, or relaxed. */
  readonly webhookOrder: WebhookOrder | null
  /** Wall clock in milliseconds. */
  readonly wall: () => number
  readonly report: (message: string) => void
}

/** The parts of a sandbox that webhooks depend on. */
interface WebhookNeeds {
  readonly options: WebhookOptions
  readonly opened: OpenStorage
  readonly engine: Engine
  readonly clock: SandboxClock
  readonly directory: Directory
  /** URLs of the sandbox itself. */
  readonly sandboxUrls: () => readonly string[]
  readonly report: (error: Error) => void
  readonly attempted: CourierOptions['attempted']
}

/** Time limit for connecting to a receiver. Milliseconds. assumption: webhook-delivery */
const connectTimeout = 5_000

/** Makes the parts that send notifications. */
export function openWebhooks({
  options,
  opened,
  engine,
  clock,
  directory,
  sandboxUrls,
  report,
  attempted,
}: WebhookNeeds) {
  const { settings } = opened
  const signingOf = signingFrom(options, settings, directory, clock)
  const announcer = new Announcer(engine.state, signingOf, options.wall)
  const followers = new Followers({ engine, announcer, settings, report })
  const webhookLimits: PostLimits = {
    allowedHosts: options.webhookHosts,
    isShared: options.isShared,
    connectTimeout,
    readTimeout: receiverTimeout,
    sandboxUrls,
    ...(opened.isHeld && { mayPost: opened.isHeld }),
  }
  const faults = new FaultRules({
    settings,
    clock,
    report,
    lastDeliveries: () => lastDeliveries(engine.state),
  })
  const deliveryFaults: DeliveryFaults = (ledger) => new LedgerFaults(faults, ledger)
  const webhookOrder = orderSetting(() => settings.data.webhookOrder, {
    order: options.webhookOrder,
    concurrency: options.webhookConcurrency,
  })
  const attempts = opened.attempts()
  const courier = new Courier({
    clock,
    log: attempts,
    attempted,
    retries: options.retries,
    deliveryOrder: () => webhookOrder.current,
    isHolding: () => settings.data.webhookHold,
    limits: webhookLimits,
    faults: deliveryFaults,
    signingOf,
    engine,
    followers,
    report,
  })
  return {
    courier,
    announcer,
    attempts,
    followers,
    faults,
    webhookOrder,
    signingOf,
    webhookLimits,
    handedDeliveries: new HandedDeliveries(),
    deliveryFaults,
  }
}

/** The endpoint of `--forward-to`: it follows all the time, and waits for a receiver that is down. */
export const forwardEndpoint = (
  { report }: Pick<WebhookOptions, 'report'>,
  url: string,
  { webhookLimits }: Webhooks,
): FollowingEndpoint => ({
  url,
  wants: () => true,
  transport: postItself(webhookLimits),
  retries: null,
  isPatient: true,
  presence: (gone) => report(presenceText(hideInAddress(url), gone)),
})

/** Reads the secrets on each call: they may have been rotated. */
const signingFrom =
  (
    { signature: scheme, signatureEncoding: encoding, extras }: WebhookOptions,
    { data }: Low<Settings>,
    directory: Directory,
    clock: SandboxClock,
  ) =>
  ({ settings: { appId } }: Ledger): Signing => {
    const application = directory.applicationNamed(appId) ?? directory.defaultApplication
    const secrets = validSecrets(webhookSecrets(data, application), clock.now())
    // The header for the previous secret is our own; Standard Webhooks names both in one. assumption: extras
    return { scheme, encoding, secrets: extras || scheme === 'standard' ? secrets : secrets.slice(0, 1) }
  }

/** Number of the last delivery by merchant; merchants without deliveries are left out. */
const lastDeliveries = ({ ledgers }: State): Record<string, number> =>
  Object.fromEntries(
    [...ledgers].flatMap(([merchantId, { outbox }]) =>
      outbox.lastNumber > 0 ? [[merchantId, outbox.lastNumber]] : [],
    ),
  )
