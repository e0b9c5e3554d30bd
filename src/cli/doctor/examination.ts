import type { FoundSandbox } from '../../client/discover.ts'
import type { StateVerdict } from '../../contract/sandbox/state-folder.ts'
import type { CheckResult } from '../answer-shapes.ts'
import type { ConnectionFlags, Profile } from '../connection/profile.ts'
import type { NamedTarget } from '../connection/target.ts'
import { failureOf } from '../errors/failure.ts'
import type { Setting } from '../settings/effective.ts'

/** How a check ended. `skipped`: it needs something that is not there, or a check that failed. */
export type CheckStatus = CheckResult['status']

/** What a check found. */
export type Finding = Omit<CheckResult, 'check'>

export const ok = (text: string): Finding => ({ status: 'ok', text })
export const warning = (text: string, fix?: string): Finding => ({ status: 'warning', text, fix })
export const failed = (text: string, fix?: string): Finding => ({ status: 'failed', text, fix })
export const skipped = (text: string, fix?: string): Finding => ({ status: 'skipped', text, fix })

/** A check. `F`: what earlier checks found out, which it may read and add to. */
export interface Check<F> {
  readonly name: string
  /** Checks without which this one would only fail again. */
  readonly needs?: readonly string[]
  /** Undefined when there is nothing to check. Errors become findings. */
  readonly run: (facts: F) => Finding | undefined | Promise<Finding | undefined>
}

/** Runs the checks one after another. A check whose requirement failed is skipped; nothing throws. */
export async function examine<F>(checks: readonly Check<F>[], facts: F): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const { name, needs = [], run } of checks) {
    const missing = results.find(
      ({ check, status }) => needs.includes(check) && (status === 'failed' || status === 'skipped'),
    )
    const finding =
      missing === undefined ? await attempt(() => run(facts)) : skipped(`not checked: needs ${missing.check}`)
    if (finding !== undefined) results.push({ check: name, ...finding })
  }
  return results
}

/** The finding, or the error as one. */
async function attempt(
  run: () => Finding | undefined | Promise<Finding | undefined>,
): Promise<Finding | undefined> {
  try {
    return await run()
  } catch (error) {
    const { message, remedy } = failureOf(error) ?? (error as Error & { remedy?: string })
    return failed(message, remedy)
  }
}

/** Facts known at the beginning, and results of checks for later ones. */
export interface DoctorFacts {
  /** As typed; `api-key` is the key itself. */
  readonly flags: ConnectionFlags
  readonly version: string
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
export function requireFact<T>(fact: T | undefined): T {
  if (fact === undefined) throw new Error('A check ran before the one that it needs')
  return fact
}
