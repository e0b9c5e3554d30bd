import TinyQueue from 'tinyqueue'

/** Number of a delivery, and the sandbox time of its next attempt. */
export interface Retry {
  readonly number: number
  readonly at: number
}

/** Orders by time, then by number. */
export const byTime = (one: Retry, other: Retry): number => one.at - other.at || one.number - other.number

/**
 * Numbers of the deliveries that wait for one address: those that were never tried stand in line, those whose attempt
 * failed wait for their time. What comes next is found without looking at the others. assumption: webhook-delivery
 */
export class AddressQueue {
  /** Those in line, in order, and how many had entered it by then. */
  readonly #line = new Map<number, number>()
  /** Goes through the line once: what left it is not passed over again at each look. */
  #ahead = this.#line.keys()
  #first: number | undefined
  #entered = 0
  /** Times of those that wait for one. */
  readonly #times = new Map<number, number>()
  /** An entry whose time is not that of its number any more counts for nothing. */
  readonly #retries = new TinyQueue<Retry>([], byTime)

  get isEmpty(): boolean {
    return this.#line.size === 0 && this.#times.size === 0
  }

  /** Takes the place at the end of the line; what waits already only has another time. */
  enter(number: number, at: number): void {
    if (this.#times.has(number)) this.retryAt(number, at)
    else if (!this.#line.has(number)) this.#line.set(number, ++this.#entered)
  }

  /** Counts one that entered the line and left it before the queue was read back. */
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

  /** Waits no more. */
  leave(number: number): void {
    this.#leaveLine(number)
    this.#times.delete(number)
  }

  /** Numbers of all that wait. */
  numbers(): number[] {
    return [...this.#line.keys(), ...this.#times.keys()]
  }

  /** The first in line. */
  first(): number | undefined {
    if (this.#first !== undefined || this.#line.size === 0) return this.#first
    let next = this.#ahead.next()
    if (next.done) {
      this.#ahead = this.#line.keys()
      next = this.#ahead.next()
    }
    this.#first = next.value
    return this.#first
  }

  /** The first few in line. */
  firstFew(most: number): number[] {
    const few: number[] = []
    for (const number of this.#line.keys()) {
      if (few.length >= most) break
      few.push(number)
    }
    return few
  }

  /** How many that entered the line after the first one left it before that. */
  passed(): number {
    const place = this.#line.get(this.first() ?? -1) ?? this.#entered
    return this.#entered - place - Math.max(this.#line.size - 1, 0)
  }

  /** The earliest that waits for its time. */
  retry(): Retry | undefined {
    for (let next = this.#retries.peek(); next !== undefined; next = this.#retries.peek()) {
      if (this.#times.get(next.number) === next.at) return next
      this.#retries.pop()
    }
    return undefined
  }

  #leaveLine(number: number): void {
    if (number === this.#first) this.#first = undefined
    this.#line.delete(number)
  }
}
