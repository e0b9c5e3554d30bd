import { custom } from '@oclif/core/flags'
import { bearerPattern } from '../../contract/headers.ts'
import { UsageError } from '../errors/usage-error.ts'

/** A value, and whether it was typed in this very command; else it comes from the environment. */
export interface SourcedValue {
  readonly value: string
  readonly typed: boolean
}

/** `--api-key` of a command that calls the service. oclif tells what was typed by its token; a variable has none. */
export const apiKeyFlag = custom<SourcedValue>({
  description:
    'API key; default: the running sandbox’s. TILLBOX_API_KEY is sent only to TILLBOX_BASE_URL or, if that is not set, ' +
    'to --base-url.',
  env: 'TILLBOX_API_KEY',
  helpGroup: 'CONNECTION',
  parse: async (value, { token }) => ({ value, typed: token !== undefined }),
})

/** Errors: UsageError for a key that no Authorization header can carry. The key itself is not shown. */
export function requireKey(key: string): void {
  if (!bearerPattern.test(`Bearer ${key}`))
    throw new UsageError(
      'The API key has characters that an Authorization header cannot carry',
      'Remove spaces, line ends and quotes; allowed are letters, digits and - . _ ~ + / =',
      'api-key',
    )
}

/**
 * The API key for a service: what was typed goes anywhere, what the environment says only where it belongs.
 * `baseUrl`: as the user named it; undefined for a sandbox that was found. assumption: credentials
 * Errors: UsageError for a key that no header carries.
 */
export function keyFor(baseUrl: string | undefined, given: SourcedValue | undefined): string | undefined {
  if (given === undefined || !(given.typed || belongsTo(baseUrl))) return undefined
  requireKey(given.value)
  return given.value
}

/** The token of the environment for the control interface at a URL that the user named. assumption: credentials */
export const tokenFor = (baseUrl: string): string | undefined =>
  belongsTo(baseUrl) ? process.env.TILLBOX_TOKEN || undefined : undefined

/** Credentials of the environment belong to the URL of the environment; where there is none, to the one that is typed. */
function belongsTo(baseUrl: string | undefined): boolean {
  const named = process.env.TILLBOX_BASE_URL
  if (baseUrl === undefined) return false
  return !named || (URL.canParse(named) && new URL(named).origin === new URL(baseUrl).origin)
}
