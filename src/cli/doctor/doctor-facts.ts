import type { FoundSandbox } from '../../client/discover.ts'
import type { StateVerdict } from '../../contract/sandbox/state-folder/state-verdict.ts'
import type { ConnectionFlags, Profile } from '../connection/profile.ts'
import type { NamedTarget } from '../connection/target.ts'
import type { Setting } from '../settings/effective.ts'

/** Facts known at the beginning, and results of checks for later ones. */
export interface DoctorFacts {
  /** As typed; `api-key` is the key itself. */
  readonly flags: ConnectionFlags
  /** Version of this package. */
  readonly version: string
  /** Where webhooks are received, when it was typed. */
  readonly webhookUrl: string | undefined
  /** Reads a state folder and reports its errors; nothing is changed. */
  readonly verifyState: (folder: string) => Promise<StateVerdict>
  target?: NamedTarget
  key?: Setting | undefined
  /** Undefined for a service that is not a sandbox. */
  sandbox?: FoundSandbox | undefined
  profile?: Profile
}

/** A fact of a check that comes before. Errors: an Error when that check did not run. */
export function known<T>(fact: T | undefined): T {
  if (fact === undefined) throw new Error('A check ran before the one that it needs')
  return fact
}
