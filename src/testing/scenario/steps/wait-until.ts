import { asText } from '../../../client/tolerant.ts'
import type { Members } from '../../../contract/validate.ts'
import { isObject } from '../../../shared/is-object.ts'
import { parseDuration } from '../../../shared/text/duration.ts'
import { testWebhooks } from '../../helpers/test-webhooks.ts'
import { foundWithin, WaitFailed } from '../../helpers/wait-for.ts'
import type { Step } from '../file/read-scenario.ts'
import { differencesAt, failOn, stepExpectation } from './call-result.ts'
import { requireCall } from './control-step.ts'
import { statusReached, type TransactionReference } from './expect-status.ts'
import { capture, type RunContext, StepFailure, stepMembers } from './run-context.ts'

/** Waits for a payment, a hosted page, a screen, or for webhooks. */
export async function runWaitUntil(run: RunContext, step: Step): Promise<void> {
  const { payment, status, terminal, screen, session, state, webhooks, within } = stepMembers(run, step)
  const waitMs = within === undefined ? run.waitMs : (parseDuration(String(within)) ?? run.waitMs)
  if (payment !== undefined) {
    const path = status === undefined ? [step.action, 'payment'] : [step.action, 'status']
    const record = await statusReached(run, asQuery(payment), asText(status) ?? 'approved', { waitMs, path })
    capture(run, step, record)
    return failOn(differencesAt('record', stepExpectation(run, step), record))
  }
  if (webhooks !== undefined) return delivered(run, waitMs)
  if (session !== undefined || state !== undefined) {
    const page = { id: String(session ?? run.session ?? '') }
    return look(run, step, waitMs, 'session', page, { state: asText(state) ?? 'paid' })
  }
  run.terminal = String(terminal ?? run.terminal ?? '')
  return look(run, step, waitMs, 'screen', { sn: run.terminal }, { screen: asText(screen) ?? 'idle' })
}

/** A payment by its id, or by a captured request whose answer was lost. */
function asQuery(payment: unknown): TransactionReference {
  if (!isObject(payment)) return { transactionId: String(payment) }
  const transactionRequestId = asText(payment.transactionRequestId)
  if (transactionRequestId === undefined) throw new StepFailure('What is captured has no transactionId')
  return { transactionRequestId }
}

async function delivered(run: RunContext, timeout: number): Promise<void> {
  try {
    await testWebhooks(requireCall(run)).delivered({ timeout })
  } catch (error) {
    if (!(error instanceof WaitFailed)) throw error
    throw new StepFailure(error.message)
  }
}

/** Waits until the view of a page or terminal has the wanted member. */
async function look(
  run: RunContext,
  step: Step,
  waitMs: number,
  control: 'session' | 'screen',
  names: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
) {
  const call = requireCall(run)
  const [[member = '', expected = ''] = []] = Object.entries(wanted)
  let view: Members = {}
  const reached = await foundWithin(waitMs, async () => {
    view = await call(control, undefined, names)
    return view[member] === expected || undefined
  })
  if (reached) return capture(run, step, view)
  throw new StepFailure(`Waited ${waitMs / 1000} s in vain`, [
    { path: [step.action, member], expected, actual: String(view[member]) },
  ])
}
