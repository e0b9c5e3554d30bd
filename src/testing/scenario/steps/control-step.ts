import { asText } from '../../../client/tolerant.ts'
import type { Members } from '../../../contract/validate.ts'
import { isObject } from '../../../shared/is-object.ts'
import { parseDuration } from '../../../shared/text/duration.ts'
import type { CallControl } from '../../helpers/caller.ts'
import { advanceTimeout, usualCard } from '../../helpers/test-controls.ts'
import { foundWithin, usualWait } from '../../helpers/wait-for.ts'
import { type ControlAction, controlActions } from '../file/actions.ts'
import type { Step } from '../file/read-scenario.ts'
import { inMinorUnits, requireCurrency } from '../file/written-amounts.ts'
import { attemptCall, checkAnswer, shownAnswer, stepExpectation } from './call-result.ts'
import { capture, type RunContext, StepFailure, stepMembers, valueIn } from './run-context.ts'

/** The function that calls the control interface. */
export function requireCall({ service }: RunContext): CallControl {
  if (service.call === undefined) throw new StepFailure('Only a sandbox does this')
  return service.call
}

/** An act at a terminal or on a hosted page, or an order to the sandbox. */
export async function runControl(run: RunContext, step: Step): Promise<void> {
  const action = controlActions[step.action] as ControlAction
  const call = requireCall(run)
  if (step.action === 'fault' && step.value === 'none') return answered(run, step, 'clear-faults', undefined)
  const { terminal = run.terminal, session = run.session, ...written } = stepMembers(run, step, action.short)
  const at = { terminal, session }[action.at ?? 'terminal']
  if (action.at !== undefined && at === undefined) {
    const message = `No ${action.at} is named, and no step before had one: add ${action.at}:`
    // what waits for a payment may be without one in an unkind world, but a setting of a terminal is not
    throw action.awaits === undefined && action.at === 'terminal'
      ? new Error(message)
      : new StepFailure(message)
  }
  if (action.at === 'terminal') run.terminal = asText(terminal)
  if (step.action === 'terminal offline') run.offline.add(String(at))
  if (action.at === 'session') run.session = asText(session)
  const names: Record<string, string> =
    action.at === 'terminal' ? { sn: String(at) } : action.at ? { id: sessionIn(String(at)) } : {}
  if (action.awaits !== undefined)
    requireCurrency(written, await allowed(call, String(at), step.action, action.awaits))
  const members = { ...defaults[step.action], ...inMinorUnits(written), ...action.says }
  const takesNoMembers = action.control === 'screen' || action.control === 'session'
  await answered(run, step, action.control, takesNoMembers ? undefined : members, names)
}

/** A hosted page is named by its id, or by the URL that a merchant's server answers. */
const sessionIn = (idOrUrl: string): string => idOrUrl.slice(idOrUrl.lastIndexOf('/') + 1)

/** The default card for a hosted page. */
const defaults: Readonly<Record<string, Members>> = { 'checkout pay': { card: usualCard } }

/** Resolves to the currency at the terminal when its screen allows the action. */
async function allowed(
  call: CallControl,
  sn: string,
  action: string,
  awaits: ControlAction['awaits'],
): Promise<Members> {
  let shown = ''
  const found = await foundWithin(usualWait, async () => {
    const { screen, acts, transaction } = await call('screen', undefined, { sn })
    shown = screen
    return acts.some((act) => act === awaits) ? { priceCurrency: transaction?.currency } : undefined
  })
  if (found !== undefined) return found
  throw new StepFailure(`${sn} shows ${shown}: it does not allow ${action}`)
}

/** Moves the clock. */
export async function runClock(run: RunContext, step: Step): Promise<void> {
  const value = valueIn(run, step.value)
  const { advance, set } = isObject(value) ? value : {}
  const order = isObject(value)
    ? advance === undefined
      ? { action: 'set', time: set }
      : { action: 'advance', milliseconds: parseDuration(String(advance)) }
    : { action: value }
  await answered(run, step, 'set-clock', order)
}

async function answered(
  run: RunContext,
  step: Step,
  control: ControlAction['control'],
  members: Members | undefined,
  names: Readonly<Record<string, string>> = {},
): Promise<void> {
  const call = requireCall(run)
  const result = await attemptCall(() => call(control, members, names, advanceTimeout))
  const { data } = result
  const { transaction } = data
  run.subject = asText(isObject(transaction) ? transaction.transactionId : data.transactionId) ?? run.subject
  capture(run, step, data)
  checkAnswer(result, stepExpectation(run, step))
  run.done({ step: control, answer: shownAnswer(result) })
}
