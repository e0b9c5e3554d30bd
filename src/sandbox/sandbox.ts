import { randomUUID } from 'node:crypto'
import type { SSEStreamingApi } from 'hono/streaming'
import type { Low } from 'lowdb'
import { likeProductionSettings } from '../contract/sandbox/presets.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { createState, resetState, type State } from '../domain/state.ts'
import { Changes } from '../engine/changes.ts'
import { SandboxClock } from '../engine/clock.ts'
import { Directory } from '../engine/directory.ts'
import { Engine } from '../engine/engine.ts'
import { createIdentifiers, type Identifiers } from '../engine/identifiers.ts'
import { SerialQueue } from '../engine/serial-queue.ts'
import { FaultRules } from '../faults/fault-rules.ts'
import { readPositions } from '../files/positions.ts'
import { type Catalogue, fixturesOf } from '../fixtures.ts'
import type { HandlerResult } from '../request-log/answer.ts'
import type { OwnRequest } from '../request-log/own-request.ts'
import { RequestLog } from '../request-log/request-log.ts'
import { carryOutOwn } from '../service/own/own-requests.ts'
import type { Signing } from '../signature/signature.ts'
import { CheckpointFolder } from '../store/checkpoint/checkpoint-folder.ts'
import { isRestoring, restoredSettings } from '../store/checkpoint/restoring.ts'
import { FileStore } from '../store/file/file-store.ts'
import { openSettings, type Settings, writeSettings } from '../store/settings.ts'
import { Statistics } from '../views/statistics/statistics.ts'
import { AttemptLog } from '../webhooks/attempt-log.ts'
import { ConnectedListeners } from '../webhooks/connected-listeners.ts'
import { Courier } from '../webhooks/courier.ts'
import { type DeliveryFaults, deliveryFaults } from '../webhooks/delivery-faults.ts'
import { type Forwarder, forwardAll } from '../webhooks/forwarder.ts'
import { ListenerRecord } from '../webhooks/listener-record.ts'
import { Announcer } from '../webhooks/notifications/announcer.ts'
import { type OrderSetting, orderSetting } from '../webhooks/order-setting.ts'
import type { PostLimits } from '../webhooks/post.ts'
import { secretsOf, validSecrets } from '../webhooks/secrets.ts'
import { defaults, type SandboxOptions } from './options.ts'
import { requestTransaction } from './request-transaction.ts'

/** A running sandbox without its server: state, clock, keys, engine and log. */
export interface Sandbox {
  readonly options: SandboxOptions
  readonly catalogue: Catalogue
  readonly clock: SandboxClock
  /** Orders to the clock: one that goes ahead waits for webhooks on its way. */
  readonly clockOrders: SerialQueue
  readonly settings: Low<Settings>
  readonly checkpoints: CheckpointFolder
  readonly directory: Directory
  readonly engine: Engine
  readonly identifiers: Identifiers
  readonly log: RequestLog
  readonly courier: Courier
  /** Faults injected into answers of the payment API. */
  readonly faults: FaultRules
  readonly announcer: Announcer
  /** Sends notifications on to `forwardTo`; null without it. */
  readonly forwarder: Pick<Forwarder, 'left'> | null
  /** Tells pages and streams what is not as it was. */
  readonly changes: Changes
  /** Sums and orders for pages. */
  readonly statistics: Statistics
  /** Event streams that are open. */
  readonly streams: Set<SSEStreamingApi>
  readonly attempts: AttemptLog
  /** What listeners delivered, as they reported it. */
  readonly listened: ListenerRecord
  /** Listeners whose streams are open. */
  readonly listeners: ConnectedListeners
  readonly deliveryFaults: DeliveryFaults
  /** How deliveries go to one URL. */
  readonly webhookOrder: OrderSetting
  /** How the webhooks of a merchant are signed now. */
  readonly signingOf: (ledger: Ledger) => Signing
  readonly webhookLimits: PostLimits
  readonly startedAt: number
  /** Port at which it listens; null until it does. */
  port: number | null
  /** True once the sandbox stops: from then on an answer closes its connection. */
  stopping: boolean
  /** Requests that are being handled. */
  running: number
  /** A state in which nothing happened: with the merchants, the terminals as they are set, and the numbering. */
  emptyState(): State
  /** The state of a sandbox that was never used. */
  newState(): State
  /** Carries out a request that a person makes on a page. Errors: Refusal. */
  carryOut(request: OwnRequest): Promise<HandlerResult>
  close(): Promise<void>
}

/**
 * Opens the state folder and everything that lives on it.
 * Errors: DamagedLine for damaged state; an Error of the file system or for another format.
 */
