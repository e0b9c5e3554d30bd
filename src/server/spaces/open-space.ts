import { createHmac } from 'node:crypto'
import type { MadeAccess } from '../../contract/control/application-answers.ts'
import { basePathOfSpace } from '../../contract/control/spaces.ts'
import { type ApplicationProfile, type Catalogue, catalogueOf, isPublished } from '../../domain/fixtures.ts'
import { noSettings, type Settings } from '../../domain/settings.ts'
import { isCurrent } from '../../sandbox/engine/directory.ts'
import { readSettings } from '../../sandbox/store/file/state-folder.ts'
import { acquireLock } from '../../sandbox/store/lock.ts'
import { folderOfSpace, type SpaceRecord } from '../../sandbox/store/space-list.ts'
import { Damage } from '../../shared/files/checked-json.ts'
import { realSpaceFolder } from '../../shared/files/state-ownership.ts'
import { createHandler } from '../sandbox/handler.ts'
import type { SandboxOptions } from '../sandbox/options.ts'
import { openSandbox } from '../sandbox/sandbox.ts'
import type { OpenSpace } from './space.ts'
import type { SpaceHost } from './space-host.ts'

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
  /** Why the server's state folder is no longer ours; undefined while it is. */
  readonly lockLost: () => string | undefined
}

/**
 * API keys of a closed space: those of its start, or those set at run time. Those of its start where its
 * state is damaged: opening it says so, and the other spaces go on.
 */
export function keysOfClosed({ state, catalogue }: SpaceServer, record: SpaceRecord): string[] {
  return keysWith(catalogueOfSpace(catalogue, record), settingsOfClosed(folderOfSpace(state, record.name)))
}

function settingsOfClosed(folder: string): Settings {
  try {
    return readSettings(folder) ?? noSettings()
  } catch (error) {
    if (error instanceof Damage) return noSettings()
    throw error
  }
}

/** Opens a space on its own folder, under its own lock. Errors: LockedState; as `openSandbox`. */
export async function openSpace(
  server: SpaceServer,
  spaces: SpaceHost,
  record: SpaceRecord,
): Promise<OpenSpace> {
  const { name } = record
  const state = realSpaceFolder(server.state, name)
  const lock = acquireLock(state)
  try {
    const { port, url, certificate } = spaces.address
    const basePath = basePathOfSpace(name)
    const { apiKey: _, ...options } = server.options // belongs to the first space
    const sandbox = await openSandbox({
      ...options,
      catalogue: catalogueOfSpace(server.catalogue, record),
      state,
      port,
      id: lock.id,
      spaceName: name,
      spaceMadeBy: record.madeBy,
      basePath,
      spaces,
      access: spaces.access,
      keysChanged: (keys) => spaces.keys.learn(name, keys),
      lockLost: () => server.lockLost() ?? lock.lost(),
      lost: (error) => spaces.lose(name, error),
    })
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

/**
 * The catalogue of a space: the server's, but each application has a key and a webhook secret derived from
 * the secret of the space. They are unique, and stay the same after a restart or a reset. assumption: spaces
 */
export function catalogueOfSpace(catalogue: Catalogue, record: Pick<SpaceRecord, 'secret'>): Catalogue {
  const applications = catalogue.applications.map((application) => ({
    ...application,
    ...accessFrom(record.secret, application),
  }))
  return catalogueOf({ ...catalogue, applications })
}

/** The key and the webhook secret of an application that a secret leads to. */
function accessFrom(
  secret: string,
  { appId }: ApplicationProfile,
): Pick<ApplicationProfile, 'keys' | 'webhookSecret'> {
  const made = (what: string) => createHmac('sha256', secret).update(`${what} ${appId}`)
  const key = `tbx_sandbox_${made('key').digest('hex').slice(0, 24)}`
  return {
    keys: [{ key, environment: 'sandbox' }],
    webhookSecret: `whsec_${made('webhook').digest('base64')}`,
  }
}

/**
 * The catalogue of a sandbox that other machines reach: each application without a key or a webhook secret of
 * its own has one derived from `secret`. Published ones are left out. `apiKey`: given to the first.
 * assumption: keys
 */
export function catalogueOfShared(
  catalogue: Catalogue,
  secret: string,
  apiKey?: string,
): { readonly catalogue: Catalogue; readonly made: readonly MadeAccess[] } {
  const made: MadeAccess[] = []
  const applications = catalogue.applications.map((application, index) => {
    const derived = accessFrom(secret, application)
    const keys = application.keys.filter(({ key }) => !isPublished(key))
    const hasKey = keys.some(isCurrent) || (index === 0 && apiKey !== undefined)
    const hasSecret = !isPublished(application.webhookSecret)
    if (!hasKey || !hasSecret)
      made.push({
        appId: application.appId,
        ...(!hasKey && { apiKey: derived.keys[0]?.key ?? '' }),
        ...(!hasSecret && { webhookSecret: derived.webhookSecret }),
      })
    return {
      ...application,
      keys: hasKey ? keys : [...derived.keys, ...keys],
      ...(!hasSecret && { webhookSecret: derived.webhookSecret }),
    }
  })
  return { catalogue: catalogueOf({ ...catalogue, applications }), made }
}

/**
 * Every key of a space with these settings: for each application the keys set at run time, otherwise those of
 * the catalogue.
 */
export const keysWith = (
  { applications }: Pick<Catalogue, 'applications'>,
  { keys: storedKeys }: Pick<Settings, 'keys'>,
): string[] =>
  Object.values({
    ...Object.fromEntries(applications.map(({ appId, keys }) => [appId, keys])),
    ...storedKeys,
  }).flatMap((keys) => keys.map(({ key }) => key))
