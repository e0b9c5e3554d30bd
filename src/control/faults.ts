import { rejectField } from '../contract/errors.ts'
import type { ControlInput } from '../contract/sandbox/controls.ts'
import { momentOf, readFault } from '../contract/sandbox/faults.ts'
import type { FaultOrder } from '../faults/fault-rules.ts'

/**
 * A rule as it was ordered. Without times, share, until or always it hits once: a fault that is forgotten in a shared
 * sandbox is over soon. Errors: C17. assumption: api-faults
 */
export function faultOrderOf(input: ControlInput<'add-fault'>): FaultOrder {
  const { kind, terminalSn = null, merchantId = null, amount = null, share = null, seed, always } = input
  const [from, until] = [timeOf(input.from), timeOf(input.until)]
  if (always && input.times != null) rejectField('always', 'cannot be combined with times')
  if (from !== null && until !== null && from >= until) rejectField('until', 'must be later than from')
  const hasEnd = share !== null || until !== null || always === true
  const times = input.times ?? (hasEnd ? null : 1)
  const operation = operationOf(kind, input.operation ?? null)
  return { kind, operation, terminalSn, merchantId, amount, times, share, seed: seed ?? 1, from, until }
}

const timeOf = (text: string | null | undefined): number | null => (text == null ? null : Date.parse(text))

/** Faults of the settlement are of batch-close alone. */
function operationOf(kind: string, operation: string | null): string | null {
  const fault = readFault(kind)
  if (typeof fault === 'string' || momentOf(fault) !== 'settlement') return operation
  if (operation !== null && operation !== 'batch-close')
    rejectField('operation', `must be batch-close, or left out: ${kind} is a fault of the settlement`)
  return 'batch-close'
}
