/** Sums by name. */
export type Counters<Name extends string> = ReadonlyMap<Name, number>

/** A sum; 0 for one that was never counted. */
export const sumOf = <Name extends string>(counters: Counters<Name>, name: Name): number =>
  counters.get(name) ?? 0

/** From a time up to another one, which is not part of it. Milliseconds of the sandbox clock, at whole minutes; infinite: open. */
export interface TimeRange {
  readonly from: number
  readonly until: number
}

/** The shortest interval. */
const minute = 60_000

/** Lengths of longer intervals in milliseconds: six hours, half an hour. Each is a multiple of the next one. */
const lengths = [21_600_000, 1_800_000] as const

/** Sums by number of the interval since 1970. */
interface Level<Name extends string> {
  readonly length: number
  readonly intervals: Map<number, Map<Name, number>>
}

/** Sums over time. Those between two times are added up from a few intervals, however much was counted. */
export class Timeline<Name extends string> {
  /** The sums over all time. */
  readonly all = new Map<Name, number>()
  readonly #minutes: Level<Name> = { length: minute, intervals: new Map() }
  /** The longer intervals, from the first question on: until then they would only cost time. */
  #longer: readonly Level<Name>[] | null = null
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY

  /** From the first minute in which something was counted to the last; null for none. What is taken away later does not shorten it. */
  get extent(): TimeRange | null {
    return this.#first <= this.#last ? { from: this.#first, until: this.#last + minute } : null
  }

  /** Adds sums at a time of the sandbox clock; with −1 takes them away. */
  add(at: number, sums: Iterable<readonly [Name, number]>, sign: 1 | -1 = 1): void {
    addTo(this.all, sums, sign)
    addAt(this.#minutes, at, sums, sign)
    for (const level of this.#longer ?? []) addAt(level, at, sums, sign)
    this.#first = Math.min(this.#first, toMinute(at))
    this.#last = Math.max(this.#last, toMinute(at))
  }

  /** The sums of a range. */
  between({ from, until }: TimeRange): Counters<Name> {
    const sums = new Map<Name, number>()
    const end = Math.min(toMinute(until), this.#last + minute)
    let at = Math.max(toMinute(from), this.#first)
    const levels = [...this.#longerLevels(), this.#minutes]
    while (at < end) {
      const level = levels.find(({ length }) => at % length === 0 && at + length <= end)
      if (level === undefined) break // never: both ends are at whole minutes
      addTo(sums, level.intervals.get(at / level.length) ?? [])
      at += level.length
    }
    return sums
  }

  #longerLevels(): readonly Level<Name>[] {
    this.#longer ??= lengths.map((length) => {
      const level: Level<Name> = { length, intervals: new Map() }
      for (const [number, sums] of this.#minutes.intervals) addAt(level, number * minute, sums)
      return level
    })
    return this.#longer
  }
}

const toMinute = (at: number): number => Math.floor(at / minute) * minute

function addAt<Name extends string>(
  { length, intervals }: Level<Name>,
  at: number,
  sums: Iterable<readonly [Name, number]>,
  sign?: 1 | -1,
): void {
  const number = Math.floor(at / length)
  const interval = intervals.get(number) ?? new Map<Name, number>()
  intervals.set(number, interval)
  addTo(interval, sums, sign)
}

function addTo<Name extends string>(
  sums: Map<Name, number>,
  more: Iterable<readonly [Name, number]>,
  sign: 1 | -1 = 1,
): void {
  for (const [name, value] of more) sums.set(name, sumOf(sums, name) + sign * value)
}
