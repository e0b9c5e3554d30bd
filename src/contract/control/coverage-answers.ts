import * as v from 'valibot'
import { counted } from '../../shared/text/words.ts'
import { amount, described, list, named, one, shape, text, textOrNull } from '../answer-kinds.ts'

const situation = named('CoveredSituation', 'A situation of the report', {
  name: described(text, 'Stable name, as `answer-lost`'),
  group: text,
  title: text,
  advice: described(text, 'What to do then, as a sentence'),
  how: described(text, 'A command that makes it happen'),
  /** Met, and each time dealt with; at least once not; or never met. */
  state: one(['handled', 'gap', 'unmet']),
  times: described(amount, 'How often it was met'),
  proved: described(amount, "How often it was judged by the merchant's orders; otherwise by requests"),
  gaps: described(
    list(shape({ gap: text, transactionId: textOrNull, traceId: textOrNull })),
    'What was left out, the first few: the payment, and the request in the log',
  ),
})

export const coverageReport = named(
  'CoverageReport',
  'Answer of `coverage`: every situation, in the order of the catalogue',
  {
    handled: amount,
    met: amount,
    orders: described(
      v.nullable(shape({ asked: amount, problem: textOrNull })),
      'How often the merchant listed its orders, and why it did not; null: nobody said where it lists them',
    ),
    unjudged: described(amount, 'Requests of any kind that were no longer kept when they were to be judged'),
    situations: list(situation),
  },
)

/** What a report without any situation says. */
export const nothingMet =
  'Nothing was met yet. Point your code at this sandbox: commands, scenarios, agents and sandbox.client do not count.'

/** What a report says of requests that were not judged. */
export const unjudgedText = ({ unjudged }: Pick<CoverageReport, 'unjudged'>): string =>
  `${counted(unjudged, 'request was', 'requests were')} forgotten before they were judged: reset the sandbox between your tests`

export type CoverageReport = v.InferOutput<typeof coverageReport>

/** A situation of the report. */
export type CoveredSituation = CoverageReport['situations'][number]

/** The share of all situations that were dealt with. Percent, rounded down. */
export const coveragePercent = (handled: number, situations: number): number =>
  Math.floor((100 * handled) / situations)

/** Variable with the folder into which the sandboxes of a test write their reports, one file each. */
export const coverageFolderVariable = 'TILLBOX_COVERAGE'

/** Variable with the file that says where the merchant lists its orders, for the sandboxes of a test. */
export const ordersVariable = 'TILLBOX_ORDERS'

/** Orders of a merchant that have ended: by their ids what is wrong, or null. */
export interface JudgedOrders {
  readonly byId: ReadonlyMap<string, string | null>
  /** They tell what was paid back. */
  readonly tellRefunds: boolean
}
