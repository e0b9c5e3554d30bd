import type {
  CoverageReport,
  CoveredSituation,
  JudgedOrders,
} from '../../contract/control/coverage-answers.ts'
import type { TransactionRow } from '../../contract/control/transaction-list.ts'
import { type SituationName, seenSituations } from '../../contract/exam/catalogue.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { JournalEntry, ReadonlyState } from '../../domain/state.ts'
import type { Replacement, Subscriber } from '../engine/changes.ts'
import type { RequestLog } from '../request-log/request-log.ts'
import type { LoggedAttempt } from '../store/storage.ts'
import { transactionRow } from '../views/transaction-text.ts'
import { isDisproved, ruleFor } from './rules.ts'
import { type AttemptResult, attemptKey, type Meeting, orderOf, type Run, runsLeadingTo } from './run.ts'

/**
 * Asks the merchant for its orders, and judges those of payments and requests. `endpoint`: a URL of the
 * merchant to which webhooks went. Errors: Error, in words; Unreachable, where nothing answers.
 */
export type AskOrders = (
  payments: readonly TransactionRow[],
  orderIds: readonly string[],
  endpoint: string | undefined,
) => Promise<JudgedOrders>

/** Two merchants may have the same order ids. */
const orderKey = (merchantId: string, orderId: string): string => `${merchantId} ${orderId}`

/** Orders by `orderKey`: what is wrong, or null, and whether they tell what was paid back. */
type Proofs = ReadonlyMap<string, { readonly wrong: string | null; readonly tellsRefunds: boolean }>

type Found = Pick<CoveredSituation, 'times' | 'proved' | 'gaps'>

/** Most gaps of a situation that a report names. */
const mostGaps = 5

/** Most deliveries whose attempts are kept: more than the requests in the log have. */
const mostDeliveries = 5_000

const none: Found = { times: 0, proved: 0, gaps: [] }

/** Judges runs by their requests, and by the orders of the merchant where they are known. */
function judge(runs: readonly Run[], proofs: Proofs): ReadonlyMap<SituationName, Found> {
  const proofOf = ({ merchantId, transactions }: Run, { transactionId, orderId: named }: Meeting) => {
    const { orderId = named, type } = transactions.find(({ id }) => id === transactionId) ?? {}
    const proof = proofs.get(orderKey(merchantId, orderId ?? ''))
    return type === 'REFUND' && !proof?.tellsRefunds ? undefined : proof?.wrong
  }
  const found = seenSituations.flatMap(({ name, seen }) => {
    const isProvable = !('judged' in seen && seen.judged === 'refused') // what a forgery says may be true
    const rule = ruleFor(seen)
    const meetings = runs.flatMap((run) =>
      rule(run).map((meeting) => {
        const { gap, transactionId, traceId } = meeting
        const proof = isProvable ? proofOf(run, meeting) : undefined
        const isRight = proof === null && gap !== null && isDisproved(gap)
        return { transactionId, traceId, proof, gap: proof ?? (isRight ? null : gap) }
      }),
    )
    const gaps = meetings.flatMap(({ gap, proof: _, ...where }) => (gap === null ? [] : [{ gap, ...where }]))
    const proved = meetings.filter(({ proof }) => proof !== undefined).length
    return meetings.length === 0 ? [] : [[name, { times: meetings.length, proved, gaps }] as const]
  })
  return new Map(found)
}

const added = (one: Found, other: Found): Found => ({
  times: one.times + other.times,
  proved: one.proved + other.proved,
  gaps: [...one.gaps, ...other.gaps].slice(0, mostGaps),
})

function createReport(
  findingFor: (name: SituationName) => Found,
  rest: Pick<CoverageReport, 'orders' | 'unjudged'>,
): CoverageReport {
  const all = seenSituations.map(({ name, group, title, advice, how }): CoveredSituation => {
    const found = findingFor(name)
    const state = found.times === 0 ? 'unmet' : found.gaps.length > 0 ? 'gap' : 'handled'
    return { name, group, title, advice, how, state, ...found }
  })
  const count = (isCounted: (situation: CoveredSituation) => boolean) => all.filter(isCounted).length
  return {
    handled: count(({ state }) => state === 'handled'),
    met: count(({ state }) => state !== 'unmet'),
    ...rest,
    situations: all,
  }
}

/** The reports of several sandboxes as one. Situations of another version of tillbox are left out. */
export function joinReports(reports: readonly CoverageReport[]): CoverageReport {
  const asked = reports.flatMap(({ orders }) => orders ?? [])
  return createReport(
    (name) =>
      reports
        .flatMap(({ situations: all }) => all.filter((each) => each.name === name))
        .reduce<Found>(added, none),
    {
      unjudged: reports.reduce((sum, each) => sum + each.unjudged, 0),
      orders:
        asked.length === 0
          ? null
          : {
              asked: asked.reduce((sum, each) => sum + each.asked, 0),
              problem: asked.find(({ problem }) => problem !== null)?.problem ?? null,
            },
    },
  )
}

