import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { presetSettings } from '../../contract/control/presets.ts'
import { basePathOfSpace, firstSpace } from '../../contract/control/spaces.ts'
import { isLoopback, type StartRecord } from '../../contract/control/state-folder.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Settings } from '../../domain/settings.ts'
import { Access } from '../../sandbox/access/access.ts'
import type { FaultAnswers } from '../../sandbox/http/http-faults.ts'
import { NodeSeal, sealedHeaderSize } from '../../sandbox/http/node-to-node.ts'
import { logMalformed } from '../../sandbox/request-log/log-request.ts'
import { acquireLock } from '../../sandbox/store/lock.ts'
import { Database } from '../../sandbox/store/postgres/connection/database.ts'
import { databaseAudit, databaseTokens } from '../../sandbox/store/postgres/database-access.ts'
import { OwnerSession } from '../../sandbox/store/postgres/owner-session.ts'
import { spaceStorage } from '../../sandbox/store/postgres/postgres-storage.ts'
import { processHealth } from '../../sandbox/views/views.ts'
import { requireOwnState } from '../../shared/files/state-ownership.ts'
import { withoutPassword } from '../../shared/text/http-url.ts'
import { elapsedTime } from '../../shared/timers.ts'
import { undoSteps } from '../../shared/undo-all.ts'
import { checkedOptions } from '../checked-options.ts'
import { drain, drainTime, type ListeningServer, listen, serve, urlHost } from '../listening.ts'
import { createHandler } from '../sandbox/handler.ts'
import { defaults } from '../sandbox/options.ts'
import { openSandbox } from '../sandbox/sandbox.ts'
import type { RunningSandbox, ServerOptions } from '../server.ts'
import { catalogueOfShared, catalogueOfSpace, keysWith } from '../spaces/open-space.ts'
import { type OpenSpace, usualIdle } from '../spaces/space.ts'
import { ClusterHost } from './cluster-host.ts'
import { RequestRouter } from './request-router.ts'
import { type ClusterSpace, SpaceRegistry } from './space-registry.ts'
import { outageReport, startUpkeep } from './upkeep.ts'

/** How a node of a database listens, and how its sandboxes behave. */
export interface NodeOptions
  extends Omit<ServerOptions, 'https' | 'importFrom' | 'exportTo' | 'lost' | 'lockLost'> {
  /** URL of the PostgreSQL database. */
  readonly store: string
  /** URL at which other nodes reach this one; absent: the address that it listens on. */
  readonly nodeUrl?: string
  /** Time without a statement after which the server ends the node's session. Milliseconds. */
  readonly sessionIdleMs?: number
}

/** A node that listens. Its folder has no state, so losing the lock ends nothing; a proxy terminates TLS. */
export type RunningNode = Omit<RunningSandbox, 'sandbox' | 'followFixtures'>

/**
 * Starts a node, which serves the spaces of the database that no other node serves. Its state folder only
 * leads clients of this machine to it. Errors: TokenNeeded, PublishedKey, UnusableTarget, UnusableDatabase,
 * FixturesError, LockedState, PortTaken; DatabaseAway; an Error of the file system.
 */
