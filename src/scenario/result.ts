import type { Story } from '../contract/sandbox/answers.ts'
import type { FilePosition } from './file/problems.ts'

/** A value that is not what is expected, and the position of the expectation. */
interface LocatedDifference {
  readonly position: FilePosition
  /** `expect.record.transactionAmount` */
  readonly path: string
  readonly expected: string
  readonly actual: string
}

/** Why a scenario failed. */
export interface ScenarioFailure {
  readonly position: FilePosition
  /** The step as it is titled, or its action. */
  readonly step: string
  readonly message: string
  readonly differences: readonly LocatedDifference[]
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
