import { boolean } from '@oclif/core/flags'
import { isSameOrigin } from '../../client/discover.ts'
import { isOnLoopback } from '../../contract/control/state-folder.ts'
import { capitalize } from '../../shared/text/words.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { warn } from '../hints/same-sandbox.ts'
import { isInteractive, requireYes } from '../input/confirmation.ts'
import { readUserFile } from '../settings/settings-files.ts'
import type { Profile } from './profile.ts'
import { isTillboxSandbox, type SandboxFlags } from './sandbox-address.ts'
import { namedTarget } from './target.ts'

/** `--live`, for operations that change something. */
export const liveFlag = {
  live: boolean({
    description:
      'Do not ask before acting on a live service, where money is real. Required there in a non-interactive shell.',
    helpGroup: 'CONNECTION',
  }),
}

/**
 * Asks before an operation changes something where money is real, and names the service. `command`: as it is
 * typed. `isConfirmed`: `--live`. `effect`: what it does, `Sale 25.00 USD at TBX-AUTO-001`. Resolves to true
 * when somebody was asked and said yes. assumption: live-profiles
 */
export async function requireLiveConsent(
  profile: Profile,
  command: string,
  isConfirmed: boolean,
  effect: () => Promise<string>,
): Promise<boolean> {
  await requireLiveFlag(profile, command, isConfirmed)
  if (!(await movesMoney(profile))) return false
  const service = serviceInWords(profile)
  if (isConfirmed) {
    warn(capitalize(service).replace(/,$/, ''))
    return false
  }
  await requireYes(`${await effect()} on ${service.replace(/,$/, '')}?`)
  return true
}

/**
 * Refuses such an operation at once where it cannot be asked about: nothing is looked up, and no key leaves.
 */
export async function requireLiveFlag(
  profile: Profile,
  command: string,
  isConfirmed: boolean,
): Promise<void> {
  if (isConfirmed || isInteractive() || !(await movesMoney(profile))) return
  throw new UsageError(
    `${command} on ${serviceInWords(profile)} may move real money, and this shell is not interactive`,
    'Add --live, or name a sandbox. Of a test service its profile says so: `tillbox profile set <name> --no-live`',
    'live',
  )
}

/** The service, as a sentence names it in its middle. */
function serviceInWords({ name, target: { baseUrl } }: Profile): string {
  const live = declaredLive(baseUrl, name)
  return live?.isLive
    ? `live profile "${live.name}" (${baseUrl})`
    : `the live service ${baseUrl}, for which none of your profiles says live: false,`
}

/**
 * Whether a profile of this user says that money is real at a service, and its name: one that says so before
 * one that denies it, and the `preferred` before others. Undefined where none says anything.
 */
export function declaredLive(service: string, preferred?: string) {
  const declared = Object.entries(readUserFile().profiles).flatMap(([name, { baseUrl, live }]) =>
    live !== undefined && baseUrl !== undefined && isSameOrigin(baseUrl, service)
      ? [{ name, isLive: live }]
      : [],
  )
  const strongest = declared.some(({ isLive }) => isLive)
  const those = declared.filter(({ isLive }) => isLive === strongest)
  return those.find(({ name }) => name === preferred) ?? those[0]
}

/** Refuses a target where money is real, before anything is sent. `who`: what would act there. */
export function refuseLive(flags: SandboxFlags, who: string): void {
  const { baseUrl } = namedTarget(flags)
  const declared = baseUrl && declaredLive(baseUrl.value, flags.profile)
  if (!declared?.isLive) return
  throw new UsageError(
    `${who} may act on a sandbox only, and the profile ${declared.name} is live`,
    'Name a sandbox: --profile, --base-url or --state',
    'profile',
  )
}

/** A profile declares it either way; other URLs are harmless if of this machine, or of a sandbox. */
async function movesMoney({ isSandbox, target }: Profile): Promise<boolean> {
  const declared = declaredLive(target.baseUrl)
  if (declared !== undefined) return declared.isLive
  return !isSandbox && !isOnLoopback(target.baseUrl) && !(await isTillboxSandbox(target))
}
