import type { RequestListener } from 'node:http'
import { resolve } from 'node:path'
import type { MadeAccess } from '../contract/control/application-answers.ts'
import type { Connection } from '../contract/control/control-answers.ts'
import { isLoopback, type StartRecord } from '../contract/control/state-folder.ts'
import type { FixturesFile } from '../sandbox/fixture-files/fixtures-schema.ts'
import { answerMisdirected, isSentOn } from '../sandbox/http/node-to-node.ts'
import { lostFolder } from '../sandbox/store/file/file-store.ts'
import { isNewFolder } from '../sandbox/store/file/state-folder.ts'
import { acquireLock, type Lock } from '../sandbox/store/lock.ts'
import { ensureFolderSecret } from '../sandbox/store/space-list.ts'
import { sandboxConnection } from '../sandbox/views/views.ts'
import { requireOwnState } from '../shared/files/state-ownership.ts'
import { deferred, setImmediate, wallTime } from '../shared/timers.ts'
import { undoSteps } from '../shared/undo-all.ts'
import { ensureCertificate } from './certificate.ts'
import { catalogueFor, checkedOptions } from './checked-options.ts'
import { drain, listen, requireFreePort, serve, urlHost } from './listening.ts'
import { createHandler, faultAnswersOf } from './sandbox/handler.ts'
import type { SandboxOptions } from './sandbox/options.ts'
import { exportAtStop, type ImportSource, openImport } from './sandbox/portable-at-start.ts'
import { openSandbox, type Sandbox } from './sandbox/sandbox.ts'
import {
  catalogueOfShared,
  catalogueOfSpace,
  keysOfClosed,
  openSpace,
  type SpaceServer,
} from './spaces/open-space.ts'
import { usualIdle } from './spaces/space.ts'
import { SpaceHost } from './spaces/space-host.ts'

/** Options of the address and the behaviour of a sandbox. */
export interface ServerOptions
  extends Partial<Omit<SandboxOptions, 'state' | 'id' | 'catalogue' | 'recorded'>> {
  /** State folder. */
  readonly state: string
  /** Absent or 0: a free port. */
  readonly port?: number
  /** True where nobody named the port: the next free one will do. */
  readonly nextPort?: boolean
  /** Absent: 127.0.0.1. */
  readonly host?: string
  /** Absent: plain HTTP. */
  readonly https?: boolean
  /**
   * Merchants, cards and outcomes that add to or replace the built-in ones: a file, a folder, or the content
   * of a file.
   */
  readonly fixtures?: string | FixturesFile
  /** False: no amount selects an outcome. */
  readonly triggerAmounts?: boolean
  /** File of the differences that a project accepted: its settings hold where none are given. */
  readonly recorded?: string
  /** Options for `sandbox restart`; absent when no command started the sandbox. */
  readonly start?: StartRecord
  /** Folder in which the start was typed. */
  readonly from?: string
  /** An export that becomes the state before the first answer. */
  readonly importFrom?: ImportSource
  /** Milliseconds without use after which a space leaves memory; absent: five minutes. */
  readonly spaceIdleMs?: number
  /** Whether `/metrics` is served. assumption: metrics */
  readonly metrics?: boolean
  /** A file to which the state is exported when the sandbox stops; compressed when its name ends in .gz. */
  readonly exportTo?: string
}

/** A sandbox that listens. */
export interface RunningSandbox {
  readonly connection: Connection
  /** Path of the certificate to trust; null without TLS. */
  readonly certificate: string | null
  readonly sandbox: Sandbox
  /** The keys and secrets that this start made, to be shown once. assumption: keys */
  readonly made: readonly MadeAccess[]
  /** Resolves with the reason once the state folder no longer belongs to this sandbox, which then stopped. */
  readonly lost: Promise<Error>
  /** Reads the fixtures again, for every space; a wrong file changes nothing. */
  followFixtures(): Promise<void>
  /** Waits for running requests, stores everything, frees port and state folder. May be called repeatedly. */
  close(): Promise<void>
}

/**
 * Opens the state folder and listens on loopback or the given address.
 * Errors: TokenNeeded, PublishedKey, UnusableTarget, FixturesError, WrongRecordedFile, ImportRefused,
 * ForeignState, LockedState, PortTaken, DamagedLine, an Error of the file system.
 */
