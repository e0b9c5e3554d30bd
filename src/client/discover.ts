import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '../api/control-answers.ts'
import { type LockFile, lockFileName } from '../api/lock-file.ts'
import { control } from './client.ts'
import { Unreachable } from './http.ts'

/** Port of a sandbox when nobody says otherwise. */
export const defaultPort = 8455

const defaultUrl = `http://127.0.0.1:${defaultPort}`

/** State folder of a sandbox when nobody says otherwise. */
export const defaultState = './.tillbox'

/** No sandbox runs on a state folder that was named. */
export class NoSandbox extends Error {
  override readonly name = 'NoSandbox'
  constructor(readonly state: string) {
    super(`No sandbox runs on the state folder ${state}`)
  }
}

/** A sandbox that may be running: where, and the certificate to trust. */
export interface Place {
  readonly baseUrl: string
  /** Process that the lock file names; another one may have taken the port since. */
  readonly pid?: number | undefined
  readonly ca?: string | undefined
  /** What its control interface wants, when it was started with a token. A secret: it is shown nowhere. */
  readonly token?: string | undefined
}

/** Where the sandbox on this state folder listens, or last listened; undefined when there is none. */
export function placeOf(state: string): Place | undefined {
  const { url, certificate, pid, token } = readLock(state)
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  const ca = certificate && existsSync(certificate) ? readFileSync(certificate, 'utf8') : undefined
  return { baseUrl: url, ca, pid, ...(token && { token }) }
}

/**
 * Finds the sandbox that runs on a state folder and asks it how to connect. When no folder was named, it may also run on
 * the default port, from another one. Errors: Unreachable, ForeignAnswer.
 */
export async function findSandbox(state: string | undefined): Promise<Connection & Place> {
  const place = placeOf(state ?? defaultState)
  if (state !== undefined && place === undefined) throw new NoSandbox(state)
  try {
    const found = await connect(place ?? { baseUrl: defaultUrl })
    if (state !== undefined && found.pid !== place?.pid) throw new NoSandbox(state)
    return found
  } catch (error) {
    if (error instanceof Unreachable && error.refused && state !== undefined) throw new NoSandbox(state)
    if (!(error instanceof Unreachable) || state !== undefined || place === undefined) throw error
    return connect({ baseUrl: defaultUrl }).catch(() => {
      throw error
    })
  }
}

/** Asks a sandbox how to connect to it. Errors: Unreachable, ForeignAnswer. */
export async function connect(place: Place): Promise<Connection & Place> {
  const known = { ...place, token: place.token ?? tokenOfEnvironment() }
  return { ...known, ...(await control<Connection>(known, 'connection')) }
}

/** The token of a sandbox on another machine. */
const tokenOfEnvironment = (): string | undefined => process.env.TILLBOX_TOKEN || undefined

/**
 * The service at a URL, with what the state folder knows of it when it is the sandbox that runs there: trusting its
 * certificate means trusting no other one.
 */
export function placeAt(baseUrl: string, state = defaultState): Place {
  const place = placeOf(state)
  const ours = place !== undefined && originOf(baseUrl) === originOf(place.baseUrl) ? place : undefined
  return { baseUrl, ca: ours?.ca, token: ours?.token ?? tokenOfEnvironment() }
}

/** Loopback has three names in use. */
const originOf = (url: string): string =>
  new URL(url).origin.replace(/\/\/(localhost|\[::1\])(?=:|$)/, '//127.0.0.1')

function readLock(state: string): Partial<LockFile> {
  try {
    return (JSON.parse(readFileSync(join(state, lockFileName), 'utf8')) as Partial<LockFile> | null) ?? {}
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES') throw error
    return {} // no lock, or none that can be read: no sandbox tells where it is
  }
}
