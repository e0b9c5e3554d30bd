import { findSandbox } from '../../client/discover.ts'
import { Unreachable } from '../../client/http.ts'
import { hiddenKey } from '../../contract/sandbox/request-log.ts'
import { keyFor, typedKey } from '../connection/credentials.ts'
import type { ConnectionFlags } from '../connection/profile.ts'
import { namedTarget } from '../connection/target.ts'
import { isUnapproved, type Origin, type SettingName, settingOf } from '../settings/effective.ts'

/** A setting that holds. `value`: a secret is redacted; null: not set. `source`: what set it. */
interface EffectiveSetting {
  readonly setting: string
  readonly value: string | null
  readonly source: string
}

/** What `whoami` answers. */
export interface Whoami {
  readonly profile: string | null
  readonly live: boolean | null
  readonly settings: readonly EffectiveSetting[]
  readonly project: { readonly file: string; readonly approved: boolean } | null
}

/** The settings that a command with these flags would use. Nothing is asked of a service that was named. Errors: UsageError. */
export async function whoami(flags: ConnectionFlags): Promise<Whoami> {
  const target = namedTarget({ ...flags, 'api-key': undefined })
  const { settings, baseUrl, state } = target
  const key = keyFor(target, await typedKey(flags))
  const found = baseUrl === undefined ? await sandboxHere(state) : undefined
  const row = (setting: string, name: SettingName, other?: string): EffectiveSetting => {
    const set = settingOf(settings, name)
    if (set !== undefined) return { setting, value: set.value, source: sourceOf(set.origin) }
    return { setting, value: other ?? null, source: other === undefined ? '' : 'the running sandbox' }
  }
  const { profile, live = null, project } = settings
  const ofSandbox = key === undefined ? found : undefined
  return {
    profile: profile?.value ?? null,
    live,
    settings: [
      { setting: 'profile', value: profile?.value ?? null, source: profile ? sourceOf(profile.origin) : '' },
      row('baseUrl', 'baseUrl', found?.baseUrl),
      row('state', 'state', found?.stateFolder),
      key === undefined
        ? {
            setting: 'apiKey',
            value: found ? hiddenKey(found.apiKey) : null,
            source: found ? 'the running sandbox' : '',
          }
        : { setting: 'apiKey', value: hiddenKey(key.value), source: sourceOf(key.origin) },
      row('appId', 'appId', ofSandbox?.appId),
      row('merchantId', 'merchantId', ofSandbox?.merchantId),
      row('terminal', 'terminal'),
      {
        setting: 'live',
        value: live === null ? null : live ? 'yes' : 'no',
        source: live === null ? '' : 'the profile',
      },
    ],
    project: project === undefined ? null : { file: project.path, approved: !isUnapproved(settings) },
  }
}

const sourceOf = ({ name }: Origin): string => name

/** Undefined when none runs. */
const sandboxHere = (state: string | undefined) =>
  findSandbox(state, () => undefined).catch((error: Error) => {
    if (error instanceof Unreachable || error.name === 'NoSandbox') return undefined
    throw error
  })
