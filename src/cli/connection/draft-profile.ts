import { Unreachable } from '../../client/http.ts'
import { settingOf } from '../settings/effective.ts'
import { type ConnectionFlags, type Profile, profileOf } from './profile.ts'
import { warn } from './sandbox-address.ts'
import { namedTarget } from './target.ts'

/**
 * The profile for a request that is only shown. If no service answers, it has the values of the settings, without a key.
 * Errors: as `profileOf`, but for Unreachable.
 */
export async function draftProfileOf(flags: ConnectionFlags, version: string): Promise<Profile> {
  try {
    return await profileOf(flags, version)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    warn(`${error.message}. The request is shown without what only the service knows`)
    return unansweredProfile(flags, error.url, version)
  }
}

function unansweredProfile(flags: ConnectionFlags, url: string, version: string): Profile {
  const { settings, baseUrl } = namedTarget({ ...flags, 'api-key': undefined })
  const [appId, merchantId] = [settingOf(settings, 'appId')?.value, settingOf(settings, 'merchantId')?.value]
  return {
    target: { baseUrl: baseUrl?.value ?? url, apiKey: '', userAgent: `tillbox/${version}` },
    parties: { ...(appId && { appId }), ...(merchantId && { merchantId }) },
    terminal: settingOf(settings, 'terminal')?.value,
    isSandbox: true, // nothing goes there, so nothing is refused
    name: settings.profile?.value,
    live: settings.live,
  }
}
