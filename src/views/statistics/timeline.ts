import { firstIndex } from '../search-walk.ts'

/** Sums by name. */
export type Counters<Name extends string> = ReadonlyMap<Name, number>

/** A sum; 0 for one that was never counted. */
export const tally = <Name extends string>(counters: Counters<Name>, name: Name): number =>
  counters.get(name) ?? 0

/** Adds a value to a sum. */
export function addTo<Name extends string>(sums: Map<Name, number>, name: Name, value: number): void {
  sums.set(name, tally(sums, name) + value)
}

/** From a time up to another one, which is not part of it. Milliseconds of the sandbox clock, at whole minutes; infinite: open. */
export interface TimeRange {
  readonly from: number
  readonly until: number
}

/** Sums over time. */
export interface Timeline<Name extends string> {
  readonly all: Counters<Name>
  /** From the first minute in which something was counted to the last; null for none. */
  readonly extent: TimeRange | null
  readonly between: (range: TimeRange) => Counters<Name>
}

/** The sums of records over time. `at`: the time of a record on the sandbox clock; `add`: counts it. */
export function createTimeline<T, Name extends string>(
  records: readonly T[],
  at: (record: T) => number,
  add: (sums: Map<Name, number>, record: T) => void,
): Timeline<Name> {
  const sorted = records.toSorted((one, other) => at(one) - at(other))
  const countTo = (from: number, until: number) => {
    const sums = new Map<Name, number>()
    for (let index = from; index < until; index++) add(sums, sorted[index] as T)
    return sums
  }
  const [first, last] = [sorted[0], sorted.at(-1)]
  const all = countTo(0, sorted.length)
  return {
    all,
    extent: first && last ? { from: minuteStart(at(first)), until: minuteStart(at(last)) + minute } : null,
    between: ({ from, until }) => {
      const [start, end] = [firstIndex(sorted, from, at), firstIndex(sorted, until, at)]
      return start === 0 && end === sorted.length ? all : countTo(start, end)
    },
  }
}

const minute = 60_000
const minuteStart = (at: number): number => Math.floor(at / minute) * minute
