import { textOf } from '../../client/tolerant.ts'
import type { Members } from '../../contract/validate.ts'
import { isObject } from '../../is-object.ts'
import { webhooksOf } from '../../library/test-webhooks.ts'
import { foundWithin, WaitFailed } from '../../library/wait-for.ts'
import { parseDuration } from '../../text/duration.ts'
import type { Step } from '../file/read-scenario.ts'
import { differencesAt, expectationOf, failOn } from './call-result.ts'
import { controlOf } from './control-step.ts'
import { statusReached, type TransactionReference } from './expect-status.ts'
import { capture, type RunContext, StepFailure, stepMembers } from './run-context.ts'

/** Waits for a payment, a hosted page, a screen, or for webhooks. Errors: StepFailure. */
export async function runWaitUntil(run: RunContext, step: Step): Promise<void> {
  const { payment, status, terminal, screen, session, state, webhooks, within } = stepMembers(run, step)
  const waitMs = within === undefined ? run.waitMs : (parseDuration(String(within)) ?? run.waitMs)
  if (payment !== undefined) {
    const path = status === undefined ? [step.action, 'payment'] : [step.action, 'status']
    const record = await statusReached(run, queryOf(payment), textOf(status) ?? 'approved', { waitMs, path })
    capture(run, step, record)
    return failOn(differencesAt('record', expectationOf(run, step), record))
  }
  if (webhooks !== undefined) return delivered(run, waitMs)
  if (session !== undefined || state !== undefined)
    return look(run, step, {
      names: { id: String(session ?? run.session ?? '') },
      control: 'session',
      member: 'state',
      wanted: textOf(state) ?? 'paid',
      waitMs,
    })
  const sn = String(terminal ?? run.terminal ?? '')
  run.terminal = sn
  return look(run, step, {
    names: { sn },
    control: 'screen',
    member: 'screen',
    wanted: textOf(screen) ?? 'idle',
    waitMs,
  })
}

/** A payment by its id, or by a captured request whose answer was lost. Errors: StepFailure. */
function queryOf(payment: unknown): TransactionReference {
  if (!isObject(payment)) return { transactionId: String(payment) }
  const transactionRequestId = textOf(payment.transactionRequestId)
  if (transactionRequestId === undefined) throw new StepFailure('What is captured has no transactionId')
  return { transactionRequestId }
}

async function delivered(run: RunContext, timeout: number): Promise<void> {
  try {
    await webhooksOf(controlOf(run)).delivered({ timeout })
  } catch (error) {
    if (!(error instanceof WaitFailed)) throw error
    throw new StepFailure(error.message)
  }
}

interface WaitTarget {
  readonly names: Readonly<Record<string, string>>
  readonly control: 'session' | 'screen'
  readonly member: 'state' | 'screen'
  readonly wanted: string
  readonly waitMs: number
}

async function look(run: RunContext, step: Step, { names, control, member, wanted, waitMs }: WaitTarget) {
  const call = controlOf(run)
  let view: Members = {}
  const reached = await foundWithin(waitMs, async () => {
    view = await call(control, undefined, names)
    return view[member] === wanted || undefined
  })
  if (reached) return capture(run, step, view)
  throw new StepFailure(`Waited ${waitMs / 1000} s in vain`, [
    { path: [step.action, member], expected: wanted, actual: String(view[member]) },
  ])
}
