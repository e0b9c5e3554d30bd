import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { Access } from '../../access/access.ts'
import type { Connection } from '../../contract/sandbox/control-answers.ts'
import { basePathOfSpace, firstSpace } from '../../contract/sandbox/spaces/space-name.ts'
import { isLoopback, type StartRecord } from '../../contract/sandbox/state-folder/lock-file.ts'
import type { Catalogue } from '../../fixtures.ts'
import { NodeSeal, type ReceivingNode, sealedHeaderSize } from '../../http/node-to-node.ts'
import { packageVersion } from '../../package-root.ts'
import { createHandler } from '../../sandbox/handler.ts'
import { defaults } from '../../sandbox/options.ts'
import { openSandbox } from '../../sandbox/sandbox.ts'
import { type Lock, takeLock } from '../../store/lock.ts'
import { databaseAccess } from '../../store/postgres/access/database-access.ts'
import { Database } from '../../store/postgres/connection/database.ts'
import { LeaseKeeper } from '../../store/postgres/lease.ts'
import { spaceStorage } from '../../store/postgres/postgres-storage.ts'
import { withoutPassword } from '../../text/without-password.ts'
import { elapsedTime, wallTime } from '../../timers.ts'
import { undoSteps } from '../../undo-all.ts'
import { checkedOptions } from '../checked-options.ts'
import { drain, hostOf, type ListeningServer, listen } from '../listening.ts'
import type { ServerOptions } from '../server.ts'
import { catalogueOfSpace, keysIn, keysWith } from '../spaces/own-access.ts'
import { drainTime, type OpenSpace, usualIdle } from '../spaces/space.ts'
import { refuse } from './answer-refusal.ts'
import { askConnection } from './ask-connection.ts'
import { ClusterHost } from './cluster-host.ts'
import { ClusterRegistry, type ClusterSpace } from './cluster-registry.ts'
import { handOver } from './hand-over.ts'
import { KeyLookup } from './key-lookup.ts'
import { OutageReport } from './outage-report.ts'
import { RequestRouter } from './request-router.ts'
import { Rounds } from './rounds.ts'
import type { Slots } from './slots.ts'

/** How a node of a database listens, and how its sandboxes behave. */
export interface NodeOptions
  extends Omit<ServerOptions, 'https' | 'seed' | 'importFrom' | 'exportTo' | 'lost' | 'lockLost'> {
  /** URL of the PostgreSQL database. */
  readonly store: string
  /** URL at which other nodes reach this one; absent: the address that it listens on. */
  readonly nodeUrl?: string
  /** Duration of a lease without renewal. Milliseconds. */
  readonly leaseMs?: number
}

/** A node that listens. */
export interface RunningNode {
  /** Of the first space, whichever node serves it. */
  readonly connection: Connection
  /** None: a proxy terminates TLS. */
  readonly certificate: null
  /** Never resolves: a node keeps no state in its folder, so losing the lock ends nothing. */
  readonly lost: Promise<Error>
  /** Waits for running requests, hands its spaces to other nodes, frees port and folder. May be called repeatedly. */
  close(): Promise<void>
}

/**
 * Starts a node, which serves the spaces of the database that no other node serves. Its state folder only leads clients
 * of this machine to it. Errors: TokenNeeded, UnusableTarget, UnusableDatabase, FixturesError, LockedState, PortTaken;
 * DatabaseAway; an Error of the file system.
 */
