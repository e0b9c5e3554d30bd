import { string } from '@oclif/core/flags'
import { type Place, placeOf } from '../client/discover.ts'
import { UsageError } from './usage-error.ts'

/** Which sandbox a command is for, when not the one on the state folder. */
export const placeFlag = {
  'base-url': string({
    description: 'Base URL of the sandbox; left out, the one that runs here.',
    env: 'TILLBOX_BASE_URL',
    helpGroup: 'CONNECTION',
  }),
}

/** The sandbox that the flags name. */
export function placeFrom(flags: {
  readonly 'base-url'?: string | undefined
  readonly state: string
}): Place {
  const place = placeOf(flags.state)
  return flags['base-url'] === undefined ? place : { ...place, baseUrl: urlFrom(flags['base-url']) }
}

/** The URL as it was typed. Errors: UsageError when it is none. */
export function urlFrom(text: string): string {
  if (/^https?:\/\/./.test(text) && URL.canParse(text)) return text
  throw new UsageError(
    `--base-url ${text} is not a URL`,
    'Give it with http:// or https://, host and port',
    'base-url',
  )
}
