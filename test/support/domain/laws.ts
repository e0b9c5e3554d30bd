import fc from 'fast-check'
import { WatchedTill } from './ledger.ts'

/** A value with a weight, for `fc.oneof`. */
export const weighted = <T>(weight: number, value: T) => ({ weight, arbitrary: fc.constant(value) })

/** Takes the steps on a new till; `check` sees it after each of them. */
export function runSteps<Step>(
  reserve: number,
  steps: readonly Step[],
  take: (till: WatchedTill, step: Step, index: number) => void,
  check: (till: WatchedTill) => void,
): WatchedTill {
  const till = new WatchedTill(reserve)
  for (const [index, step] of steps.entries()) {
    take(till, step, index)
    check(till)
  }
  return till
}
