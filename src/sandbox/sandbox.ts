import { randomUUID } from 'node:crypto'
import type { SSEStreamingApi } from 'hono/streaming'
import type { Low } from 'lowdb'
import type { Dialect } from '../contract/records.ts'
import { likeProductionSettings, type ProductionSettings } from '../contract/sandbox/presets.ts'
import { type Retries, retriesFrom } from '../contract/sandbox/retries.ts'
import type { SignatureEncoding, SignatureScheme, WebhookOrder } from '../contract/sandbox/webhooks.ts'
import { type Ledger, type RuleSettings, usualRules } from '../domain/model/ledger.ts'
import type { DuplicateMode } from '../domain/rules/duplicates.ts'
import { createState, resetState, type State } from '../domain/state.ts'
import { Changes } from '../engine/changes.ts'
import { SandboxClock } from '../engine/clock.ts'
import { Directory } from '../engine/directory.ts'
import { Engine } from '../engine/engine.ts'
import { createIdentifiers, type Identifiers } from '../engine/identifiers.ts'
import { SerialQueue } from '../engine/serial-queue.ts'
import { FaultRules } from '../faults/fault-rules.ts'
import { readPositions } from '../files/positions.ts'
import { type ApplicationProfile, builtIn, type Catalogue, fixturesOf } from '../fixtures.ts'
import type { HttpStatusMode } from '../http/envelope.ts'
import { type LoggedRequest, RequestLog } from '../request-log/request-log.ts'
import type { Signing } from '../signature/signature.ts'
import { FileStore } from '../store/file/file-store.ts'
import type { LostState } from '../store/file/folder-ownership.ts'
import { openSettings, type Settings } from '../store/settings.ts'
import { wallTime } from '../timers.ts'
import { Statistics } from '../views/statistics/statistics.ts'
import { AttemptLog } from '../webhooks/attempt-log.ts'
import { Courier } from '../webhooks/courier.ts'
import { deliveryFaults } from '../webhooks/delivery-faults.ts'
import { type Forwarder, forwardAll } from '../webhooks/forwarder.ts'
import { Announcer } from '../webhooks/notifications/announcer.ts'
import type { PostLimits } from '../webhooks/post.ts'
import { secretsOf, validSecrets } from '../webhooks/secrets.ts'

/** How a sandbox behaves. Every default is an assumption of docs/assumptions.md. */
export interface SandboxOptions extends RuleSettings, ProductionSettings {
  /** State folder. */
  readonly state: string
  /** Of this start, a UUID. */
  readonly id: string
  readonly apiKey?: string
  /** Who may call, the cards and the outcomes. */
  readonly catalogue: Catalogue
  readonly strict: boolean
  /** Sets what is not given of ProductionSettings as the real service is known to be. assumption: like-production */
  readonly likeProduction: boolean
  /** Content-Type is required on GET as well. */
  readonly strictContentType: boolean
  readonly duplicates: DuplicateMode
  readonly httpStatus: HttpStatusMode
  readonly dialect: Dialect
  /** Where every notification is sent on to, as by the command listen; null: nowhere. */
  readonly forwardTo: string | null
  /** Delays between the attempts of a webhook, in milliseconds of the sandbox clock. */
  readonly retries: Retries
  /** Whether a webhook that failed is retried while later ones to its URL go on, or these wait for it. */
  readonly webhookOrder: WebhookOrder
  readonly signature: SignatureScheme
  readonly signatureEncoding: SignatureEncoding
  /** Hosts beyond this machine that webhooks may go to. */
  readonly webhookHosts: readonly string[]
  /** Wall clock in milliseconds. */
  readonly wall: () => number
  /** Something that a person should know: one line. */
  readonly report: (message: string) => void
  /** Called for each handled request. */
  readonly onRequest: ((entry: LoggedRequest) => void) | null
  /** What the control interface and the pages want, from anywhere; null: they answer to this machine alone. */
  readonly token: string | null
  /** Why the lock of the state folder is not ours any more; undefined while it is. Left out: there is no lock. */
  readonly lockLost?: () => string | undefined
  /** The state folder is not this sandbox's any more: nothing is acknowledged from now on. */
  readonly lost: (error: LostState) => void
  /** Bytes from which a journal is folded into the snapshot. */
  readonly journalLimit?: number
}

