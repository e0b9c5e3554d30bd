import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { Refusal } from '../../contract/errors.ts'
import { basePathOfSpace, firstSpace } from '../../contract/sandbox/spaces.ts'
import { isLoopback, type StartRecord } from '../../contract/sandbox/state-folder.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Catalogue } from '../../fixtures.ts'
import type { FaultAnswers } from '../../http/http-faults.ts'
import { NodeSeal, sealedHeaderSize } from '../../http/node-to-node.ts'
import type { ReceivingNode } from '../../http/received-request.ts'
import { packageVersion } from '../../package-root.ts'
import { logMalformed } from '../../request-log/log-request.ts'
import { createHandler } from '../../sandbox/handler.ts'
import { defaults, type SandboxOptions } from '../../sandbox/options.ts'
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts'
import { acquireLock, type Lock } from '../../store/lock.ts'
import { databaseAccess } from '../../store/postgres/access/database-access.ts'
import { Database } from '../../store/postgres/connection/database.ts'
import { OwnerSession } from '../../store/postgres/owner-session.ts'
import { spaceStorage } from '../../store/postgres/postgres-storage.ts'
import { withoutPassword } from '../../text/http-url.ts'
import { elapsedTime, wallTime } from '../../timers.ts'
import { undoSteps } from '../../undo-all.ts'
import { checkedOptions } from '../checked-options.ts'
import { drain, hostOf, type ListeningServer, listen, serve } from '../listening.ts'
import type { RunningSandbox, ServerOptions } from '../server.ts'
import { catalogueOfShared, catalogueOfSpace, keysWith } from '../spaces/open-space.ts'
import { drainTime, usualIdle } from '../spaces/space.ts'
import { ClusterHost } from './cluster-host.ts'
import { OutageReport } from './outage-report.ts'
import { RequestRouter } from './request-router.ts'
import { type ClusterSpace, SpaceRegistry } from './space-registry.ts'
import { startUpkeep } from './upkeep.ts'

/** How a node of a database listens, and how its sandboxes behave. */
export interface NodeOptions
  extends Omit<ServerOptions, 'https' | 'seed' | 'importFrom' | 'exportTo' | 'lost' | 'lockLost'> {
  /** URL of the PostgreSQL database. */
  readonly store: string
  /** URL at which other nodes reach this one; absent: the address that it listens on. */
  readonly nodeUrl?: string
  /** Time without a statement after which the server ends the node's session. Milliseconds. */
  readonly sessionIdleMs?: number
  /** Number of events after which a saved state is written when a space is opened or closed. */
  readonly saveAfter?: number
}

/** A node that listens. It keeps no state in its folder, so losing the lock ends nothing, and a proxy terminates TLS. */
export type RunningNode = Omit<RunningSandbox, 'sandbox'>

/**
 * Starts a node, which serves the spaces of the database that no other node serves. Its state folder only leads clients
 * of this machine to it. Errors: TokenNeeded, PublishedKey, UnusableTarget, UnusableDatabase, FixturesError, LockedState, PortTaken;
 * DatabaseAway; an Error of the file system.
 */
export async function startNode(given: NodeOptions): Promise<RunningNode> {
  const options = await checkedOptions({ port: 0, host: '127.0.0.1', ...given })
  const { undo, close } = undoSteps()
  try {
    const state = resolve(options.state)
    const lock = acquireLock(state)
    undo.unshift(() => lock.release())
    const database = await Database.open(options.store)
    undo.unshift(() => database.close())
    const outage = new OutageReport(options.report ?? (() => undefined))
    database.onAway = (error) => outage.report(error.message, error)
    const whole = { ...options, report: outage.report }
    const { connection, made } = await serveSpaces(whole, { lock, database, undo, answered: outage.answered })
    const lost = new Promise<never>(() => undefined)
    return { connection, made, certificate: null, isSeeded: false, lost, close }
  } catch (error) {
    await close()
    throw error
  }
}

type WholeOptions = NodeOptions & {
  readonly catalogue: Catalogue
  readonly port: number
  readonly host: string
  readonly report: OutageReport['report']
}

/** The parts that a node is built from. */
interface NodeParts {
  readonly lock: Lock
  readonly database: Database
  /** Called when the database has answered. */
  readonly answered: () => void
  /** Functions that undo the start, the newest first. */
  readonly undo: (() => unknown)[]
}

/** Sets up what the nodes of a database share; makes the first space if it is missing. */
async function joinDatabase(options: WholeOptions, { database, undo }: NodeParts) {
  const { report, wall: machineClock = wallTime, token = null } = options
  const registry = new SpaceRegistry(database)
  await registry.followNodes(machineClock)
  const wall = () => machineClock() + registry.skew
  const secret = await registry.secret()
  const { catalogue, made } = options.isShared
    ? catalogueOfShared(options.catalogue, secret, options.apiKey)
    : { catalogue: options.catalogue, made: [] }
  const isNew = await registry.ensureFirst(firstSpace)
  const tellError = (error: Error) => report(error.message, error)
  const access = databaseAccess({ database, wall, report: tellError }, token)
  undo.unshift(() => access.close())
  return { registry, wall, seal: new NodeSeal(secret, wall), access, catalogue, made: isNew ? made : [] }
}

