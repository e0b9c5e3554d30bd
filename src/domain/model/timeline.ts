import type { Timeline, Transaction } from './transaction.ts'

/** What happened to a transaction, and when (milliseconds of the sandbox clock). */
export interface Moment {
  readonly at: number
  readonly what: string
  readonly detail: string | null
  /** Sandbox time and what it was set back by until then: later moments, of others too, have no smaller one. */
  readonly order: number
}

/** Adds to what is remembered of a transaction. */
export function note(transaction: Transaction, at: number, what: string, detail: string | null = null): void {
  transaction.timeline.push(at - transaction.createdAt, what, detail)
}

/** The moment at which somebody set the sandbox clock back; its detail: by how many milliseconds. */
const setBackMoment = 'clock-set-back'

/** Notes that the clock was set back since something last happened to it, if it was. `setBack`: in all. */
export function noteSetBack(transaction: Transaction | undefined, at: number, setBack: number): void {
  const before = transaction?.setBack ?? 0
  if (transaction === undefined || setBack === before) return
  note(transaction, at, setBackMoment, String(setBack - before))
  transaction.setBack = setBack
}

/** `order` of the last moment. */
export const lastOrderOf = ({ timeline, createdAt, setBack = 0 }: Transaction): number =>
  createdAt + ((timeline.at(-3) as number | undefined) ?? 0) + setBack

/** Everything that happened to it, in order. */
export function momentsOf(transaction: Transaction): Moment[] {
  const moments: Moment[] = []
  visitMoments(transaction, (at, what, order, detail) => moments.push({ at, what, detail, order }))
  return moments
}

/** Visits the same without an object for each: for all transactions, one after the other. */
export function visitMoments(
  { timeline, createdAt, setBack: total = 0 }: Transaction,
  visit: (at: number, what: string, order: number, detail: string | null) => void,
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

/** True when that happened to it. */
export function happened({ timeline }: Transaction, what: string): boolean {
  for (let index = 1; index < timeline.length; index += 3) if (timeline[index] === what) return true
  return false
}

function sumOfSetBacks(timeline: Timeline): number {
  let sum = 0
  for (let index = 1; index < timeline.length; index += 3)
    if (timeline[index] === setBackMoment) sum += Number(timeline[index + 1])
  return sum
}
