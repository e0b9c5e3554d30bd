import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '../api/controls.ts'
import { control } from './client.ts'

/** Port of a sandbox when nobody says otherwise. */
export const defaultPort = 8455

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
  if (url === undefined) return { baseUrl: `http://127.0.0.1:${defaultPort}` }
  return { baseUrl: url, ...(certificate && { ca: readFileSync(certificate, 'utf8') }) }
}

/** Asks the sandbox how to connect to it. Errors: Unreachable, ForeignAnswer. */
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
