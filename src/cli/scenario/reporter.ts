import type { ScenarioResult } from '../../scenario/scenario-result.ts'
import type { Theme } from '../output/theme.ts'

/** Writes a report: its beginning, each result as it comes, and its end. */
export interface Reporter {
  readonly begin: (count: number) => string
  readonly result: (result: ScenarioResult) => string
  readonly end: (results: readonly ScenarioResult[], durationMs: number) => string
}

/** How a report is written: with colours or without, and how wide. */
export interface ReportStyle {
  readonly theme: Theme
  readonly width: number
}

/** The number of results for each outcome. */
export const countsOf = (results: readonly ScenarioResult[]): Record<ScenarioResult['outcome'], number> => {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { outcome } of results) counts[outcome] += 1
  return counts
}
