import { createHmac } from 'node:crypto'
import type { MadeAccess } from '../../contract/sandbox/applications/made-access.ts'
import type { Settings } from '../../domain/settings.ts'
import { isCurrent } from '../../engine/directory.ts'
import { type ApplicationProfile, type Catalogue, catalogueOf, isPublished } from '../../fixtures.ts'
import type { SpaceRecord } from '../../store/space-list.ts'

/**
 * The catalogue of a space: the server's, but each application has a key and a webhook secret derived from the secret
 * of the space. They are unique, and stay the same after a restart or a reset. assumption: spaces
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
 * The catalogue of a sandbox that other machines reach: each application without a key or a webhook secret of its own
 * has one derived from `secret`. Published ones are left out. `apiKey`: given to the first. assumption: own-keys
 */
export function catalogueOfShared(
  catalogue: Catalogue,
  secret: string,
  apiKey?: string,
): { readonly catalogue: Catalogue; readonly made: readonly MadeAccess[] } {
  const made: MadeAccess[] = []
  const applications = catalogue.applications.map((application, index) => {
    const own = accessFrom(secret, application)
    const keys = application.keys.filter(({ key }) => !isPublished(key))
    const hasKey = keys.some(isCurrent) || (index === 0 && apiKey !== undefined)
    const hasSecret = !isPublished(application.webhookSecret)
    if (!hasKey || !hasSecret)
      made.push({
        appId: application.appId,
        ...(!hasKey && { apiKey: own.keys[0]?.key ?? '' }),
        ...(!hasSecret && { webhookSecret: own.webhookSecret }),
      })
    return {
      ...application,
      keys: hasKey ? keys : [...own.keys, ...keys],
      ...(!hasSecret && { webhookSecret: own.webhookSecret }),
    }
  })
  return { catalogue: catalogueOf({ ...catalogue, applications }), made }
}

/**
 * Every key of a space with these settings: for each application the keys set at run time, otherwise those of the
 * catalogue.
 */
export const keysWith = (
  { applications }: Pick<Catalogue, 'applications'>,
  { keys: given }: Pick<Settings, 'keys'>,
): string[] =>
  Object.values({
    ...Object.fromEntries(applications.map(({ appId, keys }) => [appId, keys])),
    ...given,
  }).flatMap((keys) => keys.map(({ key }) => key))

/** Every key of the applications of a catalogue. */
export const keysIn = ({ applications }: Pick<Catalogue, 'applications'>): string[] =>
  applications.flatMap(({ keys }) => keys.map(({ key }) => key))
