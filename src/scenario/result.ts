import type { Story } from '../contract/sandbox/answers.ts'
import type { ScenarioPlace } from './file/problems.ts'

/** A value that is not what is expected, and the place of the expectation. */
interface PlacedDifference {
  readonly place: ScenarioPlace
  /** `expect.record.transactionAmount` */
  readonly path: string
  readonly expected: string
  readonly actual: string
}

/** Why a scenario failed. */
export interface ScenarioFailure {
  readonly place: ScenarioPlace
  /** The step as it is titled, or its action. */
  readonly step: string
  readonly message: string
  readonly differences: readonly PlacedDifference[]
  /** The payment that the step was about, with its timeline; undefined where nobody tells. */
  readonly story: Story | undefined
}

/** What came of a scenario, or of one of its cases. */
export interface ScenarioResult {
  readonly file: string
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it was skipped. */
  readonly reason?: string
  /** Steps that were done. */
  readonly steps: number
  readonly durationMs: number
  readonly failure?: ScenarioFailure
}
