import { string } from '@oclif/core/flags'
import {
  connect,
  defaultState,
  type FoundSandbox,
  findAgain,
  findSandbox,
  sandboxAt,
} from '../../client/discover.ts'
import { ForeignAnswer, Unreachable } from '../../client/http.ts'
import { UsageError } from '../errors/usage-error.ts'
import { clean } from '../output/clean.ts'
import { tokenFor } from './credentials.ts'

/** `--state`, for commands that look for a sandbox. */
export const stateFlag = {
  state: string({
    description: `State folder of the sandbox; default: ${defaultState}, then the default port.`,
    env: 'TILLBOX_STATE',
    helpGroup: 'CONNECTION',
  }),
}

/** Which sandbox a command is for: the one at a URL, or the one on a state folder. */
export const sandboxFlags = {
  'base-url': string({
    description:
      'Base URL of the sandbox; default: the running one. TILLBOX_TOKEN is sent only to TILLBOX_BASE_URL or, if that is ' +
      'not set, to this URL.',
    env: 'TILLBOX_BASE_URL',
    helpGroup: 'CONNECTION',
  }),
  ...stateFlag,
}

/** Which sandbox is named, as it was given. */
export interface SandboxFlags {
  readonly 'base-url'?: string | undefined
  readonly state?: string | undefined
}

/** The sandbox that the flags name, or the one that runs here. Errors: UsageError; as `findSandbox`. */
export async function sandboxOf({ 'base-url': given, state }: SandboxFlags): Promise<FoundSandbox> {
  if (given === undefined) return findSandbox(state, warn)
  const baseUrl = urlFrom(given)
  return (await sandboxAt(baseUrl, state, warn)) ?? connect({ baseUrl, token: tokenFor(baseUrl) })
}

/**
 * How a command that goes on finds its sandbox again, by the way it was found.
 * Errors: Unreachable while it is gone, or something else answers in its place; UnusableLock.
 */
export const sandboxFinder =
  (flags: SandboxFlags, found: FoundSandbox): (() => Promise<FoundSandbox>) =>
  () =>
    (flags['base-url'] === undefined ? findAgain(found) : sandboxOf(flags)).catch((error) => {
      throw error instanceof ForeignAnswer ? new Unreachable(found.baseUrl, error.reason) : error
    })

/** Says why a lock file was not used. */
export const warn = (text: string): void => {
  process.stderr.write(`! ${clean(text)}\n`)
}

/** The URL as it was typed. Errors: UsageError when it is none. */
export function urlFrom(text: string, flag = 'base-url'): string {
  if (/^https?:\/\/./.test(text) && URL.canParse(text)) return text
  const message = `--${flag} ${text} is not a URL`
  throw new UsageError(message, 'Write it with http:// or https://, host and port', flag)
}