export async function startSandbox(input: ServerOptions): Promise<RunningSandbox> {
  const { start, from, ...rest } = { port: 0, host: '127.0.0.1', https: false, ...input }
  const options = await checkedOptions(rest)
  const importInto = options.importFrom && openImport(options.importFrom)
  const state = resolve(options.state)
  requireOwnState(state)
  if (isNewFolder(state) && !options.nextPort) await requireFreePort(options)
  const { undo, close } = undoSteps()
  try {
    const lock = acquireLock(state)
    undo.unshift(() => lock.release())
    const { promise: lost, resolve: lose } = deferred<Error>()
    const report = (message: string) => options.report?.(message) // pass on only the line
    const { catalogue, made: madeAccess } = accessOn(state, options)
    const shared = { ...options, catalogue, report }
    const spaces = spacesOn(state, shared, lock)
    const sandbox = await openSandbox({
      ...shared,
      state,
      spaces,
      id: lock.id,
      lockLost: lock.lost,
      lost: lose,
    })
    undo.unshift(() => sandbox.close())
    undo.unshift(() => spaces.close())
    await importInto?.(sandbox)
    const tls = options.https ? await ensureCertificate(state, options.host) : null
    const { handle, prepare } = createHandler(sandbox, urlHost(options.host), !isLoopback(options.host))
    const listening = await listen(options, tls)
    const answers = faultAnswersOf(sandbox)
    const handleAll: RequestListener = (incoming, outgoing) =>
      isSentOn(incoming) ? answerMisdirected(outgoing) : spaces.handle(incoming, outgoing)
    const { access } = sandbox
    const source = {
      access,
      host: urlHost(options.host),
      options,
      sandboxes: () => spaces.sandboxes,
      answers,
    }
    serve(listening, options.host, answers, options.meter?.before(handleAll, source) ?? handleAll)
    const { port } = listening
    if (options.nextPort && port !== options.port)
      report(`Port ${options.port} is taken: the sandbox listens on the next free one, ${port}`)
    const { exportTo } = options
    // Only from here on: a failed start must not replace an earlier export.
    if (exportTo !== undefined) undo.unshift(() => exportAtStop(sandbox, exportTo))
    undo.unshift(() => drain(listening, spaces.sandboxes))
    sandbox.listening.port = port
    const url = `${tls ? 'https' : 'http'}://${urlHost(options.host)}:${port}`
    spaces.begin({ sandbox, handle, address: { port, url, ...(tls && { certificate: tls.path }) } })
    setImmediate(prepare)
    lock.announce({
      url,
      ...(tls && { certificate: tls.path }),
      ...(options.token != null && { token: options.token }),
      ...(start && { start: { ...start, port }, isFreePort: start.port === 0 }),
      ...(from !== undefined && { from }),
    })
    const connection = sandboxConnection(sandbox, url)
    const stopped = lost.then(async (error) => {
      await close().catch((reason: Error) => sandbox.options.report(reason.message))
      return error
    })
    return {
      connection,
      certificate: tls?.path ?? null,
      sandbox,
      made: madeAccess,
      lost: stopped,
      followFixtures: async () => {
        const read = await catalogueFor(options.fixtures, options.triggerAmounts)
        await sandbox.follow(accessOn(state, { ...options, catalogue: read }).catalogue)
        await spaces.followFixtures((record) => catalogueOfSpace(catalogue, record))
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The catalogue of a server, and what was made for it now. Errors: DamagedFile; one of the file system. */
function accessOn(
  state: string,
  { isShared, catalogue, apiKey }: Pick<SandboxOptions, 'isShared' | 'catalogue' | 'apiKey'>,
) {
  if (!isShared) return { catalogue, made: [] }
  const { secret, isNew } = ensureFolderSecret(state)
  const shared = catalogueOfShared(catalogue, secret, apiKey)
  return isNew ? shared : { ...shared, made: [] }
}

/** The spaces of a server, beside the first. Errors: DamagedFile, NewerFormat; one of the file system. */
function spacesOn(
  state: string,
  shared: SpaceServer['options'] &
    Pick<ServerOptions, 'spaceIdleMs'> &
    Pick<SpaceServer, 'catalogue'> & { readonly host: string },
  lock: Pick<Lock, 'lost'>,
): SpaceHost {
  const { apiKey: _, catalogue, host, wall = wallTime, report = () => undefined } = shared
  const server: SpaceServer = {
    state,
    catalogue,
    options: shared,
    host: urlHost(host),
    forOthers: !isLoopback(host),
    lockLost: lock.lost,
  }
  const confirm = () => {
    const why = lock.lost()
    if (why !== undefined) throw lostFolder(state, why)
  }
  return new SpaceHost({
    state,
    confirm,
    closedSpaceKeys: (record) => keysOfClosed(server, record),
    open: (record, spaces) => openSpace(server, spaces, record),
    idleMs: shared.spaceIdleMs ?? usualIdle,
    host: server.host,
    forOthers: server.forOthers,
    wall,
    report,
  })
}
