import { sequenceOf } from '../../presentation/sequence.ts'
import { positionText } from '../../scenario/file/scenario-error.ts'
import type { ScenarioFailure } from '../../scenario/scenario-result.ts'
import { clean } from '../output/clean.ts'

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
export function timelineLines({ story }: ScenarioFailure): string[] {
  if (story === undefined) return []
  const steps = sequenceOf(story).steps.map(({ time, from, to, text, note }) => {
    const who = from === to ? from : `${from} → ${to}`
    return `  ${time.slice(11, 19)}  ${who}: ${text}${note === null ? '' : ` (${note})`}`
  })
  return [`timeline of ${story.record.transactionId} (${story.timeZone})`, ...steps].map(clean)
}
