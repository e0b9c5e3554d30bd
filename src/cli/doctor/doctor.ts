import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { control } from '../../client/client.ts'
import { usualPort } from '../../client/discover.ts'
import { type HttpAnswer, send, Unreachable } from '../../client/http.ts'
import { defaultState } from '../../client/which-sandbox.ts'
import { isOnLoopback } from '../../contract/sandbox/state-folder.ts'
import { type Signing, webhookHeaders } from '../../signature/signature.ts'
import { command } from '../../text/commands.ts'
import { hangingText } from '../../text/display-width.ts'
import type { CheckResult, Diagnosis } from '../answer-shapes.ts'
import { keyFor, typedKey } from '../connection/credentials.ts'
import { missingApproval, namedTarget } from '../connection/target.ts'
import { hint } from '../hints/same-sandbox.ts'
import { cleaned } from '../output/clean.ts'
import { theme } from '../output/theme.ts'
import { shownUrl } from '../sandbox/shown-start.ts'
import { isUnapproved } from '../settings/effective.ts'
import { findProjectFile, projectFileName, readUserFile, userFilePath } from '../settings/settings-files.ts'
import {
  type Check,
  type CheckStatus,
  type DoctorFacts,
  examine,
  type Finding,
  failed,
  ok,
  requireFact,
  skipped,
  warning,
} from './examination.ts'
import { programChecks, stateAndPortChecks } from './machine-checks.ts'
import { serviceChecks } from './service-checks.ts'

/**
 * Posts two test notifications to a receiver on this machine: one with a wrong signature, which it must refuse, and one
 * as the sandbox signs. Neither is final, both have "test": true.
 * docs/setup.md#when-something-does-not-work-tillbox-doctor
 */
const webhook: Check<DoctorFacts> = {
  name: 'webhook',
  needs: ['target'],
  run: async ({ sandbox, webhookUrl }) => {
    const url = webhookUrl ?? sandbox?.notifyUrl ?? undefined
    if (url === undefined)
      return skipped(
        'not checked: no URL is known',
        '`tillbox doctor --webhook-url http://127.0.0.1:3000/webhooks`',
      )
    if (!isOnLoopback(url))
      return skipped(
        `not checked: ${shownUrl(url)} is not on this machine`,
        '`tillbox webhook send <transaction-id>`',
      )
    const signing = await findSigning(sandbox)
    if (signing === undefined)
      return skipped('not checked: without a sandbox the secret is not known', '`tillbox sandbox start`')
    return tryBoth(url, signing)
  },
}

/** As the sandbox signs; without one, with the secret of the environment. */
async function findSigning(sandbox: DoctorFacts['sandbox']): Promise<Signing | undefined> {
  const envSecret = process.env.TILLBOX_WEBHOOK_SECRET
  if (sandbox === undefined)
    return envSecret ? { scheme: 'hmac', encoding: 'hex', secrets: [envSecret] } : undefined
  const { secret, previous, signature, signatureEncoding } = await control(sandbox, 'webhook-secret')
  const secrets = [secret, ...(previous ? [previous.secret] : [])]
  return { scheme: signature, encoding: signatureEncoding, secrets }
}

async function tryBoth(url: string, signing: Signing): Promise<Finding> {
  try {
    const forged = await post(url, { ...signing, secrets: [`whsec_${randomUUID()}`] })
    const started = performance.now()
    const genuine = await post(url, signing)
    const took = `${Math.round(performance.now() - started)} ms`
    return verdictOn(shownUrl(url), signing, forged.status, genuine.status, took)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return failed(
      `${shownUrl(url)} cannot be reached: ${error.reason}`,
      `${command('webhook receive --port', new URL(url).port || '80')} (or start your server)`,
    )
  }
}

