import { string } from '@oclif/core/flags'
import type { Connection } from '../api/control-answers.ts'
import { connect, findSandbox, type Place, placeAt } from '../client/discover.ts'
import { UsageError } from './usage-error.ts'

/** Which sandbox a command is for, when not the one on the state folder. */
export const placeFlag = {
  'base-url': string({
    description: 'Base URL of the sandbox; left out, the one that runs here.',
    env: 'TILLBOX_BASE_URL',
    helpGroup: 'CONNECTION',
  }),
}

/** The sandbox that the flags name, or the one that runs here. Errors: UsageError; Unreachable, ForeignAnswer. */
export async function sandboxOf(flags: {
  readonly 'base-url'?: string | undefined
  readonly state?: string | undefined
}): Promise<Connection & Place> {
  const given = flags['base-url']
  if (given === undefined) return findSandbox(flags.state)
  return connect(placeAt(urlFrom(given), flags.state))
}

/** The URL as it was typed. Errors: UsageError when it is none. */
export function urlFrom(text: string, flag = 'base-url'): string {
  if (/^https?:\/\/./.test(text) && URL.canParse(text)) return text
  throw new UsageError(
    `--${flag} ${text} is not a URL`,
    'Give it with http:// or https://, host and port',
    flag,
  )
}
