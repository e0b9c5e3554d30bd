import { isAbsolute } from 'node:path'
import * as v from 'valibot'
import { described } from '../../contract/answer-kinds.ts'
import { behaviourOptions, optionSchemas } from '../../contract/control/sandbox-options.ts'
import { spaceName, spaceNameRule } from '../../contract/control/spaces.ts'
import { bearerPattern } from '../../contract/headers.ts'
import { notReserved } from '../../contract/member-kinds.ts'
import { isHttpUrl } from '../../shared/text/http-url.ts'

/** What settings files may say. docs/profiles.md describes it. */

const filled = (what: string) => v.pipe(v.string(), v.nonEmpty(`must be ${what}`))

const url = v.pipe(v.string(), v.check(isHttpUrl, 'must be a URL with http:// or https://'))

/** Settings of a service that are not secret. */
export const openMembers = {
  baseUrl: v.optional(described(url, 'Base URL of the service')),
  state: v.optional(
    described(
      v.pipe(v.string(), v.check(isAbsolute, 'must be an absolute path')),
      'State folder of a sandbox on this machine',
    ),
  ),
  space: v.optional(
    described(
      v.pipe(v.string(), v.regex(spaceName, `must be ${spaceNameRule}`)),
      'Name of a space of the sandbox',
    ),
  ),
  appId: v.optional(filled('an application id')),
  merchantId: v.optional(filled('a merchant id')),
  terminal: v.optional(
    described(
      filled('a serial number'),
      'Serial number of the terminal that operations and terminal commands use',
    ),
  ),
  apiKeyEnv: v.optional(
    described(
      v.pipe(v.string(), v.regex(/^[A-Za-z_]\w*$/, 'must be the name of a variable')),
      'Name of the environment variable that has the API key',
    ),
  ),
  live: v.optional(described(v.boolean(), 'True where money is real: operations ask first')),
}

const profileName = v.pipe(
  v.string(),
  v.regex(/^\w[\w.-]{0,63}$/, 'must be letters, digits and . _ -'),
  notReserved,
)

/** What is wrong with the name of a profile, as the rest of a sentence; undefined for a valid name. */
export const nameProblem = (name: string): string | undefined =>
  v.safeParse(profileName, name).issues?.[0].message

/** Options of sandboxes that `sandbox start` and `exec` start here; `fixtures` is from the file's folder. */
const sandboxOptions = v.strictObject(
  optionSchemas({
    ...behaviourOptions,
    fixtures: { ...behaviourOptions.fixtures, schema: filled('a path') },
  }),
)

/** `tillbox.config.json`: the sandbox of a project, for everybody who works on it. */
export const projectSchema = v.strictObject({
  $schema: v.optional(v.string()),
  state: v.optional(described(filled('a folder'), 'State folder of the sandbox, relative to the file')),
  sandbox: v.optional(sandboxOptions),
})
export type ProjectSettings = v.InferOutput<typeof projectSchema>

const key = v.pipe(
  v.string(),
  v.check((text) => bearerPattern.test(`Bearer ${text}`), 'has characters that a header cannot carry'),
)

const userProfile = v.strictObject({ ...openMembers, apiKey: v.optional(key) })

/** The settings of a user: profiles, with their keys. */
export const userSchema = v.strictObject({
  profile: v.optional(profileName),
  profiles: v.optional(v.record(profileName, userProfile), {}),
})
export type UserSettings = v.InferOutput<typeof userSchema>

/** The settings of one profile. */
export type ProfileSettings = v.InferOutput<typeof userProfile>

/** The names of the settings of a profile. */
export const profileSettings = Object.keys(userProfile.entries) as readonly (keyof ProfileSettings)[]
