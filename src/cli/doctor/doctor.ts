import { defaultState, usualPort } from '../../client/discover.ts'
import { keyFor, typedKey } from '../connection/credentials.ts'
import { missingApproval, namedTarget } from '../connection/target.ts'
import { isUnapproved } from '../settings/effective.ts'
import { findProjectFile, projectFileName } from '../settings/project-file.ts'
import { readUserFile, userFilePath } from '../settings/user-file.ts'
import { type Check, type CheckResult, type DoctorFacts, examine, failed, known, ok } from './examination.ts'
import { programChecks, stateAndPortChecks } from './machine-checks.ts'
import { serviceChecks } from './service-checks.ts'
import { webhookChecks } from './webhook-check.ts'

/** Checks of settings: the files, the approval of the project's, and the service that they name. */

const yours: Check<DoctorFacts> = {
  name: 'settings',
  run: () => {
    const count = Object.keys(readUserFile().profiles).length
    return ok(count === 0 ? 'No profiles of your own' : `${userFilePath()} is valid; profiles: ${count}`)
  },
}

const project: Check<DoctorFacts> = {
  name: 'project file',
  run: () => {
    const found = findProjectFile()
    return ok(
      found === undefined ? `No ${projectFileName} in this folder or above it` : `${found.path} is valid`,
    )
  },
}

const target: Check<DoctorFacts> = {
  name: 'target',
  needs: ['settings', 'project file'],
  run: async (facts) => {
    const named = namedTarget({ ...facts.flags, 'api-key': undefined })
    facts.target = named
    facts.key = keyFor(named, await typedKey(facts.flags))
    const { baseUrl, state, settings } = named
    const profile = settings.profile === undefined ? '' : `; profile ${settings.profile.value}`
    if (baseUrl !== undefined) return ok(`${baseUrl.value}, named by ${baseUrl.origin.name}${profile}`)
    return ok(
      state === undefined
        ? `No URL is set: the sandbox on ${defaultState}, else on port ${usualPort()}${profile}`
        : `The sandbox on the state folder ${state}${profile}`,
    )
  },
}

const approval: Check<DoctorFacts> = {
  name: 'approval',
  needs: ['target'],
  run: (facts) => {
    const named = known(facts.target)
    if (named.settings.project === undefined) return undefined
    const reasons = missingApproval(named, facts.key)
    if (reasons.length > 0)
      return failed(`You have not approved the project file, which ${reasons.join(' and ')}`, 'tillbox trust')
    return ok(
      isUnapproved(named.settings)
        ? 'The project file needs none: it points only to localhost'
        : 'You have approved the project file',
    )
  },
}

const settingsChecks = [yours, project, target, approval]

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
