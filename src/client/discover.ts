import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '../api/controls.ts'
import { control } from './client.ts'
import { Unreachable } from './http.ts'

/** Port of a sandbox when nobody says otherwise. */
export const defaultPort = 8455

const defaultUrl = `http://127.0.0.1:${defaultPort}`

/** State folder of a sandbox when nobody says otherwise. */
export const defaultState = './.tillbox'

/** A sandbox that may be running: where, and the certificate to trust. */
export interface Place {
  readonly baseUrl: string
  readonly ca?: string | undefined
}

/** Where the sandbox on this state folder listens; without one, the default port. */
export function placeOf(state: string): Place {
  const { url, certificate } = readLock(state)
  if (url === undefined) return { baseUrl: defaultUrl }
  const ca = certificate && existsSync(certificate) ? readFileSync(certificate, 'utf8') : undefined
  return { baseUrl: url, ca }
}

/**
 * Finds the sandbox that runs on the state folder, else on the default port, and asks it how to connect.
 * Errors: Unreachable, ForeignAnswer.
 */
export async function findSandbox(state: string): Promise<Connection & Place> {
  const place = placeOf(state)
  try {
    return await connect(place)
  } catch (error) {
    if (!(error instanceof Unreachable) || place.baseUrl === defaultUrl) throw error
    return connect({ baseUrl: defaultUrl })
  }
}

/** Asks a sandbox how to connect to it. Errors: Unreachable, ForeignAnswer. */
export async function connect(place: Place): Promise<Connection & Place> {
  return { ...(await control<Connection>(place, 'connection')), ...place }
}

function readLock(state: string): { url?: string; certificate?: string } {
  try {
    return JSON.parse(readFileSync(join(state, 'lock.json'), 'utf8')) as {
      url?: string
      certificate?: string
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || error instanceof SyntaxError) return {}
    throw error
  }
}