export async function openSandbox(
  given: Partial<SandboxOptions> & { readonly state: string },
): Promise<Sandbox> {
  const preset = given.likeProduction ? likeProductionSettings : {}
  const options: SandboxOptions = { id: randomUUID(), ...defaults, ...preset, ...given }
  const { catalogue, onRequest } = options
  const empty = () => createState(catalogue, options)
  let confirm = () => {}
  let recover = () => {}
  // Whatever is damaged is found before anything is written.
  const restored = restoredSettings(options.state)
  const settings = await openSettings(options.state, () => confirm(), restored)
  if (options.forwardTo !== null) readPositions(options.state, 'forwarded')
  const { store, state } = await FileStore.open({
    folder: options.state,
    empty,
    fixtures: fixturesOf(catalogue),
    wall: options.wall,
    failed: () => recover(),
    // The settings of a restore count by the snapshot that it made: they are written before that is gone.
    beforeSnapshot: () => {
      if (isRestoring(options.state)) writeSettings(options.state, settings.data)
    },
    lost: options.lost,
    report: options.report,
    ...(options.lockLost && { lockLost: options.lockLost }),
    ...(options.journalLimit !== undefined && { journalLimit: options.journalLimit }),
  })
  confirm = () => store.confirm()
  const checkpoints = new CheckpointFolder({ state: options.state, empty, confirm })
  checkpoints.clean()
  const clock = new SandboxClock(options.wall, settings.data.clock)
  const identifiers = createIdentifiers(options.wall, greatestId(state))
  const report = (error: Error) => options.report(error.message)
  if (isRestoring(options.state)) await settings.write().catch(report) // the restore is settled with it
  const engine = new Engine({ state, store, clock, identifiers, report })
  recover = () => engine.recover()

  const directory = new Directory(catalogue.applications, settings.data, options.apiKey)
  const signingOf = signingFrom(options, settings.data, directory)
  const announcer = new Announcer(state, signingOf, options.wall)
  const listened = await ListenerRecord.open(options.state, () => engine.state, report)
  const statistics = new Statistics(
    () => engine.state,
    () => listened.deliveries,
  )
  const changes = new Changes()
  const attempts = new AttemptLog(options.state, report)
  const ownPort = () => sandbox.port
  const webhookLimits = { allowedHosts: options.webhookHosts, connectTimeout, readTimeout, ownPort }
  const faults = new FaultRules({
    settings,
    clock,
    report,
    lastDeliveries: () => lastDeliveries(engine.state),
  })
  const faultsOfDeliveries = deliveryFaults(faults)
  const webhookOrder = orderSetting(() => settings.data.webhookOrder, {
    order: options.webhookOrder,
    concurrency: options.webhookConcurrency,
  })
  const courier = new Courier({
    clock,
    log: attempts,
    retries: options.retries,
    order: () => webhookOrder.current,
    isHolding: () => settings.data.webhookHold,
    limits: webhookLimits,
    faults: faultsOfDeliveries,
    signingOf,
    engine,
    report,
  })
  engine.subscribe(announcer)
  engine.subscribe(listened)
  engine.subscribe({
    durable: (ledger, { events }) => statistics.note(ledger, events),
    replaced: () => statistics.forget(),
  })
  engine.subscribe(changes)
  engine.attach(courier)

  const forwarder =
    options.forwardTo === null
      ? null
      : forwardAll({
          source: { engine, announcer },
          folder: options.state,
          url: options.forwardTo,
          limits: webhookLimits,
          confirm,
          report: options.report,
        })
  engine.subscribe({
    replaced: (_, cause) => {
      if (cause === 'other') forwarder?.replaced()
    },
  })
  const sandbox: Sandbox = {
    options,
    catalogue,
    clock,
    clockOrders: new SerialQueue(),
    settings,
    directory,
    checkpoints,
    engine,
    identifiers,
    log: new RequestLog(
      1000,
      onRequest && ((entry) => onRequest(entry, () => requestTransaction({ engine }, entry))),
    ),
    courier,
    faults,
    announcer,
    forwarder,
    changes,
    statistics,
    streams: new Set(),
    attempts,
    listened,
    listeners: new ConnectedListeners(),
    deliveryFaults: faultsOfDeliveries,
    webhookOrder,
    signingOf,
    webhookLimits,
    startedAt: options.wall(),
    port: null,
    stopping: false,
    running: 0,
    emptyState: () => resetState(engine.state, empty()),
    newState: empty,
    carryOut: (request) => carryOutOwn(sandbox, request),
    close: async () => {
      await forwarder?.stop()
      await courier.stop()
      await listened.attempts.written()
      await faults.stop()
      await engine.close()
    },
  }
  courier.runAll()
  return sandbox
}

/** Milliseconds that a receiver has to take a connection, and to answer. assumption: webhook-delivery */
const [connectTimeout, readTimeout] = [5_000, 10_000]

/** Reads the secrets each time: they may have been rotated. */
const signingFrom =
  (
    { signature: scheme, signatureEncoding: encoding, wall }: SandboxOptions,
    settings: Settings,
    directory: Directory,
  ) =>
  ({ settings: { appId } }: Ledger): Signing => {
    const application = directory.applicationNamed(appId) ?? directory.defaultApplication
    return { scheme, encoding, secrets: validSecrets(secretsOf(settings, application), wall()) }
  }

/** Number of the last delivery of each merchant that has one. */
const lastDeliveries = ({ ledgers }: State): Record<string, number> =>
  Object.fromEntries(
    [...ledgers].flatMap(([merchantId, { outbox }]) => (outbox.last > 0 ? [[merchantId, outbox.last]] : [])),
  )

function greatestId(state: State): number {
  let greatest = 0
  for (const { transactions } of state.ledgers.values())
    for (const id of transactions.keys()) if (Number(id) > greatest) greatest = Number(id)
  return greatest
}
