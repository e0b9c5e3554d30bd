import { findSandbox, NoSandbox } from '../../client/discover.ts'
import { Unreachable } from '../../client/http.ts'
import { hiddenKey } from '../../contract/sandbox/request-log-answers.ts'
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
  const found = baseUrl === undefined ? await sandboxHere(state, space) : undefined
  const row = (
    name: SettingName,
    other?: string,
    set: Setting | null = settingOf(settings, name) ?? null,
  ): EffectiveSetting => ({
    ...(set === null ? ofSandboxOr(name, other) : { setting: name, ...valueWithSource(set) }),
    unused: valuesOf(settings, name)
      .filter((each) => each !== set)
      .map(valueWithSource),
  })
  const { profile, live = null, project } = settings
  const ofSandbox = key === undefined ? found : undefined
  const ofState = valuesOf(settings, 'state').find(({ value }) => value === state)
  const unusedKeys = keysOf(settings).filter(({ value }) => value !== key?.value)
  return {
    profile: profile?.value ?? null,
    live,
    settings: [
      {
        setting: 'profile',
        ...(profile ? valueWithSource(profile) : notSet),
        unused: settings.overridden ? [valueWithSource(settings.overridden.profile)] : [],
      },
      row('baseUrl', found?.baseUrl, baseUrl ?? null),
      row('state', found?.stateFolder, ofState ?? null),
      row('space'),
      {
        ...(key === undefined
          ? ofSandboxOr('apiKey', found && hiddenKey(found.apiKey))
          : { setting: 'apiKey', ...keyWithSource(key) }),
        unused: unusedKeys.map(keyWithSource),
      },
      row('appId', ofSandbox?.appId),
      row('merchantId', ofSandbox?.merchantId),
      row('terminal'),
      {
        setting: 'live',
        value: live === null ? null : live ? 'yes' : 'no',
        source: live === null ? '' : 'the profile',
        unused: [],
      },
    ],
    project:
      project === undefined
        ? null
        : {
            file: project.path,
            approved: !isUnapproved(settings),
            needsApproval: missingApproval(target, key).length > 0,
          },
  }
}

const valueWithSource = ({ value, origin }: Setting) => ({ value, source: origin.name })

const keyWithSource = ({ value, origin }: Setting) => valueWithSource({ value: hiddenKey(value), origin })

const notSet = { value: null, source: '' }

/** A setting without a value: the running sandbox may provide it. */
const ofSandboxOr = (setting: string, value: string | undefined) => ({
  setting,
  ...(value === undefined ? notSet : { value, source: 'the running sandbox' }),
})

const valuesOf = ({ layers, overridden }: EffectiveSettings, name: SettingName): Setting[] =>
  [...layers, ...(overridden?.layers ?? [])].flatMap(({ values }) => values[name] ?? [])

const keysOf = ({ layers, overridden }: EffectiveSettings): Setting[] =>
  [...layers, ...(overridden?.layers ?? [])].flatMap(({ kind, values, apiKeyEnv }) => {
    const value = apiKeyEnv && variable(apiKeyEnv)
    return [
      ...(values.apiKey === undefined ? [] : [values.apiKey]),
      ...(apiKeyEnv && value ? [{ value, origin: { kind, name: sourceOfVariable(apiKeyEnv) } }] : []),
    ]
  })

const sandboxHere = (state: string | undefined, space: string | undefined) =>
  findSandbox(state, () => undefined, space).catch((error: Error) => {
    if (error instanceof Unreachable || error instanceof NoSandbox) return undefined
    throw error
  })