function verdictOn(url: string, { scheme }: Signing, forged: number, genuine: number, took: string): Finding {
  if (genuine !== 200)
    return failed(
      `${url} answers HTTP ${genuine} to a webhook that is signed right; only 200 is a delivery`,
      '`tillbox webhook secret` (your server must use this one, and the raw body)',
    )
  const good = `${url} answers 200 in ${took}`
  if (scheme === 'none') return warning(`${good}; this sandbox signs nothing`, '`tillbox sandbox start`')
  if (forged === 200)
    return failed(
      `${url} accepts a webhook with a wrong signature: anybody could report a payment`,
      '`tillbox init --only webhook`, which writes a handler that verifies signatures',
    )
  return ok(`${good}, and refuses a wrong signature with ${forged}`)
}

/** Posts a test notification that is not final, so that the receiver books nothing for it. */
function post(url: string, signing: Signing): Promise<HttpAnswer> {
  const body = JSON.stringify({
    test: true,
    transactionId: '0',
    transactionRequestId: 'tillbox-doctor',
    referenceOrderId: null,
    transactionStatus: 'P',
    transactionResultCode: null,
  })
  const headers = webhookHeaders(signing, { id: randomUUID(), at: Date.now(), body })
  const timeout = 10_000 // as for any delivery: docs/webhooks.md
  return send({ method: 'POST', url: new URL(url), headers, body, timeout })
}

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
        ? `No URL is set: the sandbox on ${existsSync(defaultState) ? defaultState : `port ${usualPort()}`}${profile}`
        : `The sandbox on the state folder ${state}${profile}`,
    )
  },
}

const approval: Check<DoctorFacts> = {
  name: 'approval',
  needs: ['target'],
  run: (facts) => {
    const named = requireFact(facts.target)
    if (named.settings.project === undefined) return undefined
    const reasons = missingApproval(named, facts.key)
    if (reasons.length > 0)
      return failed(
        `You have not approved the project file, which ${reasons.join(' and ')}`,
        '`tillbox trust`',
      )
    return ok(
      isUnapproved(named.settings)
        ? 'The project file needs none: it points only to localhost'
        : 'You have approved the project file',
    )
  },
}

const allChecks = [
  ...programChecks,
  ...[yours, project, target, approval],
  ...stateAndPortChecks,
  ...serviceChecks,
  webhook,
]

/** Makes every check. Errors: UsageError for a key that cannot be read. */
export async function diagnose(facts: DoctorFacts): Promise<Diagnosis> {
  const key = await typedKey(facts.flags) // once: standard input can be read only once
  const results = await examine(allChecks, {
    ...facts,
    flags: { ...facts.flags, ...(key && { 'api-key': key.value }) },
  })
  const checks = results.map((result) => ({ ...result, ...(result.fix && { fix: hint(result.fix) }) }))
  return { ok: checks.every(({ status }) => status !== 'failed'), checks }
}

const marks: Readonly<Record<CheckStatus, string>> = { ok: '✓', warning: '!', failed: '✗', skipped: '–' }
const colours = { ok: 'good', warning: 'open', failed: 'bad', skipped: 'faint' } as const

/** Each check in a line, with what mends it below, and a sum at the end. */
export function renderDiagnosis(diagnosis: Diagnosis): string {
  const { checks } = cleaned(diagnosis)
  const names = Math.max(...checks.map(({ check }) => check.length))
  return `${checks.map((result) => drawn(result, names)).join('')}\n${sum(checks)}\n`
}

function drawn({ check, status, text, fix }: CheckResult, names: number): string {
  const before = names + 4 // the mark, and spaces around the name
  const line = `${theme[colours[status]](marks[status])} ${check.padEnd(names)}  ${hangingText(text, before, theme.width)}\n`
  if (fix === undefined) return line
  return `${line}${' '.repeat(before)}do  ${hangingText(fix, before + 4, theme.width)}\n`
}

function sum(checks: readonly CheckResult[]): string {
  const count = (status: CheckStatus) => checks.filter((each) => each.status === status).length
  const [wrong, doubtful] = [count('failed'), count('warning')]
  if (wrong > 0) return theme.bad(wrong === 1 ? '1 check failed' : `${wrong} checks failed`)
  if (doubtful > 0) return theme.open(doubtful === 1 ? '1 warning' : `${doubtful} warnings`)
  return theme.good('All checks passed')
}
