import { sequenceOf } from '../../contract/presentation/sequence.ts'
import { clip } from '../../shared/text/display-width.ts'
import { positionText } from '../../testing/scenario/file/scenario-error.ts'
import type { ScenarioFailure, ScenarioResult } from '../../testing/scenario/run.ts'
import { clean } from '../output/clean.ts'
import { errorTheme, type Theme } from '../output/theme.ts'

/** Writes a report: each result as it comes, and its end; each where it has one. */
export interface Reporter {
  readonly result?: (result: ScenarioResult) => string
  readonly end?: (results: readonly ScenarioResult[], durationMs: number) => string
  /** Markdown for the summary of a job. */
  readonly summary?: (results: readonly ScenarioResult[], durationMs: number) => string
}

/** The reporter for people. */
export type SpecReporter = Required<Pick<Reporter, 'result' | 'end'>>

/** How a report is written: with colours or without, and how wide. */
export interface ReportStyle {
  readonly theme: Theme
  readonly width: number
}

/** The number of results for each outcome. */
export const outcomeCounts = (
  results: readonly ScenarioResult[],
): Record<ScenarioResult['outcome'], number> => {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { outcome } of results) counts[outcome] += 1
  return counts
}

/** A failure as lines of text, for reports that machines read. */
export const failureLines = (failure: ScenarioFailure): string[] =>
  [
    `${positionText(failure.position)}: ${failure.step}`,
    failure.message,
    ...failure.differences.flatMap(({ path, expected, actual }) => [
      ...(path === '' ? [] : [path]),
      `  expected  ${expected}`,
      `  actual    ${actual}`,
    ]),
    ...timelineLines(failure),
  ].map(clean)

/** The timeline of the payment, one line a step; empty when there is none. */
function timelineLines({ story }: ScenarioFailure): string[] {
  if (story === undefined) return []
  const steps = sequenceOf(story).steps.map(({ time, from, to, text, note }) => {
    const who = from === to ? from : `${from} → ${to}`
    return `  ${time.slice(11, 19)}  ${who}: ${text}${note === null ? '' : ` (${note})`}`
  })
  return [`timeline of ${story.record.transactionId} (${story.timeZone})`, ...steps].map(clean)
}

/** A line with what is running, on a terminal only. */
export class Progress {
  #ended = 0
  #isShown = false

  constructor(
    private readonly count: number | undefined,
    private readonly stream: NodeJS.WriteStream = process.stderr,
  ) {}

  begun(name: string): void {
    if (!this.stream.isTTY) return
    this.clear()
    const { faint, width } = errorTheme
    const of = this.count === undefined ? '' : ` of ${this.count}`
    this.stream.write(faint(clip(`… ${this.#ended + 1}${of}  ${clean(name)}`, width - 1)))
    this.#isShown = true
  }

  /** One is done: the line is taken away, so that a report can be written. */
  ended(): void {
    this.#ended += 1
    this.clear()
  }

  clear(): void {
    if (this.#isShown) this.stream.write('\r\u001b[2K')
    this.#isShown = false
  }
}