/** Judges how the merchant's code deals with what it meets, over all resets. assumption: coverage */
export class Coverage implements Subscriber {
  /** What earlier runs came to. */
  #before: ReadonlyMap<SituationName, Found> = new Map()
  /** Number of the first request of this run. */
  #from: number
  /** How many requests of earlier runs were forgotten before they ended. */
  #unjudged = 0
  /** Number of attempts so far. */
  #turn = 0
  readonly #attempts = new Map<string, AttemptResult[]>()
  /** When attempts began that are not durable yet. */
  readonly #begun = new Map<string, number>()
  /** Orders of the merchant that have ended, as they were when it was last asked. */
  #orders: Proofs = new Map()
  #asked = 0
  #problem: string | null = null

  /** `wall`: the wall clock. `askOrders`: left out, requests alone are judged. */
  constructor(
    private readonly log: Pick<RequestLog, 'list' | 'total' | 'forgotten'>,
    private readonly wall: () => number,
    private readonly askOrders?: AskOrders,
  ) {
    this.#from = log.total
  }

  /** An attempt was made, and will be recorded. */
  attempted({ merchantId, number, at }: Pick<LoggedAttempt, 'merchantId' | 'number' | 'at'>): void {
    this.#begun.set(attemptKey(merchantId, number), at)
  }

  durable({ settings: { merchantId } }: Ledger, { events }: JournalEntry): void {
    for (const event of events) {
      if (event.type !== 'delivery-attempted') continue
      const { number, last, copy, fault } = event
      const key = attemptKey(merchantId, number)
      this.#turn += 1
      const attempt = { last, copy, fault, turn: this.#turn, at: this.#begun.get(key) ?? this.wall() }
      this.#begun.delete(key)
      this.#attempts.set(key, [...(this.#attempts.get(key) ?? []), attempt])
      const [oldest = ''] = this.#attempts.keys()
      if (this.#attempts.size > mostDeliveries) this.#attempts.delete(oldest)
    }
  }

  /** A run ends: what was kept of it is judged before it is forgotten. */
  replacing(state: ReadonlyState): void {
    this.#before = this.#foundIn(state)
    this.#unjudged = this.#missed()
    this.#from = this.log.total
    this.#attempts.clear()
    this.#begun.clear()
    this.#orders = new Map()
  }

  replaced(_: ReadonlyState, cause: Replacement): void {
    if (cause === 'other') this.#from = this.log.total
  }

  /** Asks the merchant for its orders, before they and the run are gone. `state`: the current one. */
  async prove(state: ReadonlyState): Promise<void> {
    const { askOrders } = this
    if (askOrders === undefined) return
    const runs = this.#runsLeadingTo(state)
    const told = [...state.ledgers.values()].map((ledger) => {
      const run = runs.find(({ merchantId }) => merchantId === ledger.settings.merchantId)
      return this.#proveOf(
        ledger,
        run?.requests.flatMap((request) => orderOf(request) ?? []) ?? [],
        askOrders,
      )
    })
    if ((await Promise.all(told)).includes(true)) this.#asked += 1
  }

  /** Resolves to true where the merchant told its orders. */
  async #proveOf(ledger: Ledger, orderIds: readonly string[], askOrders: AskOrders): Promise<boolean> {
    const payments = [...ledger.transactions].map((transaction) => transactionRow({ ledger, transaction }))
    if (payments.length + orderIds.length === 0) return false
    const { merchantId } = ledger.settings
    const urls = [...ledger.outbox.deliveries.values()].map(({ url }) => url)
    try {
      const { byId, tellRefunds } = await askOrders(payments, orderIds, urls.at(-1))
      const proofs = [...byId].map(
        ([id, wrong]) => [orderKey(merchantId, id), { wrong, tellsRefunds: tellRefunds }] as const,
      )
      this.#orders = new Map([...this.#orders, ...proofs])
      return true
    } catch (error) {
      const { name, message } = error as Error
      const hasEnded = ['Unreachable', 'ForeignAnswer'].includes(name) // as a server has in the end: the problem is what was said before
      if (!hasEnded || this.#problem === null) this.#problem = message
      return false
    }
  }

  /** The report so far. `state`: the current one. */
  report(state: ReadonlyState): CoverageReport {
    const found = this.#foundIn(state)
    const problem = this.#asked === 0 ? this.#problem : null
    const orders = this.askOrders === undefined ? null : { asked: this.#asked, problem }
    return createReport((name) => found.get(name) ?? none, { orders, unjudged: this.#missed() })
  }

  #missed(): number {
    return this.#unjudged + Math.max(0, this.log.forgotten - this.#from)
  }

  #runsLeadingTo(state: ReadonlyState): Run[] {
    return runsLeadingTo(state, this.log.list(this.#from), this.#attempts)
  }

  #foundIn(state: ReadonlyState): ReadonlyMap<SituationName, Found> {
    const now = judge(this.#runsLeadingTo(state), this.#orders)
    return new Map(
      seenSituations.map(({ name }) => [name, added(this.#before.get(name) ?? none, now.get(name) ?? none)]),
    )
  }
}
