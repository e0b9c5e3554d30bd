import TinyQueue from 'tinyqueue'
import type { Endpoint } from './endpoint.ts'

/** Number of a delivery, and the sandbox time of its next attempt. */
export interface Retry {
  readonly number: number
  readonly at: number
}

/** Orders by time, then by number. */
export const byTime = (one: Retry, other: Retry): number => one.at - other.at || one.number - other.number

/**
 * Numbers of the pending deliveries to one endpoint: untried ones are in line, failed ones wait for their
 * retry. The next one is found without visiting the others. assumption: webhook-delivery
 */
export class EndpointQueue {
  /** Untried deliveries in order, each with the number of entries so far. */
  readonly #line = new Map<number, number>()
  /** The first few of the line, as far as they were read. */
  readonly #head: number[] = []
  /** Iterates once over the rest of the line, so that removed entries are not skipped again at each read. */
  #ahead = this.#line.keys()
  #entered = 0
  /** Retry times by number. */
  readonly #times = new Map<number, number>()
  /** May hold outdated entries: an entry is valid if its time equals that in `#times`. */
  readonly #retries = new TinyQueue<Retry>([], byTime)
  /** Retries that were under way when another one was searched; put back once they are not. */
  readonly #aside: Retry[] = []

  constructor(readonly endpoint: Endpoint) {}

  get isEmpty(): boolean {
    return this.#line.size === 0 && this.#times.size === 0
  }

  /** Adds a delivery at the end of the line; one that already waits for a retry only gets another time. */
  enter(number: number, at: number): void {
    if (this.#times.has(number)) this.retryAt(number, at)
    else if (!this.#line.has(number)) this.#line.set(number, ++this.#entered)
  }

  /** Counts a delivery that entered and left the line before the queue was read back. */
  countGone(): void {
    this.#entered += 1
  }

  /** Leaves the line and waits for that time. */
  retryAt(number: number, at: number): void {
    this.#leaveLine(number)
    if (this.#times.get(number) === at) return
    this.#times.set(number, at)
    this.#retries.push({ number, at })
  }

  /** Removes a delivery. */
  leave(number: number): void {
    this.#leaveLine(number)
    this.#times.delete(number)
  }

  /** Numbers of all waiting deliveries. */
  numbers(): number[] {
    return [...this.#line.keys(), ...this.#times.keys()]
  }

  /** The first few in line, except those under way. */
  firstFew(most: number, underWay: ReadonlySet<number>): number[] {
    this.#lookAhead(most + underWay.size)
    const few: number[] = []
    for (const number of this.#head) {
      if (few.length === most) break
      if (!underWay.has(number)) few.push(number)
    }
    return few
  }

  /** How many later entries left the line, or are under way, before the first one. */
  countOvertaking(underWay: ReadonlySet<number>): number {
    const [first = -1] = this.firstFew(1, underWay)
    const entry = this.#line.get(first) ?? this.#entered
    let waiting = this.#line.size
    for (const number of underWay) if (this.#line.has(number)) waiting -= 1
    return this.#entered - entry - Math.max(waiting - 1, 0)
  }

  /** The earliest retry that is not under way. */
  retry(underWay: ReadonlySet<number>): Retry | undefined {
    this.#takeBack(underWay)
    for (let next = this.#retries.peek(); next !== undefined; next = this.#retries.peek()) {
      const isValid = this.#times.get(next.number) === next.at
      if (isValid && !underWay.has(next.number)) return next
      this.#retries.pop()
      if (isValid) this.#aside.push(next)
    }
    return undefined
  }

  /** Puts back the set-aside retries that are no longer under way. */
  #takeBack(underWay: ReadonlySet<number>): void {
    let count = 0
    for (const each of this.#aside) {
      if (underWay.has(each.number)) this.#aside[count++] = each
      else this.#retries.push(each)
    }
    this.#aside.length = count
  }

  /** Reads the first `count` of the line, or all of a shorter one. */
  #lookAhead(count: number): void {
    while (this.#head.length < Math.min(count, this.#line.size)) {
      const next = this.#ahead.next()
      if (next.done) this.#ahead = this.#line.keys()
      else if (!this.#head.includes(next.value)) this.#head.push(next.value)
    }
  }

  #leaveLine(number: number): void {
    const index = this.#head.indexOf(number)
    if (index !== -1) this.#head.splice(index, 1)
    this.#line.delete(number)
  }
}
