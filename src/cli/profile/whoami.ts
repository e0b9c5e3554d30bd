import { connectLocal, type FoundSandbox } from '../../client/discover.ts'
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
  const { settings, baseUrl, state } = target
  const key = keyFor(target, await typedKey(flags))
  const found = baseUrl === undefined ? await findHere(target) : undefined
  const rowOf = (name: SettingName, ofSandbox?: string) => row(name, settingOf(settings, name), ofSandbox)
  const { profile } = settings
  const ofSandbox = key === undefined ? found : undefined
  const url = baseUrl?.value ?? found?.baseUrl
  const live = url === undefined ? undefined : declaredLive(url, profile?.value)
  return {
    profile: profile?.value ?? null,
    live: live?.isLive ?? null,
    settings: [
      row('profile', profile),
      { setting: 'sandbox', value: meansOf(target, found), source: by[target.by] },
      row('baseUrl', baseUrl, found?.baseUrl),
      row('state', state === undefined ? undefined : settingOf(settings, 'state'), found?.stateFolder),
      row('space', spaceInUse(target)),
      row('apiKey', key && hidden(key), found && hiddenKey(found.apiKey)),
      rowOf('appId', ofSandbox?.appId),
      rowOf('merchantId', ofSandbox?.merchantId),
      rowOf('terminal'),
      {
        setting: 'live',
        value: live === undefined ? null : live.isLive ? 'yes' : 'no',
        source: live === undefined ? '' : `profile ${live.name}`,
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

/** What decides which sandbox is meant: a row of docs/lifecycle.md#which-sandbox-a-command-means. */
const by: Readonly<Record<NamedTarget['by'], string>> = {
  flag: 'a flag',
  environment: 'the environment',
  profile: 'tillbox profile use',
  project: 'the project of this folder',
  port: 'the usual port: this folder belongs to no project',
}

/** The sandbox that a command means. */
function meansOf({ baseUrl, state }: NamedTarget, found: FoundSandbox | undefined): string {
  if (baseUrl !== undefined) return baseUrl.value
  if (found !== undefined) return `${found.baseUrl}, state ${found.state}`
  return state === undefined ? 'none runs' : `none runs on ${state}`
}

/** A setting in use, or what the running sandbox says. */
const row = (setting: string, used: Setting | undefined, ofSandbox?: string): EffectiveSetting => ({
  setting,
  ...(used ? withSource(used) : { value: ofSandbox ?? null, source: ofSandbox ? 'the running sandbox' : '' }),
})

const withSource = ({ value, origin }: Setting) => ({ value, source: origin.name })

const hidden = ({ value, origin }: Setting): Setting => ({ value: hiddenKey(value), origin })

const findHere = ({ state, space }: NamedTarget) =>
  connectLocal(state, space).catch((error: Error) => {
    if (error instanceof Unreachable || error instanceof NoSandbox) return undefined
    throw error
  })