async function serveSpaces(given: WholeOptions, parts: NodeParts) {
  const { lock, database, undo, answered } = parts
  const { made, catalogue, registry, wall, seal, access } = await joinDatabase(given, parts)
  const options = { ...given, catalogue }
  const { host, report, token = null, start } = options
  const listening = await listen({ port: options.port, host, maxHeaderSize: sealedHeaderSize }, null)
  const { port } = listening
  const url = `http://${hostOf(host)}:${port}`
  const nodeUrl = options.nodeUrl ?? url
  const session = new OwnerSession({ database, url: nodeUrl, idleMs: options.sessionIdleMs })
  undo.unshift(() => session.close())
  const nodeUrls = () => [nodeUrl, ...registry.nodeUrls]
  const keysChanged = () => registry.forgetKeys()
  const spaces = new ClusterHost({
    ...{ registry, session, nodeUrl, url, token, report },
    catalogueOf: (secret) => catalogueOfSpace(catalogue, { secret }),
    open: async (space, wakesAt, spaces) => {
      const lost = () => void spaces.lose(space.name)
      const own = { ...options, id: lock.id, nodeUrls, spaces, access, wall, keysChanged, lost }
      const sandbox = await openHere(space, own, { database, session, wakesAt })
      sandbox.listening.port = port
      const { handle, prepare } = createHandler(sandbox, hostOf(host), !isLoopback(host))
      await prepare()
      return { sandbox, handle, close: () => sandbox.close() }
    },
  })
  const answers: FaultAnswers = {
    newTraceId: () => randomUUID(),
    extras: options.extras ?? true,
    log: (...refused) => {
      const sandbox = spaces.sandboxOf(firstSpace)
      if (sandbox !== undefined) logMalformed(sandbox, ...refused)
    },
  }
  const router = new RequestRouter({
    ...{ spaces, registry, seal, nodeUrl, answers },
    node: receivingNodeOf(options, lock),
  })
  const idleMs = options.spaceIdleMs ?? usualIdle
  const stopUpkeep = startUpkeep({ registry, spaces, wall: given.wall ?? wallTime, idleMs, report, answered })
  undo.unshift(() => {
    stopUpkeep()
    return stopServing(spaces, router, listening)
  })
  serve(listening, host, answers, (incoming, outgoing) => router.handle(incoming, outgoing))
  lock.announce({ url, ...(token !== null && { token }), ...(start && startForLock(start, port)) })
  await spaces.enter(spaces.slotOf(firstSpace)) // reading it may take longer than an answer may
  const connection = await spaces.connectionOf(firstSpace).catch(async (error: Error) => {
    throw error instanceof Refusal && error.code === 'SBX_TOKEN' ? await otherToken(registry, token) : error
  })
  return { connection, made }
}

/** The node that serves the first space was started with another token. */
async function otherToken(registry: SpaceRegistry, token: string | null): Promise<Refusal> {
  const url = (await registry.find(firstSpace))?.ownerUrl
  return new Refusal('SBX_STORE_FAIL', {
    field: 'token',
    detail:
      token === null
        ? `the node at ${url} of the same database was started with --token, and this one without`
        : `the node at ${url} of the same database was started with another --token, or with none`,
    remedy: 'Start every node with the same token: --token <that of the other node>, or TILLBOX_TOKEN',
  })
}

/** Least time for requests that another node answers. Milliseconds. */
const leastDrain = 1_000

/** Accepts no new connection, lets running requests finish, and gives the spaces back. */
async function stopServing(spaces: ClusterHost, router: RequestRouter, listening: ListeningServer) {
  const until = elapsedTime() + drainTime
  listening.server.close()
  await spaces.close(until)
  const end = Math.max(until, elapsedTime() + leastDrain)
  await drain(listening, [], { isForwarding: () => router.isForwarding, until: end })
  router.close()
}

/** The connection data that this node reports. */
function receivingNodeOf(
  { wall = wallTime, runs = defaults.runs, logFile = null }: WholeOptions,
  { id }: Lock,
): () => ReceivingNode {
  const startedAt = wall()
  const version = packageVersion()
  return () => ({
    health: { status: 'ok', version, id, pid: process.pid, uptimeMs: Math.max(wall() - startedAt, 0) },
    ...{ runs, logFile },
  })
}

/** The start flags in the lock file, without the password of the database. */
function startForLock(start: StartRecord, port: number) {
  const store = withoutPassword(String(start.store))
  const lacksPassword = store !== new URL(String(start.store)).href || Boolean(process.env.PGPASSWORD)
  return {
    start: { ...start, store, port },
    isFreePort: start.port === 0,
    ...(lacksPassword && { lacksPassword }),
  }
}

/** Opens a space in this node. Errors: SpaceTaken; as `openSandbox`. */
function openHere(
  { name, secret }: ClusterSpace,
  { apiKey, saveAfter, ...options }: WholeOptions & Partial<SandboxOptions>,
  storage: Pick<Parameters<typeof spaceStorage>[0], 'database' | 'session' | 'wakesAt'>,
): Promise<Sandbox> {
  const isFirst = secret === null
  const given = isFirst && apiKey !== undefined ? [apiKey] : []
  const catalogue = isFirst ? options.catalogue : catalogueOfSpace(options.catalogue, { secret })
  const keysOf = (settings: Settings) => [...keysWith(catalogue, settings), ...given]
  return openSandbox({
    ...options,
    ...(isFirst && apiKey !== undefined && { apiKey }),
    catalogue,
    storage: spaceStorage({ ...storage, space: name, saveAfter, keysOf }),
    spaceName: name,
    basePath: basePathOfSpace(name),
  })
}