export async function startNode(given: NodeOptions): Promise<RunningNode> {
  const options = await checkedOptions({ port: 0, host: '127.0.0.1', ...given })
  const { undo, close } = undoSteps()
  try {
    const state = resolve(options.state)
    const lock = await takeLock(state)
    undo.unshift(() => lock.release())
    const database = await Database.open(options.store)
    undo.unshift(() => database.close())
    const outage = new OutageReport(options.report ?? (() => undefined))
    const whole = { ...options, report: outage.report }
    const { connection } = await serve(whole, { lock, database, undo, answered: outage.answered })
    return { connection, certificate: null, lost: new Promise(() => undefined), close }
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
  const registry = new ClusterRegistry(database)
  await registry.followClock(machineClock)
  const wall = () => machineClock() + registry.skew
  const seal = new NodeSeal(await registry.secret(), wall)
  await registry.ensureFirst(firstSpace, keysOfFirst(options))
  const access = databaseAccess(database, { wall, report: (error) => report(error.message, error) }, token)
  undo.unshift(() => access.close())
  return { registry, machineClock, wall, seal, access }
}

async function serve(options: WholeOptions, parts: NodeParts) {
  const { lock, database, undo, answered } = parts
  const { port: wanted, host, report, token = null } = options
  const { registry, machineClock, wall, seal, access } = await joinDatabase(options, parts)
  let serving: RequestRouter | undefined
  const answers = { newTraceId: () => randomUUID(), extras: options.extras ?? true }
  const listening = await listen(
    answers,
    { port: wanted, host, maxHeaderSize: sealedHeaderSize },
    null,
    (incoming, outgoing) => serving?.handle(incoming, outgoing),
  )
  const url = `http://${hostOf(host)}:${listening.port}`
  const nodeUrl = options.nodeUrl ?? url
  const node = randomUUID()
  const leases = new LeaseKeeper({ database, node, url: nodeUrl, report, ...leaseTimes(options) })
  undo.unshift(() => leases.stop())
  const keysChanged = () => keys.forget()
  const nodeAccess = { seal, token, host: new URL(url).host }
  const spaces: ClusterHost = new ClusterHost({
    ...{ registry, leases, keysChanged, report },
    keysOf: (made) => keysIn(catalogueOfSpace(options.catalogue, { secret: made })),
    askConnection: (at, space) => askConnection(at, space, nodeAccess),
    open: (space) =>
      openHere(space, options, {
        ...{ database, leases, spaces, keysChanged, access, wall, id: lock.id },
        port: listening.port,
        nodeUrls: () => [nodeUrl, ...registry.nodeUrls],
      }),
  })
  const { slots } = spaces
  const keys = new KeyLookup((key) => registry.spaceOfKey(key), keysOfFirst(options))
  const router = new RequestRouter({
    spaces,
    keys,
    seal,
    node: receivingNodeOf(options, lock, nodeUrl),
    newTraceId: answers.newTraceId,
    refuse: (incoming, outgoing, refusal) => void refuse(incoming, outgoing, refusal, answers),
  })
  const present = () => registry.present(node, nodeUrl, machineClock)
  const idleMs = options.spaceIdleMs ?? usualIdle
  const rounds = new Rounds({ registry, slots, present, idleMs, report, answered })
  const wake = (at: string, space: string, patience: number) =>
    askConnection(at, space, { ...nodeAccess, patience })
  undo.unshift(() => stopServing({ node, registry, slots, rounds, router, listening, wake, report }))
  serving = router
  await present()
  rounds.begin()
  const { start } = options
  lock.announce({
    url,
    ...(token !== null && { token }),
    ...(start && startForLock(start, listening.port)),
  })
  await spaces.open(firstSpace)
  return { connection: await askConnection(url, firstSpace, { ...nodeAccess, seal: null }) }
}

/** A node that accepts requests. */
interface ServingNode {
  /** Its name in the database. */
  readonly node: string
  readonly registry: ClusterRegistry
  readonly slots: Slots
  readonly rounds: Rounds
  readonly router: RequestRouter
  readonly listening: ListeningServer
  /** Makes the node at a URL open a space. `patience`: milliseconds. Errors: an Error with its answer. */
  readonly wake: (url: string, space: string, patience: number) => Promise<unknown>
  readonly report: OutageReport['report']
}

/** Least time for requests of spaces that could not be handed over. Milliseconds. */
const leastDrain = 1_000

/** Hands the spaces over, lets running requests finish, and releases the rest. */
async function stopServing({ node, registry, slots, rounds, router, listening, wake, report }: ServingNode) {
  const until = elapsedTime() + drainTime
  rounds.stop()
  const successors = await registry.leave(node).catch((error: Error) => {
    report(error.message, error)
    return []
  })
  await handOver({ slots, successors, wake, until })
  const end = Math.max(until, elapsedTime() + leastDrain)
  await drain(listening, slots.sandboxes, { isForwarding: () => router.isForwarding, until: end })
  router.close()
  await slots.close()
}

/** The connection data that this node reports. */
function receivingNodeOf(
  { wall = wallTime, runs = defaults.runs, logFile = null }: WholeOptions,
  { id }: Lock,
  nodeUrl: string,
): () => ReceivingNode {
  const startedAt = wall()
  const version = packageVersion()
  return () => ({
    health: { status: 'ok', version, id, pid: process.pid, uptimeMs: Math.max(wall() - startedAt, 0) },
    ...{ nodeUrl, runs, logFile },
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

/** A lease is renewed every third of its duration, and trusted for five sixths. */
const leaseTimes = ({ leaseMs }: NodeOptions) =>
  leaseMs === undefined ? {} : { leaseMs, renewEveryMs: leaseMs / 3, marginMs: leaseMs / 6 }

const keysOfFirst = ({ catalogue, apiKey }: WholeOptions): string[] => [
  ...keysIn(catalogue),
  ...(apiKey === undefined ? [] : [apiKey]),
]

/** The parts that the spaces of a node share. */
interface SpaceParts {
  readonly database: Database
  readonly leases: LeaseKeeper
  readonly spaces: ClusterHost
  /** Called when the API keys of a space may have changed. */
  readonly keysChanged: () => void
  readonly access: Access
  readonly wall: () => number
  /** Id of this node's start. */
  readonly id: string
  readonly port: number
  /** URLs of the nodes of the database. */
  readonly nodeUrls: () => readonly string[]
}

/** Opens a space in this node. Errors: SpaceTaken; as `openSandbox`. */
async function openHere(
  space: ClusterSpace,
  { apiKey, ...options }: WholeOptions,
  { database, leases, spaces, keysChanged, access, wall, id, port, nodeUrls }: SpaceParts,
): Promise<OpenSpace> {
  const { name, secret } = space
  const { host, foldAfter } = options
  const isFirst = secret === null
  const given = isFirst && apiKey !== undefined ? [apiKey] : []
  const catalogue = isFirst ? options.catalogue : catalogueOfSpace(options.catalogue, { secret })
  const sandbox = await openSandbox({
    ...options,
    ...(isFirst && apiKey !== undefined && { apiKey }),
    catalogue,
    storage: spaceStorage({
      ...{ database, leases, space: name, patience: 0 },
      keysOf: (settings) => [...keysWith(catalogue, settings), ...given],
      ...(foldAfter !== undefined && { foldAfter }),
    }),
    id,
    nodeUrls,
    spaceName: name,
    basePath: basePathOfSpace(name),
    spaces,
    access,
    wall,
    keysChanged,
    lost: () => void spaces.slots.lose(name),
  })
  sandbox.port = port
  const { handle, prepare } = createHandler(sandbox, hostOf(host), !isLoopback(host))
  await prepare()
  return { sandbox, handle, close: () => sandbox.close() }
}
