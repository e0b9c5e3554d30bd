import { typedKey } from '../connection/credentials.ts'
import type { DoctorFacts } from './doctor-facts.ts'
import { type CheckResult, examine } from './examination.ts'
import { programChecks, stateAndPortChecks } from './machine-checks.ts'
import { serviceChecks } from './service-checks.ts'
import { settingsChecks } from './settings-checks.ts'
import { webhookChecks } from './webhook-check.ts'

/** What `doctor` answers. */
export interface Diagnosis {
  /** True when nothing failed. */
  readonly ok: boolean
  /** From the machine outwards. */
  readonly checks: readonly CheckResult[]
}

const checks = [
  ...programChecks,
  ...settingsChecks,
  ...stateAndPortChecks,
  ...serviceChecks,
  ...webhookChecks,
]

/** Makes every check. Errors: UsageError for a key that cannot be read. */
export async function diagnose(facts: DoctorFacts): Promise<Diagnosis> {
  const key = await typedKey(facts.flags) // once: standard input can be read only once
  const results = await examine(checks, {
    ...facts,
    flags: { ...facts.flags, ...(key && { 'api-key': key.value }) },
  })
  return { ok: results.every(({ status }) => status !== 'failed'), checks: results }
}