export async function startNode(input: NodeOptions): Promise<RunningNode> {
  const { report, answered } = outageReport(input.report ?? (() => undefined))
  const checked = await checkedOptions({ port: 0, host: '127.0.0.1', ...input })
  const { apiKey, ...options } = { ...checked, report }
  const { host, start, token = null } = options
  const state = resolve(options.state)
  requireOwnState(state)
  const { undo, close } = undoSteps()
  try {
    const lock = acquireLock(state)
    undo.unshift(() => lock.release())
    const database = await Database.open(options.store)
    undo.unshift(() => database.close())
    database.onAway = (error) => report(error.message, error)
    const registry = new SpaceRegistry(database, options.wall)
    await registry.survey(0, []) // from here on its clock is that of the database
    const { wall } = registry
    const shared = await registry.join(firstSpace)
    const { catalogue, made } = options.isShared
      ? catalogueOfShared(options.catalogue, shared.secret, apiKey)
      : { catalogue: options.catalogue, made: [] }
    const fail = (error: Error) => report(error.message, error)
    const audit = databaseAudit(database, fail)
    const access = new Access(databaseTokens(database), audit, token, { wall, report: fail })
    undo.unshift(() => access.close())

    const listening = await listen({ port: options.port, host, maxHeaderSize: sealedHeaderSize }, null)
    const { port } = listening
    const url = `http://${urlHost(host)}:${port}`
    const { nodeUrl = url } = options
    const session = new OwnerSession({ database, url: nodeUrl, idleMs: options.sessionIdleMs })
    undo.unshift(() => session.close())
    const spaceCatalogue = ({ secret }: Pick<ClusterSpace, 'secret'>) =>
      secret === null ? catalogue : catalogueOfSpace(catalogue, { secret })
    const open = async (space: ClusterSpace, wakesAt: () => number | null): Promise<OpenSpace> => {
      const { name, secret, madeBy } = space
      const sandboxCatalogue = spaceCatalogue({ secret })
      const key = secret === null && apiKey !== undefined ? { apiKey } : {} // it is of the first space
      const keysFor = (settings: Settings) => [...keysWith(sandboxCatalogue, settings), ...Object.values(key)]
      const sandbox = await openSandbox({
        ...options,
        ...key,
        id: lock.id,
        catalogue: sandboxCatalogue,
        storage: spaceStorage({ ...options, database, session, space: name, keysFor, wakesAt }),
        spaceName: name,
        spaceMadeBy: madeBy,
        basePath: basePathOfSpace(name),
        spaces,
        access,
        wall,
        nodeUrls: () => [nodeUrl, ...registry.nodeUrls],
        keysChanged: () => registry.forgetKeys(),
        lost: () => void spaces.lose(name),
      })
      sandbox.listening.port = port
      const { handle, prepare } = createHandler(sandbox, urlHost(host), !isLoopback(host))
      await prepare()
      return { sandbox, handle, close: () => sandbox.close() }
    }
    const spaces = new ClusterHost({ registry, session, nodeUrl, url, token, spaceCatalogue, open, report })
    const answers: FaultAnswers = {
      newTraceId: () => randomUUID(),
      extras: options.extras ?? true,
      log: (...refused) => {
        const sandbox = spaces.sandboxInMemory(firstSpace)
        if (sandbox !== undefined) logMalformed(sandbox, ...refused)
      },
    }
    const { runs = defaults.runs, logFile = null } = options
    const startedAt = elapsedTime()
    const health = () => processHealth(lock.id, Math.round(elapsedTime() - startedAt))
    const node = () => ({ health: health(), runs, logFile })
    const seal = new NodeSeal(shared.secret, wall)
    const unknownSpace = {
      access,
      host: urlHost(host),
      forOthers: !isLoopback(host),
      newTraceId: answers.newTraceId,
      options: { ...defaults, ...presetSettings(options), ...options, catalogue, wall },
    }
    const router = new RequestRouter({
      ...{ spaces, registry, seal, nodeUrl, token, node, answers, unknownSpace },
      host: urlHost(host),
    })
    const { spaceIdleMs: idleMs = usualIdle } = options
    const stopUpkeep = startUpkeep({ registry, spaces, idleMs, report, answered })
    undo.unshift(() => {
      stopUpkeep()
      return stopServing(spaces, router, listening)
    })
    const sandboxes = () => spaces.slots.flatMap(({ space }) => space.open?.sandbox ?? [])
    const source = { access, host: urlHost(host), options: { ...options, wall }, sandboxes, answers }
    const handle = router.handle.bind(router)
    serve(listening, host, answers, options.meter?.before(handle, source) ?? handle)
    lock.announce({ url, ...(token !== null && { token }), ...(start && startForLock(start, port)) })
    await spaces.enter(spaces.slotOf(firstSpace)) // reading it may take longer than an answer may
    const connection = await spaces.fetchConnection(firstSpace).catch(async (error: Error) => {
      throw error instanceof Refusal && error.code === 'SBX_TOKEN' ? await otherToken(registry, token) : error
    })
    const lost = new Promise<never>(() => undefined)
    return { connection, made: shared.isNew ? made : [], certificate: null, lost, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The node that serves the first space was started with another token. */
async function otherToken(registry: SpaceRegistry, token: string | null): Promise<Refusal> {
  const url = (await registry.find(firstSpace))?.ownerUrl
  const other = token === null ? '--token, and this one without' : 'another --token, or with none'
  return new Refusal('SBX_STORE_FAIL', {
    field: 'token',
    detail: `the node at ${url} of the same database was started with ${other}`,
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
