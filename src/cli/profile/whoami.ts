import { connectLocal } from '../../client/discover.ts'
import { Unreachable } from '../../client/http.ts'
import { NoSandbox } from '../../client/which-sandbox.ts'
import { hiddenKey } from '../../contract/control/request-log-answers.ts'
import { firstSpace, spaceIn } from '../../contract/control/spaces.ts'
import type { EffectiveSetting, Whoami } from '../answer-shapes.ts'
import { keyFor, typedKey } from '../connection/credentials.ts'
import { declaredLive } from '../connection/live.ts'
import type { ConnectionFlags } from '../connection/profile.ts'
import { type NamedTarget, namedTarget, spaceFor } from '../connection/target.ts'
import { type Setting, type SettingName, settingOf } from '../settings/effective.ts'

/** The settings of a command with these flags. A named service is not called. */
export async function whoami(flags: ConnectionFlags): Promise<Whoami> {
  const target = namedTarget(flags)
  const { settings, baseUrl, state, space } = target
  const key = keyFor(target, await typedKey(flags))
  const found = baseUrl === undefined ? await findHere(state, space) : undefined
  const all = (name: SettingName) => settings.layers.flatMap(({ values }) => values[name] ?? [])
  const rowOf = (name: SettingName, ofSandbox?: string) =>
    row(name, settingOf(settings, name), all(name), ofSandbox)
  const { profile } = settings
  const ofSandbox = key === undefined ? found : undefined
  const url = baseUrl?.value ?? found?.baseUrl
  const live = url === undefined ? undefined : declaredLive(url, profile?.value)
  return {
    profile: profile?.value ?? null,
    live: live?.isLive ?? null,
    settings: [
      row('profile', profile),
      row('baseUrl', baseUrl, all('baseUrl'), found?.baseUrl),
      row(
        'state',
        all('state').find(({ value }) => value === state),
        all('state'),
        found?.stateFolder,
      ),
      row('space', spaceInUse(target), all('space')),
      row('apiKey', key && hidden(key), all('apiKey').map(hidden), found && hiddenKey(found.apiKey)),
      rowOf('appId', ofSandbox?.appId),
      rowOf('merchantId', ofSandbox?.merchantId),
      rowOf('terminal'),
      {
        setting: 'live',
        value: live === undefined ? null : live.isLive ? 'yes' : 'no',
        source: live === undefined ? '' : `profile ${live.name}`,
        unused: [],
      },
    ],
  }
}

/** The space that a setting names, unless the base URL of a stronger source has another one in its path. */
function spaceInUse({ settings, baseUrl }: NamedTarget): Setting | undefined {
  const space = spaceFor(settings, baseUrl)
  const isUsed = baseUrl === undefined || (spaceIn(baseUrl.value) ?? firstSpace) === space?.value
  return isUsed ? space : undefined
}

/** A setting: what is in use of all that set it, or what the running sandbox says. */
const row = (
  setting: string,
  used: Setting | undefined,
  all: readonly Setting[] = [],
  ofSandbox?: string,
): EffectiveSetting => ({
  setting,
  ...(used ? withSource(used) : { value: ofSandbox ?? null, source: ofSandbox ? 'the running sandbox' : '' }),
  unused: all.filter(({ origin }) => origin !== used?.origin).map(withSource),
})

const withSource = ({ value, origin }: Setting) => ({ value, source: origin.name })

const hidden = ({ value, origin }: Setting): Setting => ({ value: hiddenKey(value), origin })

const findHere = (state: string | undefined, space: string | undefined) =>
  connectLocal(state, () => undefined, space).catch((error: Error) => {
    if (error instanceof Unreachable || error instanceof NoSandbox) return undefined
    throw error
  })
