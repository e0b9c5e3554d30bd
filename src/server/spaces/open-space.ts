import type { Access } from '../../access/access.ts'
import { basePathOfSpace } from '../../contract/sandbox/spaces/space-name.ts'
import type { Spaces } from '../../control/context/known-spaces.ts'
import { noSettings, type Settings } from '../../domain/settings.ts'
import { DamagedFile } from '../../files/checked-json.ts'
import type { Catalogue } from '../../fixtures.ts'
import { createHandler } from '../../sandbox/handler.ts'
import type { SandboxOptions } from '../../sandbox/options.ts'
import { openSandbox } from '../../sandbox/sandbox.ts'
import { DamagedLine } from '../../store/file/lines.ts'
import { readSettings } from '../../store/file/state-folder.ts'
import { acquireLock } from '../../store/lock.ts'
import { folderOfSpace, type SpaceRecord } from '../../store/space-list.ts'
import { catalogueOfSpace, keysWith } from './own-access.ts'
import type { OpenSpace } from './space.ts'

/** The parts that the spaces of a server share. */
export interface SpaceServer {
  /** State folder of the server. */
  readonly state: string
  readonly catalogue: Catalogue
  /** Options of each space. */
  readonly options: Partial<Omit<SandboxOptions, 'state' | 'id' | 'catalogue'>>
  /** The bound address as in a URL, and whether other machines can reach it. */
  readonly host: string
  readonly forOthers: boolean
  /** The address that the server listens on. */
  readonly listenAddress: () => { readonly port: number; readonly url: string; readonly certificate?: string }
  /** Why the server's state folder is no longer ours; undefined while it is. */
  readonly lockLost: () => string | undefined
  /** Called when the API keys of a space changed. */
  readonly keysChanged: (space: string, keys: readonly string[]) => void
  readonly spaces: () => Spaces
  /** Tokens and audit log of the server. */
  readonly access: () => Access
  /** Called when the folder of a space is no longer ours. */
  readonly lost: (space: string, error: Error) => void
}

/**
 * API keys of a closed space: those of its start, or those set at run time. Those of its start where its state is damaged:
 * opening it says so, and the other spaces go on. Errors: an Error of the file system.
 */
export function keysOfClosed({ state, catalogue }: SpaceServer, record: SpaceRecord): string[] {
  return keysWith(catalogueOfSpace(catalogue, record), settingsOfClosed(folderOfSpace(state, record.name)))
}

function settingsOfClosed(folder: string): Settings {
  try {
    return readSettings(folder) ?? noSettings()
  } catch (error) {
    if (error instanceof DamagedFile || error instanceof DamagedLine) return noSettings()
    throw error
  }
}

/** Opens a space on its own folder, under its own lock. Errors: LockedState; as `openSandbox`. */
export async function openSpace(server: SpaceServer, record: SpaceRecord): Promise<OpenSpace> {
  const { name } = record
  const state = folderOfSpace(server.state, name)
  const lock = acquireLock(state)
  try {
    const { port, url, certificate } = server.listenAddress()
    const basePath = basePathOfSpace(name)
    const { apiKey: _, ...options } = server.options // belongs to the first space
    const sandbox = await openSandbox({
      ...options,
      catalogue: catalogueOfSpace(server.catalogue, record),
      state,
      id: lock.id,
      spaceName: name,
      basePath,
      spaces: server.spaces(),
      access: server.access(),
      keysChanged: (keys) => server.keysChanged(name, keys),
      lockLost: () => server.lockLost() ?? lock.lost(),
      lost: (error) => server.lost(name, error),
    })
    sandbox.port = port
    const { token } = server.options
    lock.announce({
      url: url + basePath,
      ...(certificate && { certificate }),
      ...(token != null && { token }),
    })
    const { handle, prepare } = createHandler(sandbox, server.host, server.forOthers)
    await prepare()
    return { sandbox, handle, close: () => sandbox.close().finally(() => lock.release()) }
  } catch (error) {
    lock.release()
    throw error
  }
}
