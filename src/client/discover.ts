import type { Connection } from '../contract/control/control-answers.ts'
import { inSpace, spaceIn } from '../contract/control/spaces.ts'
import { defaultPort } from '../contract/headers.ts'
import { control } from './client.ts'
import { Unreachable } from './http.ts'
import { ServiceRefusal } from './read-envelope.ts'
import { isOfDeadNode, readLock, type SandboxLock, UnusableLock } from './sandbox-lock.ts'
import { NoSandbox } from './which-sandbox.ts'

/** The port on which commands look for a sandbox: TILLBOX_PORT, or the default. */
export const usualPort = (): number => Number(process.env.TILLBOX_PORT) || defaultPort

/** URL of a sandbox that no state folder leads to. */
export const usualUrl = (): string => `http://127.0.0.1:${usualPort()}`

/** How long a running command waits for an answer when it looks for its sandbox again. Milliseconds. */
const shortPatience = 5_000

/** Where a service is, with the secrets that only it may get. */
export interface SandboxAddress {
  readonly baseUrl: string
  /** Certificate to trust, PEM. */
  readonly ca?: string | undefined
  /** Token for its control interface. A secret: it is never shown. */
  readonly token?: string | undefined
  /**
   * State folder whose lock file led here, absolute; undefined when a base URL or the default port did. A
   * client keeps its own files beside the state here, never where an answer says.
   */
  readonly stateFolder?: string | undefined
  /** State of a sandbox that only the default port led to: it may be another project's. */
  readonly elsewhere?: string | undefined
  /** Why nothing may be changed there; undefined: it may. */
  readonly doubt?: Error | undefined
}

/** A sandbox that answered, and how to connect to it. */
export type FoundSandbox = Connection & SandboxAddress

/** Called with why a lock file was not used. */
export type Warn = (text: string) => void

/**
 * Finds a sandbox of this machine and asks it how to connect: the sandbox of the state folder or, without a
 * folder, the one on the usual port, which has no `stateFolder`. It gets
 * no secret of the environment. assumption: credentials. `space`: which of its spaces; `timeout` of each
 * request in milliseconds. Errors: NoSandbox and UnusableLock for a named folder; Unreachable, ForeignAnswer;
 * ServiceRefusal for an unknown space.
 */
export async function connectLocal(
  state: string | undefined,
  space?: string,
  timeout?: number,
): Promise<FoundSandbox> {
  const found = await connectLocalServer(state, timeout)
  if (space === undefined) return found
  const { elsewhere } = found
  return { ...(await connect({ ...found, baseUrl: inSpace(found.baseUrl, space) }, timeout)), elsewhere }
}

async function connectLocalServer(
  state: string | undefined,
  timeout: number | undefined,
): Promise<FoundSandbox> {
  if (state !== undefined) return (await connectWithLock(state, timeout)).sandbox
  const found = await connect({ baseUrl: usualUrl() }, timeout)
  return { ...found, elsewhere: found.state }
}

/**
 * Finds a sandbox again by its state folder or URL, with every check repeated: another program may answer
 * there by now. Errors: Unreachable while it is gone; UnusableLock.
 */
export async function connectAgain(found: SandboxAddress): Promise<FoundSandbox> {
  const { baseUrl, stateFolder } = found
  if (stateFolder === undefined) return connect(found, shortPatience)
  const lock = readLock(stateFolder)
  if (lock === undefined) throw new Unreachable(baseUrl, `no sandbox runs on ${stateFolder}`, true)
  return connectToSpace(await connectByLock(lock, shortPatience), baseUrl, shortPatience)
}

/**
 * Connects to a URL that the user named with the certificate and the token of the state folder, if its
 * sandbox serves that URL or a space of it; undefined when it does not, or needs neither. assumption: spaces
 */
export async function findByLock(
  baseUrl: string,
  state: string | undefined,
  warn: Warn,
  timeout?: number,
): Promise<FoundSandbox | undefined> {
  try {
    const lock = state === undefined ? undefined : readLock(state)
    if (lock === undefined || !isSameOrigin(lock.baseUrl, baseUrl)) return undefined
    if (lock.ca === undefined && lock.token === undefined) return undefined
    const server = await connectByLock(lock, timeout)
    return { ...(await connectToSpace(server, baseUrl, timeout)), stateFolder: undefined }
  } catch (error) {
    if (!(error instanceof UnusableLock)) throw error
    if (error.url !== undefined && isSameOrigin(error.url, baseUrl)) warn(error.message)
    return undefined
  }
}

