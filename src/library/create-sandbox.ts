import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { control } from '../client/client.ts'
import { coverageFolderVariable, ordersVariable } from '../contract/control/coverage-answers.ts'
import { inSpace, serverUrl } from '../contract/control/spaces.ts'
import { type RunningSandbox, type ServerOptions, startSandbox } from '../server/server.ts'
import {
  isEphemeralFolder,
  makeEphemeralFolder,
  removeAtEnd,
  removeEphemeralFolder,
} from '../shared/files/ephemeral.ts'
import { once } from '../shared/once.ts'
import { type Duration, InvalidOption, requireMilliseconds, shownValue } from '../testing/helpers/options.ts'
import type { TestSandbox } from '../testing/helpers/test-sandbox.ts'
import { type AddressOptions, asTestSandbox, sandboxAddressOf } from './connect-sandbox.ts'
import { checkOptions, type TestSandboxOptions } from './sandbox-options.ts'

/** How a sandbox is made: in this process, or with `connect` as a space of a server that runs elsewhere. */
export interface CreateOptions extends TestSandboxOptions {
  /** The server; its options hold for the space, so that only `clock` can be given beside it. */
  readonly connect?: SpaceOptions | undefined
}

/**
 * Starts a sandbox in this process, on a free port unless one is named. Without `state` it lives in a
 * temporary folder that `close` removes. With `connect` it is a space of its own in a running server, which
 * `close` removes. Errors: InvalidOption, TokenNeeded, FixturesError, LockedState, PortTaken; an Error of the
 * file system; with `connect` Unreachable, ForeignAnswer, ServiceRefusal.
 */
export async function createSandbox({ connect, ...given }: CreateOptions = {}): Promise<TestSandbox> {
  if (connect !== undefined) return createSpace(connect, given)
  const { state, clock = 'wall', ...options } = checkOptions(given)
  const isTemporary = state === undefined || state === 'temp'
  const folder = isTemporary ? makeEphemeralFolder() : state
  const forget = isTemporary ? removeAtEnd(folder) : () => undefined
  const removeFolder = () => {
    forget()
    if (isTemporary && isEphemeralFolder(folder)) removeEphemeralFolder(folder)
  }
  try {
    return await start({ ...options, state: folder }, clock, removeFolder)
  } catch (error) {
    removeFolder()
    throw error
  }
}

async function start(options: ServerOptions, clock: 'wall' | 'frozen', removeFolder: () => void) {
  const askOrders = await ordersOfCoverage()
  const {
    connection,
    certificate,
    close,
    sandbox: served,
  } = await startSandbox({
    ...options,
    ...(askOrders && { askOrders }),
  })
  const leaveReport = () => writeCoverage(served)
  const stopListening = leavesAtExit(leaveReport)
  const freeze = async (sandbox: Pick<TestSandbox, 'clock'>) => {
    if (clock === 'frozen') await sandbox.clock.freeze()
  }
  const where = {
    baseUrl: connection.url,
    ...(options.token != null && { token: options.token }),
    ...(certificate !== null && { ca: readFileSync(certificate, 'utf8') }),
  }
  try {
    const sandbox = await asTestSandbox(where, {
      prepare: freeze,
      ...(certificate !== null && { certificate }),
      ...(options.wall && { wall: options.wall }),
      close: async () => {
        stopListening()
        if (coverageFolder() !== undefined) await served.coverage.prove(served.engine.state)
        leaveReport()
        await close()
        removeFolder()
      },
    })
    await freeze(sandbox)
    return sandbox
  } catch (error) {
    stopListening()
    await close()
    throw error
  }
}

/** Calls it at the end of a process that closes nothing, as a runner ends one. Returns what stops that. */
function leavesAtExit(leave: () => void): () => void {
  if (coverageFolder() === undefined) return () => {}
  const most = process.getMaxListeners() // 0: any number
  const allowMore = (more: number) => most > 0 && process.setMaxListeners(process.getMaxListeners() + more)
  allowMore(1)
  process.once('exit', leave)
  return () => {
    if (process.listeners('exit').includes(leave)) allowMore(-1)
    process.off('exit', leave)
  }
}

const coverageFolder = (): string | undefined => process.env[coverageFolderVariable]

/** Leaves a report for `tillbox coverage`, which runs the tests. */
function writeCoverage({ coverage, engine }: RunningSandbox['sandbox']): void {
  const folder = coverageFolder()
  if (folder !== undefined && existsSync(folder))
    writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(coverage.report(engine.state)))
}

/** Asks for orders where the file of `tillbox coverage --orders` says. */
async function ordersOfCoverage(): Promise<ServerOptions['askOrders']> {
  const file = process.env[ordersVariable]
  if (file === undefined) return undefined
  const { askOrdersOf, readOrdersFile } = await import('../testing/scenario/merchant/orders-file.ts')
  return askOrdersOf(file, await readOrdersFile(file))
}

/** The running server in which a space is created. */
export interface SpaceOptions extends AddressOptions {
  /** Time after which the server removes a space that was not closed; by default an hour. */
  readonly ttl?: Duration | undefined
}

/** The options that a space may set; all others belong to the server. */
const ofSpace: readonly string[] = ['clock']

const usualTtl = 3_600_000

/**
 * Creates a space in a running server; `close` removes it. Errors: InvalidOption; Unreachable; ForeignAnswer;
 * ServiceRefusal for a token that may not create one.
 */
async function createSpace(space: SpaceOptions, options: TestSandboxOptions): Promise<TestSandbox> {
  if (typeof space !== 'object' || space === null)
    throw new InvalidOption(
      'connect',
      `must be an object with the url of a server, or {} for that of TILLBOX_BASE_URL; it is ${shownValue(space)}` +
        (space === 'env' ? `. The text 'env' is for useSandbox and sandboxTest` : ''),
    )
  const { ttl = usualTtl, ...where } = space
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !ofSpace.includes(name))
      throw new InvalidOption(name, 'is an option of the server: pass it to tillbox sandbox start')
  const address = sandboxAddressOf(where, 'connect')
  const server = { ...address, baseUrl: serverUrl(address.baseUrl) } // a URL of a space leads to its server
  const ttlMs = requireMilliseconds(ttl, 'connect.ttl')
  const { name } = await control(server, 'create-space', { ttlMs })
  const remove = async () => {
    await control(server, 'remove-space', undefined, { names: { space: name } })
  }
  const freeze = async ({ clock }: Pick<TestSandbox, 'clock'>) => {
    if (options.clock === 'frozen') await clock.freeze()
  }
  const { apiKey: _, ...withoutKey } = server // the key belongs to another space
  try {
    const sandbox = await asTestSandbox(
      { ...withoutKey, baseUrl: inSpace(server.baseUrl, name) },
      { prepare: freeze, close: once(remove) },
    )
    await freeze(sandbox)
    return sandbox
  } catch (error) {
    await remove()
    throw error
  }
}
