import { connectLocal } from '../../client/discover.ts'
import { Unreachable } from '../../client/http.ts'
import { NoSandbox } from '../../client/which-sandbox.ts'
import { hiddenKey } from '../../contract/control/request-log-answers.ts'
import type { EffectiveSetting, Whoami } from '../answer-shapes.ts'
import { keyFor, typedKey } from '../connection/credentials.ts'
import type { ConnectionFlags } from '../connection/profile.ts'
import { missingApproval, namedTarget } from '../connection/target.ts'
import { sourceOfVariable, variable } from '../input/env-file.ts'
import {
  type EffectiveSettings,
  isUnapproved,
  type Setting,
  type SettingName,
  settingOf,
} from '../settings/effective.ts'

/** The settings of a command with these flags. A named service is not called. Errors: UsageError. */
export async function whoami(flags: ConnectionFlags): Promise<Whoami> {
  const target = namedTarget({ ...flags, 'api-key': undefined })
  const { settings, baseUrl, state, space } = target
  const key = keyFor(target, await typedKey(flags))
  const found = baseUrl === undefined ? await findHere(state, space) : undefined
  const row = (
    setting: string,
    set: Setting | undefined,
    all: readonly Setting[],
    ofSandbox?: string,
  ): EffectiveSetting => ({
    setting,
    ...(set ? withSource(set) : { value: ofSandbox ?? null, source: ofSandbox ? 'the running sandbox' : '' }),
    unused: all.filter((each) => each !== set).map(withSource),
  })
  const named = (name: SettingName, ofSandbox?: string) =>
    row(name, settingOf(settings, name), settingValues(settings, name), ofSandbox)
  const { profile, overridden, live = null, project } = settings
  const ofSandbox = key === undefined ? found : undefined
  const states = settingValues(settings, 'state')
  const otherKeys = apiKeysIn(settings).filter(({ value }) => value !== key?.value)
  const file = project && {
    file: project.path,
    approved: !isUnapproved(settings),
    needsApproval: missingApproval(target, key).length > 0,
  }
  return {
    profile: profile?.value ?? null,
    live,
    settings: [
      row('profile', profile, overridden ? [overridden.profile] : []),
      row('baseUrl', baseUrl, settingValues(settings, 'baseUrl'), found?.baseUrl),
      row(
        'state',
        states.find(({ value }) => value === state),
        states,
        found?.stateFolder,
      ),
      named('space'),
      row('apiKey', key && hidden(key), otherKeys.map(hidden), found && hiddenKey(found.apiKey)),
      named('appId', ofSandbox?.appId),
      named('merchantId', ofSandbox?.merchantId),
      named('terminal'),
      {
        setting: 'live',
        value: live === null ? null : live ? 'yes' : 'no',
        source: live === null ? '' : 'the profile',
        unused: [],
      },
    ],
    project: file ?? null,
  }
}

const withSource = ({ value, origin }: Setting) => ({ value, source: origin.name })

const hidden = ({ value, origin }: Setting): Setting => ({ value: hiddenKey(value), origin })

const settingValues = ({ layers, overridden }: EffectiveSettings, name: SettingName): Setting[] =>
  [...layers, ...(overridden?.layers ?? [])].flatMap(({ values }) => values[name] ?? [])

const apiKeysIn = ({ layers, overridden }: EffectiveSettings): Setting[] =>
  [...layers, ...(overridden?.layers ?? [])].flatMap(({ kind, values, apiKeyEnv }) => {
    const value = apiKeyEnv && variable(apiKeyEnv)
    return [
      ...(values.apiKey === undefined ? [] : [values.apiKey]),
      ...(apiKeyEnv && value ? [{ value, origin: { kind, name: sourceOfVariable(apiKeyEnv) } }] : []),
    ]
  })

const findHere = (state: string | undefined, space: string | undefined) =>
  connectLocal(state, () => undefined, space).catch((error: Error) => {
    if (error instanceof Unreachable || error instanceof NoSandbox) return undefined
    throw error
  })