/** Asks a sandbox how to connect to it; its answer never changes its address. `timeout` in milliseconds. */
export async function connect(
  { baseUrl, ca, token, stateFolder }: SandboxAddress,
  timeout?: number,
): Promise<FoundSandbox> {
  const answer = await control({ baseUrl, ca, token }, 'connection', undefined, { timeout })
  return { ...answer, baseUrl, ca, token, stateFolder }
}

/** As `connect`, for a URL that names no space: a token of a single space leads to that space. */
export function connectByToken(address: SandboxAddress, timeout?: number): Promise<FoundSandbox> {
  return connect(address, timeout).catch((error) => {
    const ofToken = inSpaceOfToken(address, error)
    if (ofToken === address) throw error
    return connect(ofToken, timeout)
  })
}

/** The address of the one space that a refused token is for; the same address for any other token. */
export function inSpaceOfToken(address: SandboxAddress, refused: unknown): SandboxAddress {
  const space = refused instanceof ServiceRefusal ? refused.tokenSpace : undefined
  if (space === undefined || spaceIn(address.baseUrl) !== undefined) return address
  return { ...address, baseUrl: inSpace(address.baseUrl, space) }
}

/** A sandbox whose answer has the id of its lock file, and that lock file. */
export interface LockedSandbox {
  readonly lock: SandboxLock
  readonly sandbox: FoundSandbox
}

/** The sandbox that runs on a state folder, with its lock. Errors: NoSandbox, UnusableLock, Unreachable. */
export async function connectWithLock(state: string, timeout?: number): Promise<LockedSandbox> {
  const lock = readLock(state)
  if (lock === undefined) throw new NoSandbox(state, isOfDeadNode(state))
  const sandbox = await connectByLock(lock, timeout).catch((error) => {
    throw error instanceof Unreachable && error.refused ? new NoSandbox(state) : error
  })
  return { lock, sandbox }
}

/**
 * The sandbox that wrote the lock file: its answer has the same id. Errors: UnusableLock for any other
 * answer; Unreachable; ServiceRefusal while it is up but its database is away.
 */
async function connectByLock(lock: SandboxLock, timeout?: number): Promise<FoundSandbox> {
  const sandbox = await connect(lock, timeout).catch(async (error) => {
    const isAway = error instanceof ServiceRefusal && error.httpStatus === 503
    const isKnown = error instanceof Unreachable || (isAway && (await isUp(lock, timeout)))
    throw isKnown ? error : strangerAt(lock)
  })
  if (sandbox.id !== lock.id) throw strangerAt(lock)
  return sandbox
}

const isUp = (lock: SandboxLock, timeout?: number): Promise<boolean> =>
  control(lock, 'health', undefined, { timeout }).then(
    ({ id }) => id === lock.id,
    () => false,
  )

const strangerAt = ({ path, baseUrl }: SandboxLock): UnusableLock =>
  new UnusableLock(path, `the sandbox that wrote it is not the one that answers at ${baseUrl}`, baseUrl)

/** True when the lock file of a state folder names the origin of a URL. Sends no request. */
export function runsAt(state: string | undefined, baseUrl: string): boolean {
  try {
    const lock = state === undefined ? undefined : readLock(state)
    return lock !== undefined && isSameOrigin(lock.baseUrl, baseUrl)
  } catch (error) {
    if (error instanceof UnusableLock) return error.url !== undefined && isSameOrigin(error.url, baseUrl)
    throw error
  }
}

/** True for the same scheme, host and port; the names of loopback count as equal. */
export const isSameOrigin = (one: string, other: string): boolean => originOf(one) === originOf(other)

/** The sandbox of the server that serves the space of a URL. `timeout` in milliseconds. */
function connectToSpace(server: FoundSandbox, url: string, timeout?: number) {
  const space = spaceIn(url)
  if (space === undefined || space === spaceIn(server.baseUrl)) return server
  return connect({ ...server, baseUrl: inSpace(server.baseUrl, space) }, timeout)
}

/** Loopback has three names in use. */
const originOf = (url: string): string =>
  new URL(url).origin.replace(/\/\/(localhost|\[::1\])(?=:|$)/, '//127.0.0.1')
