import type { ControlInput } from '../../contract/control/controls/controls.ts'
import type { FaultView } from '../../contract/control/fault-list.ts'
import { type FaultPreset, rulesOfPreset } from '../../contract/control/fault-presets.ts'
import { type Fault, faultMoment, isDrawn, isEndless, reachOf } from '../../contract/control/faults.ts'
import { rejectField } from '../../contract/errors.ts'
import { isOnline, operations } from '../../contract/operations.ts'
import { requireOutcome } from '../../domain/rules/terminal/refuse-at.ts'
import type { FaultRequest } from '../faults/fault-rules.ts'
import { parseFault } from '../faults/parse-fault.ts'
import { type ControlContext, saveSettings } from './control-context.ts'

/** Changes the faults, and tells the courier and the pages. */
async function changeFaults<T>(context: ControlContext, change: () => T): Promise<T> {
  const result = await saveSettings(context, change)
  context.courier.rearm()
  for (const topic of ['faults', 'webhooks'] as const) context.changes.tell(topic)
  return result
}

/** Adds a fault. */
export const addFault = (context: ControlContext, input: ControlInput<'add-fault'>): Promise<FaultView> =>
  changeFaults(context, () => context.faults.add(makeFaultRequest(context, input)))

/** Removes one fault. */
export const removeFault = (context: ControlContext, id: string): Promise<void> =>
  changeFaults(context, () => context.faults.remove(id))

/** Removes every fault. */
export const clearFaults = (context: ControlContext): Promise<void> =>
  changeFaults(context, () => context.faults.clear())

/** Starts a preset anew, between two times of the sandbox clock. */
export const startPreset = (
  context: ControlContext,
  preset: FaultPreset,
  times: { readonly from: string; readonly until: string },
): Promise<void> =>
  changeFaults(context, () =>
    context.faults.exchange(
      idsOfPreset(context, preset),
      preset.faults.map((fault) => makeFaultRequest(context, { ...fault, ...times })),
    ),
  )

/** Removes the faults of a preset. */
export const endPreset = (context: ControlContext, preset: FaultPreset): Promise<void> =>
  changeFaults(context, () => context.faults.exchange(idsOfPreset(context, preset), []))

const idsOfPreset = ({ faults }: ControlContext, preset: FaultPreset): string[] =>
  rulesOfPreset(preset, faults.list()).map(({ id }) => id)

/**
 * A rule from the request. Without times, share, until or always it applies once, unless its kind is endless,
 * so that a forgotten fault in a shared sandbox is soon used up. assumption: api-faults
 */
function makeFaultRequest(
  { catalogue, clock }: Pick<ControlContext, 'catalogue' | 'clock'>,
  input: ControlInput<'add-fault'>,
): FaultRequest {
  const { kind, terminalSn = null, merchantId = null, amount = null, share = null, seed, always } = input
  const [from, until] = [parseTime(input.from), parseTime(input.until)]
  if (always && input.times != null) rejectField('always', 'cannot be combined with times')
  if (from !== null && until !== null && from >= until) rejectField('until', 'must be later than from')
  if (until !== null && until <= clock.now())
    rejectField('until', `is over: the sandbox clock says ${new Date(clock.now()).toISOString()}`)
  const fault = parseFault(kind)
  const { kind: name } = fault
  if (fault.kind === 'outcome') requireOutcome(catalogue, fault.name)
  if (share === 0) rejectField('share', 'must be more than 0')
  if (seed != null && share === null && !isDrawn(fault))
    rejectField('seed', `is for a share, or a range; ${kind} draws nothing`)
  if (isEndless(fault) && input.times != null)
    rejectField('times', `is not for ${name}, which applies until cleared`)
  if (name === 'reorder' && share !== null) rejectField('share', 'is not for reorder, which takes a count')
  const isMany = isEndless(fault) || share !== null || until !== null || always === true
  const times = input.times ?? (isMany ? null : 1)
  const operation = ruleOperation(fault, input)
  return { kind, operation, terminalSn, merchantId, amount, times, share, seed: seed ?? 1, from, until }
}

const parseTime = (text: string | null | undefined): number | null => (text == null ? null : Date.parse(text))

/** The operation of a rule. */
function ruleOperation(
  fault: Fault,
  { kind, operation, ...target }: ControlInput<'add-fault'>,
): string | null {
  const reach = reachOf(fault)
  if (operation == null) return reach.length === 1 ? (reach[0] ?? null) : null
  if (!reach.includes(operation))
    rejectField('operation', `must be ${reach.join(', ')}, or left out, with ${kind}`)
  if (target.terminalSn != null && isOnline(operations[operation]))
    rejectField('terminalSn', `is not for ${operation}, which has no terminal`)
  if (
    target.amount != null &&
    faultMoment(fault) !== 'webhook' &&
    !('amount' in operations[operation].input.entries)
  )
    rejectField('amount', `is not for ${operation}, which has none`)
  return operation
}
