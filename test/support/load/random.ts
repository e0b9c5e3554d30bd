/** Numbers at random that come again with the same seed: a failed round can be run once more. */
export class Random {
  #state: number

  constructor(readonly seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to 1, which is not among them. Mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 up to `below`, which is not among them. */
  whole(below: number): number {
    return Math.floor(this.next() * below)
  }

  between(least: number, most: number): number {
    return least + this.whole(most - least + 1)
  }

  happens(share: number): boolean {
    return this.next() < share
  }

  /** One of the list. Errors: an empty list. */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('there is nothing to pick from')
    return list[this.whole(list.length)] as T
  }

  /** `count` of a list, or all: one of each of `count` equal parts, so that their number is not left to chance. */
  spread<T>(list: readonly T[], count: number): T[] {
    if (count >= list.length) return [...list]
    const part = list.length / count
    return Array.from({ length: count }, (_, index) => list[Math.floor((index + this.next()) * part)] as T)
  }

  /** A generator of its own, so that what one of them is asked changes nothing for the other. */
  fork(): Random {
    return new Random(this.whole(2 ** 32))
  }
}

/** A whole number from the environment, or `usual`. Errors: an Error unless it is a whole number. */
export function fromEnvironment(name: string, usual: number): number {
  const text = process.env[name]
  if (text === undefined || text === '') return usual
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${name} is ${text}; give a whole number`)
  return Number(text)
}

/** The seed of TILLBOX_SEED, or a new one. */
export const seedFromEnvironment = (): number => fromEnvironment('TILLBOX_SEED', Date.now() % 2 ** 31)
