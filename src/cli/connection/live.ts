import { boolean } from '@oclif/core/flags'
import { isSameOrigin } from '../../client/discover.ts'
import { isOnLoopback } from '../../contract/sandbox/state-folder/lock-file.ts'
import { UsageError } from '../errors/usage-error.ts'
import { clean } from '../output/clean.ts'
import { readUserFile } from '../settings/user-file.ts'
import type { Profile } from './profile.ts'
import { isTillboxSandbox } from './sandbox-only.ts'

/** `--live`, for operations that change something. */
export const liveFlag = {
  live: boolean({
    description:
      'Do not ask before acting on a live service, where money is real. Required there when no terminal can be asked.',
    helpGroup: 'CONNECTION',
  }),
}

/**
 * Asks before an operation changes something where money is real, and names the service. `what`: the operation in words.
 * False when the person thinks better of it. assumption: live-profiles
 * Errors: UsageError without `--live` when nobody is there to ask.
 */
export async function confirmLive(profile: Profile, what: string, isMeant: boolean): Promise<boolean> {
  if (!(await isLive(profile))) return true
  const { baseUrl } = profile.target
  const name = clean(
    profile.name === undefined ? `${baseUrl} (not in any of your profiles)` : `${profile.name} (${baseUrl})`,
  )
  if (isMeant || process.stdin.isTTY) process.stderr.write(`! Live: ${name}\n`)
  if (isMeant) return true
  if (!process.stdin.isTTY)
    throw new UsageError(
      `${what} at ${name} may move real money, and there is no terminal to ask on`,
      'Add --live, or name a sandbox',
      'live',
    )
  const { ask } = await import('../input/prompt.ts')
  return ask(`${clean(what)} at ${name}?`)
}

/** A profile says so itself; of other URLs only those of this machine, of a known profile, and of sandboxes are harmless. */
async function isLive({ live, isSandbox, target }: Profile): Promise<boolean> {
  const known = Object.values(readUserFile().profiles).filter(
    ({ baseUrl }) => baseUrl !== undefined && isSameOrigin(baseUrl, target.baseUrl),
  )
  if (live === true || known.some((each) => each.live === true)) return true
  if (live === false || known.length > 0 || isSandbox || isOnLoopback(target.baseUrl)) return false
  return !(await isTillboxSandbox(target))
}
