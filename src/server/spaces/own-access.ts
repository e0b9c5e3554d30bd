import { createHmac } from 'node:crypto'
import type { Settings } from '../../domain/settings.ts'
import { type ApplicationProfile, type Catalogue, catalogueOf } from '../../fixtures.ts'
import type { SpaceRecord } from '../../store/space-list.ts'

/**
 * The catalogue of a space: the server's, but each application has a key and a webhook secret derived from the secret
 * of the space. They are unique, and stay the same after a restart or a reset. assumption: spaces
 */
export function catalogueOfSpace(catalogue: Catalogue, record: Pick<SpaceRecord, 'secret'>): Catalogue {
  const applications = catalogue.applications.map((application): ApplicationProfile => {
    const made = (what: string) => createHmac('sha256', record.secret).update(`${what} ${application.appId}`)
    const key = `tbx_sandbox_${made('key').digest('hex').slice(0, 24)}`
    return {
      ...application,
      keys: [{ key, environment: 'sandbox' }],
      webhookSecret: `whsec_${made('webhook').digest('base64')}`,
    }
  })
  return catalogueOf({ ...catalogue, applications })
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
