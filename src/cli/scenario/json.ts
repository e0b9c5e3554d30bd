import type { ScenarioResult } from '../../scenario/result.ts'
import { jsonText } from '../output/json-text.ts'
import { countsOf, type Reporter } from './reporter.ts'

/** One JSON document. docs/json.md */
export const jsonReporter = (): Reporter => ({
  begin: () => '',
  result: () => '',
  end: (results, durationMs) =>
    jsonText({ ...countsOf(results), durationMs, scenarios: results.map(viewOf) }, 2),
})

function viewOf({ failure, ...result }: ScenarioResult) {
  if (failure === undefined) return result
  const { place, step, message, differences, story } = failure
  return {
    ...result,
    failure: {
      ...place,
      step,
      message,
      differences: differences.map(({ place: { line, column }, ...each }) => ({ ...each, line, column })),
      ...(story && {
        transactionId: story.record.transactionId,
        timeZone: story.timeZone,
        timeline: story.timeline.map(({ time, what, detail }) => ({ time, what, ...(detail && { detail }) })),
      }),
    },
  }
}
