import { type Retries, retriesFrom } from '../../contract/sandbox/retries.ts'
import { UsageError } from '../errors/usage-error.ts'

/** A schedule of retries, as typed. Errors: UsageError. */
export function retriesOf(text: string): Retries {
  const retries = retriesFrom(text)
  if (retries !== undefined) return retries
  const problem = `--retries ${text} is not a list of durations`
  throw new UsageError(
    problem,
    'Use none, fast, default, or durations such as 50ms,1s,5m; without a unit they are seconds',
    'retries',
  )
}
