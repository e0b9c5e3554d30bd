import type { FilePosition } from '../../scenario/file/scenario-error.ts'
import type { ScenarioResult } from '../../scenario/run.ts'
import { jsonText } from '../output/json-text.ts'
import { countsOf, type Reporter } from './reporter.ts'

/** Why a scenario failed, and where. */
interface ReportedFailure extends FilePosition {
  /** The step as it is titled, or its action. */
  readonly step: string
  readonly message: string
  /** Values that differ from the expected ones, as text, with the positions of the expectations. */
  readonly differences: readonly {
    readonly path: string
    readonly expected: string
    readonly actual: string
    readonly line: number
    readonly column: number
  }[]
  /** The payment that the step was about; only of a sandbox. */
  readonly transactionId?: string
  /** Zone of the times of `timeline`. */
  readonly timeZone?: string
  /** What happened to it, in its order. */
  readonly timeline?: readonly { readonly time: string; readonly what: string; readonly detail?: string }[]
}

/** A scenario, or one of its cases. */
interface ReportedScenario extends Omit<ScenarioResult, 'failure'> {
  readonly failure?: ReportedFailure
}

/** What `tillbox test --json` prints. */
export interface ScenarioReport {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly durationMs: number
  readonly scenarios: readonly ReportedScenario[]
}

/** One JSON document. docs/json.md */
export const jsonReporter = (): Reporter => ({
  begin: () => '',
  result: () => '',
  end: (results, durationMs) =>
    jsonText(
      { ...countsOf(results), durationMs, scenarios: results.map(viewOf) } satisfies ScenarioReport,
      2,
    ),
})

function viewOf({ failure, ...result }: ScenarioResult): ReportedScenario {
  if (failure === undefined) return result
  const { position, step, message, differences, story } = failure
  return {
    ...result,
    failure: {
      ...position,
      step,
      message,
      differences: differences.map(({ position: { line, column }, ...each }) => ({ ...each, line, column })),
      ...(story && {
        transactionId: story.record.transactionId,
        timeZone: story.timeZone,
        timeline: story.timeline.map(({ time, what, detail }) => ({ time, what, ...(detail && { detail }) })),
      }),
    },
  }
}
