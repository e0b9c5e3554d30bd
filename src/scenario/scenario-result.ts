import type { Story } from '../contract/sandbox/control-answers.ts'
import type { FilePosition } from './file/scenario-error.ts'

/** A value that differs from the expected one, and the position of the expectation. */
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
  /** The step's title, or its action. */
  readonly step: string
  readonly message: string
  readonly differences: readonly LocatedDifference[]
  /** The payment of the step, with its timeline; undefined when unknown. */
  readonly story: Story | undefined
}

/** The result of a scenario, or of one of its cases. */
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
