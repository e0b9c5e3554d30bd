import type * as v from 'valibot'
import { amount, list, one, shape, text, textOrNull } from '../answer-kinds.ts'

/** Whether a run met a situation: each time as sound code does, at least once not, or never. */
const situationStates = ['handled', 'gap', 'unmet'] as const

const situation = shape({
  /** Stable name, as `answer-lost`. docs/coverage.md */
  name: text,
  group: text,
  title: text,
  /** What sound code does then. */
  sound: text,
  /** A command that makes it happen. */
  how: text,
  state: one(situationStates),
  /** How often it was met. */
  times: amount,
  /** What was left out, the first few: the payment, and the request in the log. */
  gaps: list(shape({ gap: text, transactionId: textOrNull, traceId: textOrNull })),
})

/** Answer of `coverage`: every situation, in the order of the catalogue. */
export const coverageReport = shape({
  handled: amount,
  met: amount,
  situations: list(situation),
})
export type CoverageReport = v.InferOutput<typeof coverageReport>

/** A situation of the report. */
export type CoveredSituation = CoverageReport['situations'][number]

/** The share of all situations that were dealt with. Percent, rounded down. */
export const percentOf = (handled: number, situations: number): number =>
  Math.floor((100 * handled) / situations)

/** Variable with the folder into which the sandboxes of a test write their reports, one file each. */
export const coverageFolderVariable = 'TILLBOX_COVERAGE'