const defaults = {
  ...usualRules,
  catalogue: builtIn,
  strict: false,
  likeProduction: false,
  terminals: 'known',
  appIds: 'any',
  requestIds: 'any',
  charset: 'note',
  extras: true,
  strictContentType: false,
  duplicates: 'reject',
  httpStatus: 'sdk',
  dialect: 'auto',
  forwardTo: null,
  retries: retriesFrom('default') ?? [],
  webhookOrder: 'relaxed',
  signature: 'hmac',
  signatureEncoding: 'hex',
  webhookHosts: [],
  wall: wallTime,
  report: () => undefined,
  onRequest: null,
  token: null,
  lost: () => undefined,
} as const satisfies Omit<SandboxOptions, 'state' | 'id'>

/** A running sandbox without its server: state, clock, keys, engine and log. */
export interface Sandbox {
  readonly options: SandboxOptions
  readonly catalogue: Catalogue
  readonly clock: SandboxClock
  /** Orders to the clock: one that goes ahead waits for webhooks on its way. */
  readonly clockOrders: SerialQueue
  readonly settings: Low<Settings>
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
  const { catalogue } = options
  const empty = () => createState(catalogue, options)
  let confirm = () => {}
  let recover = () => {}
  // Whatever is damaged is found before anything is written.
  const settings = await openSettings(options.state, () => confirm())
  if (options.forwardTo !== null) readPositions(options.state, 'forwarded')
  const { store, state } = await FileStore.open({
    folder: options.state,
    empty,
    fixtures: fixturesOf(catalogue),
    failed: () => recover(),
    lost: options.lost,
    report: options.report,
    ...(options.lockLost && { lockLost: options.lockLost }),
    ...(options.journalLimit !== undefined && { journalLimit: options.journalLimit }),
  })
  confirm = () => store.confirm()
  const clock = new SandboxClock(options.wall, settings.data.clock)
  const identifiers = createIdentifiers(options.wall, greatestId(state))
  const report = (error: Error) => options.report(error.message)
  const engine = new Engine({ state, store, clock, identifiers, report })
  recover = () => engine.recover()

  const signingOf = signingFrom(options, settings.data)
  const announcer = new Announcer(state, signingOf, options.wall)
  const statistics = new Statistics(() => engine.state)
  const changes = new Changes()
  const attempts = new AttemptLog(options.state, report)
  const ownPort = () => sandbox.port
  const webhookLimits = { allowedHosts: options.webhookHosts, connectTimeout, readTimeout, ownPort }
  const faults = new FaultRules({ settings, clock, report })
  const courier = new Courier({
    clock,
    log: attempts,
    retries: options.retries,
    order: options.webhookOrder,
    limits: webhookLimits,
    faults: deliveryFaults(faults),
    signingOf,
    engine,
    report,
  })
  engine.subscribe(announcer)
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
  const sandbox: Sandbox = {
    options,
    catalogue,
    clock,
    clockOrders: new SerialQueue(),
    settings,
    directory: new Directory(catalogue.applications, settings.data, options.apiKey),
    engine,
    identifiers,
    log: new RequestLog(1000, options.onRequest),
    courier,
    faults,
    announcer,
    forwarder,
    changes,
    statistics,
    streams: new Set(),
    attempts,
    signingOf,
    webhookLimits,
    startedAt: options.wall(),
    port: null,
    stopping: false,
    running: 0,
    emptyState: () => resetState(engine.state, empty()),
    close: async () => {
      await forwarder?.stop()
      await courier.stop()
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
    { catalogue: { applications }, signature: scheme, signatureEncoding: encoding, wall }: SandboxOptions,
    settings: Settings,
  ) =>
  ({ settings: { appId } }: Ledger): Signing => {
    const application =
      applications.find((each) => each.appId === appId) ?? (applications[0] as ApplicationProfile)
    return { scheme, encoding, secrets: validSecrets(secretsOf(settings, application), wall()) }
  }

function greatestId(state: State): number {
  let greatest = 0
  for (const { transactions } of state.ledgers.values())
    for (const id of transactions.keys()) if (Number(id) > greatest) greatest = Number(id)
  return greatest
}
