import type { CoverageReport, CoveredSituation } from '../../contract/control/coverage-answers.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { JournalEntry, ReadonlyState } from '../../domain/state.ts'
import type { Replacement, Subscriber } from '../engine/changes.ts'
import type { RequestLog } from '../request-log/request-log.ts'
import { type AttemptResult, attemptKey, type Run, runLeadingTo } from './run.ts'
import {
  type Situation,
  type SituationName,
  situationGroups,
  situationNames,
  situations,
} from './situations.ts'

type Found = Pick<CoveredSituation, 'times' | 'gaps'>

/** Most gaps of a situation that a report names. */
const mostGaps = 5

/** Most deliveries whose attempts are kept: more than the requests in the log have. */
const mostDeliveries = 5_000

const none: Found = { times: 0, gaps: [] }

function judge(run: Run): ReadonlyMap<SituationName, Found> {
  return new Map(
    situationNames.flatMap((name) => {
      const meetings = situations[name].meet(run)
      const gaps = meetings.flatMap(({ gap, ...where }) => (gap === null ? [] : [{ gap, ...where }]))
      return meetings.length === 0 ? [] : [[name, { times: meetings.length, gaps }] as const]
    }),
  )
}

const added = (one: Found, other: Found): Found => ({
  times: one.times + other.times,
  gaps: [...one.gaps, ...other.gaps].slice(0, mostGaps),
})

function createReport(findingFor: (name: SituationName) => Found): CoverageReport {
  const all = situationNames.map((name): CoveredSituation => {
    const { group, title, sound, how }: Situation = situations[name]
    const found = findingFor(name)
    const state = found.times === 0 ? 'unmet' : found.gaps.length > 0 ? 'gap' : 'handled'
    return { name, group: situationGroups[group], title, sound, how, state, ...found }
  })
  const count = (isCounted: (situation: CoveredSituation) => boolean) => all.filter(isCounted).length
  return {
    handled: count(({ state }) => state === 'handled'),
    met: count(({ state }) => state !== 'unmet'),
    situations: all,
  }
}

/** The reports of several sandboxes as one. Situations of another version of tillbox are left out. */
export const joinReports = (reports: readonly CoverageReport[]): CoverageReport =>
  createReport((name) =>
    reports
      .flatMap(({ situations: all }) => all.filter((each) => each.name === name))
      .reduce<Found>(added, none),
  )

/** Judges how the merchant's code deals with what it meets, over all resets. assumption: coverage */
export class Coverage implements Subscriber {
  /** What earlier runs came to. */
  #before: ReadonlyMap<SituationName, Found> = new Map()
  /** Number of the first request of this run. */
  #from: number
  /** Number of attempts so far. */
  #turn = 0
  readonly #attempts = new Map<string, AttemptResult[]>()

  constructor(private readonly log: Pick<RequestLog, 'list' | 'total'>) {
    this.#from = log.total
  }

  durable({ settings: { merchantId } }: Ledger, { events }: JournalEntry): void {
    for (const event of events) {
      if (event.type !== 'delivery-attempted') continue
      const { number, last, fault, delivered } = event
      const key = attemptKey(merchantId, number)
      this.#turn += 1
      const attempt = { last, fault, delivered, turn: this.#turn }
      this.#attempts.set(key, [...(this.#attempts.get(key) ?? []), attempt])
      const [oldest = ''] = this.#attempts.keys()
      if (this.#attempts.size > mostDeliveries) this.#attempts.delete(oldest)
    }
  }

  /** A run ends: what was kept of it is judged before it is forgotten. */
  replacing(state: ReadonlyState): void {
    this.#before = this.#foundIn(state)
    this.#from = this.log.total
    this.#attempts.clear()
  }

  replaced(_: ReadonlyState, cause: Replacement): void {
    if (cause === 'other') this.#from = this.log.total
  }

  /** The report so far. `state`: the current one. */
  report(state: ReadonlyState): CoverageReport {
    const found = this.#foundIn(state)
    return createReport((name) => found.get(name) ?? none)
  }

  #foundIn(state: ReadonlyState): ReadonlyMap<SituationName, Found> {
    const now = judge(runLeadingTo(state, this.log.list(this.#from), this.#attempts))
    return new Map(
      situationNames.map((name) => [name, added(this.#before.get(name) ?? none, now.get(name) ?? none)]),
    )
  }
}
