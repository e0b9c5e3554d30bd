import { randomUUID } from 'node:crypto'
import { controlLimits } from '../../contract/control/control.ts'
import { presetSettings } from '../../contract/control/presets.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Catalogue } from '../../domain/fixtures.ts'
import { createState, resetState } from '../../domain/state.ts'
import { KeptTries } from '../../pages/dashboard/workbench/kept-tries.ts'
import { Notices, type PagesContext } from '../../pages/frame/page-view.tsx'
import { SharedDrawings } from '../../pages/serving/shared-drawings.ts'
import type { Access } from '../../sandbox/access/access.ts'
import type { FormRequest } from '../../sandbox/answering/answer.ts'
import type { ControlContext } from '../../sandbox/control/control-context.ts'
import { Coverage } from '../../sandbox/coverage/coverage.ts'
import { Changes } from '../../sandbox/engine/changes.ts'
import { Directory } from '../../sandbox/engine/directory.ts'
import { Engine } from '../../sandbox/engine/engine.ts'
import { SerialQueue } from '../../sandbox/engine/gate.ts'
import { createIdentifiers, SandboxClock } from '../../sandbox/engine/identifiers.ts'
import { StreamTurns } from '../../sandbox/http/stream-turns.ts'
import { createSecretHider } from '../../sandbox/request-log/hide-secrets.ts'
import { type LoggedRequest, RequestLog } from '../../sandbox/request-log/request-log.ts'
import { handleFormRequest } from '../../sandbox/service/own-requests.ts'
import { fileStorage } from '../../sandbox/store/file/file-storage.ts'
import type { Storage, Store } from '../../sandbox/store/storage.ts'
import { Statistics } from '../../sandbox/views/statistics/statistics.ts'
import { listeningUrls } from '../../sandbox/webhooks/webhook-target.ts'
import { forwardEndpoint, openWebhooks } from '../../sandbox/webhooks/webhooks.ts'
import { undoAll } from '../../shared/undo-all.ts'
import { defaults, requestTransaction, type SandboxOptions } from './options.ts'

/** A running sandbox without its server. */
export interface Sandbox
  extends ControlContext,
    Pick<PagesContext, 'notices' | 'tries' | 'drawings' | 'send' | 'handleFormRequest'> {
  readonly options: SandboxOptions
  /** Totals and orders for pages. */
  readonly statistics: Statistics
  /** `port`: the one that it listens on; null until then. */
  readonly listening: { port: number | null }
  /** True once the sandbox stops: from then on every answer closes its connection. */
  stopping: boolean
  /** Requests that are being handled. */
  running: number
  /** Takes over other fixtures, as a restart would: what happened stays. assumption: fixtures */
  follow(fixtures: Catalogue): Promise<void>
  close(): Promise<void>
}

/** Where a sandbox keeps everything: a state folder, or another storage. */
type StorageOption = { readonly state: string } | { readonly storage: Storage }

/** Opens a state folder, or another storage, and everything that lives on it. */
export async function openSandbox(input: Partial<SandboxOptions> & StorageOption): Promise<Sandbox> {
  const storage = 'storage' in input ? input.storage : fileStorage({ ...input, folder: input.state })
  const options: SandboxOptions = {
    id: randomUUID(),
    ...defaults,
    ...presetSettings(input),
    ...input,
    state: storage.location,
  }
  const { catalogue, onRequest } = options
  const empty = () => createState(catalogue, options)
  const opened = await storage.open({
    empty,
    wall: options.wall,
    ownAccess: options.access === undefined ? { token: options.token } : null,
    lost: options.lost,
    report: options.report,
  })
  const { store, state, settings, snapshots } = opened
  const access = options.access ?? (opened.access as Access)
  const clock = new SandboxClock(options.wall, settings.data.clock)
  const identifiers = createIdentifiers(options.wall)
  const report = (error: Error) => options.report(reportText(error), error)
  const engine = new Engine({ state, store, clock, identifiers, report })

  const directory = new Directory(catalogue.applications, settings.data, options)
  const listening: Sandbox['listening'] = { port: options.port || null }
  const sandboxUrls = () => [...listeningUrls(listening.port, options.publicUrl), ...options.nodeUrls()]
  const withoutSecrets = (entry: LoggedRequest): LoggedRequest =>
    entry.operation !== null
      ? entry
      : { ...entry, path: createSecretHider({ directory, settings, options })(entry.path) }
  const log = new RequestLog(
    controlLimits.requests,
    onRequest && ((entry) => onRequest(withoutSecrets(entry), () => requestTransaction({ engine }, entry))),
  )
  const coverage = new Coverage(log, options.wall, options.askOrders)
  const attempted = coverage.attempted.bind(coverage)
  const needs = { options, opened, engine, clock, directory, sandboxUrls, report, attempted }
  const webhooks = openWebhooks(needs)
  const { announcer, followers, courier } = webhooks
  const statistics = new Statistics(() => engine.state)
  const changes = new Changes()
  engine.subscribe(announcer)
  engine.subscribe(followers)
  engine.subscribe(statistics)
  engine.subscribe(changes)
  engine.attach(courier)

  engine.subscribe(coverage)
  if (options.forwardTo !== null)
    await orClosed(store, followers.follow(forwardEndpoint(options, options.forwardTo, webhooks)))
  const parts: Omit<Sandbox, 'handleFormRequest' | 'send'> = {
    options,
    access,
    catalogue,
    clock,
    clockQueue: new SerialQueue(),
    settingsQueue: new SerialQueue(),
    settings,
    directory,
    spaces: options.spaces,
    snapshots,
    engine,
    identifiers,
    log,
    coverage,
    ...webhooks,
    recorded: options.recorded,
    changes,
    statistics,
    notices: new Notices(),
    tries: new KeptTries(),
    drawings: new SharedDrawings(),
    streams: new Set(),
    turns: new StreamTurns(),
    startedAt: options.wall(),
    listening,
    stopping: false,
    running: 0,
    emptyState: () => resetState(engine.state, empty()),
    newState: empty,
    follow: async (fixtures) => {
      await engine.reread(() => {
        Object.assign(catalogue, fixtures) // ledgers and pages have this very object
        directory.follow(catalogue.applications)
      })
      changes.tellAll()
    },
    close: () =>
      undoAll([
        () => courier.stop(),
        () => webhooks.faults.stop(),
        () => options.access === undefined && access.close(),
        () => engine.close(),
      ]),
  }
  const sandbox: Sandbox = Object.assign(parts, {
    send: ((act, ...input) => act(parts, ...input)) as Sandbox['send'],
    handleFormRequest: (request: FormRequest) => handleFormRequest(parts, request),
  })
  engine.begin()
  courier.runAll()
  return sandbox
}

/** Closes the store when the opening fails, so that another sandbox can take it. */
const orClosed = <T>(store: Store, opening: Promise<T>): Promise<T> =>
  opening.catch(async (error: unknown) => {
    await store.close(null)
    throw error
  })

/** What is said of an error of the sandbox's own work, such as a delivery: there is no request to answer. */
const reportText = (error: Error): string =>
  error instanceof Refusal && error.code === 'SBX_STORE_FAIL' && error.detail !== undefined
    ? `The state could not be written: ${error.detail}`
    : error.message
