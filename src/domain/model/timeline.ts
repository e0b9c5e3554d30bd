import { traceparentFrom } from '../../contract/trace-context.ts'
import type { Timeline, Transaction } from './transaction.ts'

/** An entry of a transaction's timeline. `at`: milliseconds of the sandbox clock. */
export interface Moment {
  readonly at: number
  readonly what: string
  readonly detail: string | null
  /** Sandbox time plus all earlier set-backs: it never decreases, also across transactions. */
  readonly journalOrder: number
}

/** Adds a moment to the timeline of a transaction. */
export function addMoment(
  transaction: Transaction,
  at: number,
  what: string,
  detail: string | null = null,
): void {
  transaction.timeline = [...transaction.timeline, at - transaction.createdAt, what, detail]
}

/** The timeline of a transaction that was just opened. `traceparent`: that of its request. */
export const openedTimeline = (traceparent: string | null): Timeline => [0, 'opened', traceparent]

/** The `traceparent` of the request that opened a transaction; undefined for none. */
export const traceparentOf = ({ timeline }: Pick<Transaction, 'timeline'>): string | undefined =>
  timeline[1] === 'opened' ? traceparentFrom(timeline[2]?.toString()) : undefined

/** Marks that the sandbox clock was set back; its detail: by how many milliseconds. */
const setBackMoment = 'clock-set-back'

/** Notes a set-back of the clock since the transaction's last moment. `setBack`: the total so far. */
export function noteSetBack(transaction: Transaction | undefined, at: number, setBack: number): void {
  const before = transaction?.setBack ?? 0
  if (transaction === undefined || setBack === before) return
  addMoment(transaction, at, setBackMoment, String(setBack - before))
  transaction.setBack = setBack
}

/** `journalOrder` of the last moment. */
export const lastJournalOrderOf = ({ timeline, createdAt, setBack = 0 }: Transaction): number =>
  createdAt + ((timeline.at(-3) as number | undefined) ?? 0) + setBack

/** Every moment of a transaction, in order. */
export function momentsOf(transaction: Transaction): Moment[] {
  const moments: Moment[] = []
  visitMoments(transaction, (at, what, journalOrder, detail) =>
    moments.push({ at, what, detail, journalOrder }),
  )
  return moments
}

/** As `momentsOf`, without an object for each: meant for visiting all transactions. */
export function visitMoments(
  { timeline, createdAt, setBack: total = 0 }: Pick<Transaction, 'timeline' | 'createdAt' | 'setBack'>,
  visit: (at: number, what: string, journalOrder: number, detail: string | null) => void,
): void {
  let setBack = total === 0 ? 0 : total - sumOfSetBacks(timeline)
  for (let index = 0; index < timeline.length; index += 3) {
    const at = createdAt + (timeline[index] as number)
    const what = timeline[index + 1] as string
    const detail = timeline[index + 2] as string | null
    if (what === setBackMoment) setBack += Number(detail)
    visit(at, what, at + setBack, detail)
  }
}

/** Moments that end a payment. */
export const resultMoments: readonly string[] = ['approved', 'declined', 'closed']

/** True when the timeline has that moment. */
export function hasMoment({ timeline }: Pick<Transaction, 'timeline'>, what: string): boolean {
  for (let index = 1; index < timeline.length; index += 3) if (timeline[index] === what) return true
  return false
}

function sumOfSetBacks(timeline: Timeline): number {
  let sum = 0
  for (let index = 1; index < timeline.length; index += 3)
    if (timeline[index] === setBackMoment) sum += Number(timeline[index + 1])
  return sum
}
