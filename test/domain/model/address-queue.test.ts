import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byTime, EndpointQueue, type Retry } from '../../../src/domain/model/endpoint-queue.ts'
import { times } from '../../support/runner/counts.ts'

/** The same queue in few words: everything is looked at, each time. */
class PlainQueue {
  line: number[] = []
  waiting = new Map<number, number>()

  enter(number: number, at: number): void {
    if (this.waiting.has(number)) this.waiting.set(number, at)
    else if (!this.line.includes(number)) this.line.push(number)
  }

  retryAt(number: number, at: number): void {
    this.line = this.line.filter((each) => each !== number)
    this.waiting.set(number, at)
  }

  leave(number: number): void {
    this.line = this.line.filter((each) => each !== number)
    this.waiting.delete(number)
  }

  firstFew = (most: number, underWay: ReadonlySet<number>): number[] =>
    this.line.filter((number) => !underWay.has(number)).slice(0, most)

  retry = (underWay: ReadonlySet<number>): Retry | undefined =>
    [...this.waiting]
      .filter(([number]) => !underWay.has(number))
      .map(([number, at]) => ({ number, at }))
      .sort(byTime)[0]
}

const number = fc.integer({ min: 1, max: 6 })
const at = fc.integer({ min: 0, max: 4 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('enter' as const), number, at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retryAt' as const), number, at }) },
  fc.record({ do: fc.constant('leave' as const), number, at }),
)
const none: ReadonlySet<number> = new Set()

describe('assumption webhook-delivery: the deliveries that wait for one address', () => {
  test('after every step the queue equals one computed from all deliveries', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.uniqueArray(number), (steps, busy) => {
        const [queue, plain] = [new EndpointQueue({ url: 'http://127.0.0.1:9/' }), new PlainQueue()]
        const underWay = new Set(busy)
        for (const { do: what, number: each, at: time } of steps) {
          if (what === 'leave') queue.leave(each)
          else queue[what](each, time)
          if (what === 'leave') plain.leave(each)
          else plain[what](each, time)
          for (const most of [1, 3])
            expect(queue.firstFew(most, underWay)).toEqual(plain.firstFew(most, underWay))
          expect(queue.retry(underWay)).toEqual(plain.retry(underWay))
          expect(queue.numbers().sort()).toEqual([...plain.line, ...plain.waiting.keys()].sort())
          expect(queue.isEmpty).toBe(plain.line.length + plain.waiting.size === 0)
        }
      }),
      { numRuns: times(100, 5000) },
    )
  })

  test('the earliest retry comes first, and of equal times the smaller number', () => {
    const retries = [3, 1, 2].map((each) => ({ number: each, at: 5 }))
    expect([...retries, { number: 9, at: 1 }].sort(byTime).map((each) => each.number)).toEqual([9, 1, 2, 3])
  })

  /** A line of so many. */
  const lineOf = (count: number): EndpointQueue => {
    const queue = new EndpointQueue({ url: 'http://127.0.0.1:9/' })
    for (let each = 1; each <= count; each++) queue.enter(each, 0)
    return queue
  }

  test('no delivery counts as overtaken while they leave in order', () => {
    const queue = lineOf(4)
    expect(queue.countOvertaking(none)).toBe(0)
    queue.leave(1)
    expect([queue.countOvertaking(none), queue.countOvertaking(new Set([2]))]).toEqual([0, 0])
  })

  test('deliveries that left or are under way before the first one have overtaken it', () => {
    const queue = lineOf(4)
    queue.leave(3)
    expect(queue.countOvertaking(none)).toBe(1)
    expect(queue.countOvertaking(new Set([2]))).toBe(2)
    expect(queue.countOvertaking(new Set([4]))).toBe(2)
    expect(queue.countOvertaking(new Set([9]))).toBe(1)
    queue.leave(1)
    queue.leave(4)
    expect(queue.countOvertaking(none)).toBe(2)
    queue.leave(2)
    expect(queue.countOvertaking(none)).toBe(0)
  })

  test('a delivery that enters twice keeps its place, and nobody is overtaken when all are under way', () => {
    const queue = lineOf(2)
    queue.enter(1, 0)
    expect(queue.countOvertaking(new Set([1, 2]))).toBe(0)
    queue.leave(2)
    expect(queue.countOvertaking(none)).toBe(1)
  })

  test('a delivery that left the line before it was read back counts as entered', () => {
    const queue = lineOf(2)
    queue.countGone()
    expect(queue.countOvertaking(none)).toBe(1)
    queue.leave(1)
    queue.leave(2)
    queue.enter(3, 0)
    expect(queue.countOvertaking(none)).toBe(0)
  })

  test('reading the first few deliveries goes on where it stopped, even after others left', () => {
    const queue = lineOf(6)
    expect(queue.firstFew(2, none)).toEqual([1, 2])
    queue.leave(1)
    queue.leave(3)
    expect(queue.firstFew(2, none)).toEqual([2, 4])
    queue.enter(1, 0)
    expect(queue.firstFew(9, none)).toEqual([2, 4, 5, 6, 1])
    expect(queue.firstFew(2, new Set([2, 5]))).toEqual([4, 6])
  })
})

test('a retry that is under way is passed over, and is the first again when it is not', () => {
  const queue = new EndpointQueue({ url: 'http://127.0.0.1:9/' })
  queue.retryAt(1, 5)
  queue.retryAt(2, 6)
  queue.retryAt(3, 7)
  queue.retryAt(3, 8)
  const next = (...underWay: number[]) => queue.retry(new Set(underWay))?.number
  expect([next(1), next(1, 2), next(2), next(), next(1, 2, 3), next()]).toEqual([2, 3, 1, 1, undefined, 1])
  queue.leave(1)
  expect([queue.retry(new Set()), queue.endpoint.url]).toEqual([{ number: 2, at: 6 }, 'http://127.0.0.1:9/'])
})
