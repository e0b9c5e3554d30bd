import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { concurrencyOf, type WebhookOrder } from '../../../src/contract/control/webhook-delivery.ts'
import {
  createOutbox,
  enterDelivery,
  noteAttempt,
  type Outbox,
  resendDelivery,
} from '../../../src/domain/model/outbox.ts'
import { findNextDelivery } from '../../../src/sandbox/webhooks/next-delivery.ts'
import { noon } from '../../support/domain/ledger.ts'
import { times } from '../../support/runner/counts.ts'
import { advanceClock, sale } from '../../support/service/service.ts'
import { deliveryOf } from '../../support/webhooks/deliveries.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'
import { openFrozenService } from '../frozen-service.ts'

const orders = ['relaxed', 'strict'] as const
const url = 'http://a/'

const rulesOf = (order: WebhookOrder, now: number, underWay: ReadonlySet<number> = new Set()) => ({
  faults: { reorder: () => undefined, delay: () => 0 },
  deliveryOrder: { order, concurrency: 3 },
  free: concurrencyOf({ order, concurrency: 3 }) - underWay.size,
  now,
  underWay,
})

/** Enters another delivery, and returns its number. */
function come(outbox: Outbox, at: number): number {
  enterDelivery(outbox, deliveryOf(outbox.lastNumber + 1, { createdAt: at, nextAt: at }))
  return outbox.lastNumber
}

/** Notes an attempt that failed, or, without a next one, succeeded. */
function attempt(outbox: Outbox, number: number, nextAt: number | null): void {
  const { round } = outbox.deliveries.get(number) ?? {}
  noteAttempt(outbox, number, { round, last: 500, fault: null, delivered: nextAt === null, nextAt })
}

describe('assumption webhook-delivery: the next delivery', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ what: fc.constant('come' as const) }) },
    {
      weight: 5,
      arbitrary: fc.record({
        what: fc.constant('attempt' as const),
        /** Until the next attempt; null: it is over. */
        delay: fc.option(fc.constantFrom(0, 10, 20)),
      }),
    },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('pass' as const), by: fc.constantFrom(10, 20) }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('again' as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('restart' as const) }) },
  )

  /** What waits, told the slow way: a line, and those that wait for their time. */
  interface Waiting {
    line: readonly number[]
    retried: readonly number[]
  }

  const waitingOf = ({ deliveries }: Outbox): Waiting => {
    const pending = [...deliveries.values()].filter(({ nextAt }) => nextAt !== null)
    const numbers = (tried: boolean) =>
      pending.filter(({ attempts }) => attempts > 0 === tried).map(({ number }) => number)
    return { line: numbers(false), retried: numbers(true) }
  }

  /** The next one by the law, with all that wait looked at. */
  function expected({ deliveries }: Outbox, { line, retried }: Waiting, order: WebhookOrder) {
    const due = (number: number) => deliveries.get(number)?.nextAt as number
    const [retry] = [...retried].sort((one, other) => due(one) - due(other) || one - other)
    const [first] = line
    if (retry === undefined || first === undefined) return retry ?? first
    if (order === 'strict') return retry
    return due(first) < due(retry) || (due(first) === due(retry) && first < retry) ? first : retry
  }

  test.each(orders)('with order %s the next delivery follows its rule, whatever happened before', (order) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let outbox = createOutbox()
        let waiting: Waiting = { line: [], retried: [] }
        let now = 0
        for (const each of steps) {
          const next = findNextDelivery(outbox, url, rulesOf(order, now))
          expect(next?.delivery.number).toBe(expected(outbox, waiting, order))
          switch (each.what) {
            case 'come':
              waiting = { ...waiting, line: [...waiting.line, come(outbox, now)] }
              break
            case 'attempt': {
              if (next === undefined || next.at > now) break
              const { number } = next.delivery
              const nextAt = each.delay === null ? null : now + each.delay
              attempt(outbox, number, nextAt)
              const without = (numbers: readonly number[]) => numbers.filter((other) => other !== number)
              const [line, retried] = [without(waiting.line), without(waiting.retried)]
              waiting = { line, retried: nextAt === null ? retried : [...retried, number] }
              break
            }
            case 'pass':
              now += each.by
              break
            case 'again': {
              if (outbox.lastNumber === 0) break
              const number = 1 + (each.which % outbox.lastNumber)
              resendDelivery(outbox, number, now)
              const waits = waiting.line.includes(number) || waiting.retried.includes(number)
              if (!waits) waiting = { ...waiting, line: [...waiting.line, number] }
              break
            }
            case 'restart': {
              const stored = [...outbox.deliveries.values()]
              outbox = createOutbox()
              for (const delivery of stored) enterDelivery(outbox, structuredClone(delivery))
              waiting = waitingOf(outbox)
            }
          }
        }
      }),
      { numRuns: times(60, 30_000) },
    )
  })

  test('with concurrent order the earliest delivery not under way is next, while an attempt is free', () => {
    const pick = fc.nat()
    const steps = fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.record({ what: fc.constant('come' as const) }) },
        { weight: 4, arbitrary: fc.record({ what: fc.constant('begin' as const) }) },
        {
          weight: 4,
          arbitrary: fc.record({
            what: fc.constant('end' as const),
            pick,
            delay: fc.option(fc.constantFrom(0, 10, 20)),
          }),
        },
        { weight: 1, arbitrary: fc.record({ what: fc.constant('again' as const), pick }) },
      ),
      { maxLength: 80 },
    )
    fc.assert(
      fc.property(steps, (all) => {
        const outbox = createOutbox()
        const underWay = new Set<number>()
        let [line, retried]: [line: number[], retried: number[]] = [[], []]
        let now = 0
        for (const step of all) {
          now += 5
          const free = (numbers: readonly number[]) => numbers.filter((number) => !underWay.has(number))
          const waiting = { line: free(line), retried: free(retried) }
          const nextDelivery = findNextDelivery(outbox, url, rulesOf('concurrent', now, underWay))
          const next = underWay.size < 3 ? expected(outbox, waiting, 'concurrent') : undefined
          expect(nextDelivery?.delivery.number).toBe(next)
          if (step.what === 'come') line = [...line, come(outbox, now)]
          else if (step.what === 'begin' && nextDelivery !== undefined)
            underWay.add(nextDelivery.delivery.number)
          else if (step.what === 'end' && underWay.size > 0) {
            const number = [...underWay][step.pick % underWay.size] ?? 0
            const nextAt = step.delay === null ? null : now + step.delay
            attempt(outbox, number, nextAt)
            underWay.delete(number)
            line = line.filter((other) => other !== number)
            retried = retried.filter((other) => other !== number)
            if (nextAt !== null) retried.push(number)
          } else if (step.what === 'again' && outbox.lastNumber > 0) {
            const number = 1 + (step.pick % outbox.lastNumber)
            resendDelivery(outbox, number, now)
            if (!retried.includes(number) && !line.includes(number)) line = [...line, number]
          }
        }
      }),
      { numRuns: times(60, 30_000) },
    )
  })
})

/** A service whose clock stands, and a receiver that notes by the sandbox clock what came, and how many at once. */
async function watched(options: object, fails: (index: number, attempt: number) => boolean) {
  const service = await openFrozenService(options)
  const arrivals: { index: number; at: number; id: string }[] = []
  const sentAt: number[] = []
  let [open, mostOpen] = [0, 0]
  const receiver = await openReceiver(({ json, id }, response) => {
    open += 1
    mostOpen = Math.max(mostOpen, open)
    const index = Number(json.attach)
    const attempt = arrivals.filter((other) => other.index === index).length
    arrivals.push({ index, at: service.sandbox.clock.now() - noon, id })
    setImmediate(() => {
      open -= 1
      response.writeHead(fails(index, attempt) ? 500 : 200).end()
    })
  })
  const sell = async () => {
    const index = sentAt.length
    sentAt.push(service.sandbox.clock.now() - noon)
    await service.call('sale', sale(1000, { notifyUrl: receiver.url, attach: String(index) }))
  }
  const advance = (milliseconds: number) => advanceClock(service, milliseconds)
  const close = async () => {
    await service.close()
    await receiver.close()
  }
  return { close, sell, advance, arrivals, sentAt, mostOpen: () => mostOpen }
}

/** What becomes of notifications to one URL. */
interface Script {
  /** How many attempts of each notification fail before one succeeds. */
  readonly failures: readonly number[]
  /** How far the clock goes before each sale. */
  readonly pauses: readonly number[]
}

describe('assumption webhook-delivery: attempts to one URL', () => {
  const retries = [70, 300, 1000]
  const most = 8
  const scripts = (failures: fc.Arbitrary<number>): fc.Arbitrary<Script> =>
    fc.record({
      failures: fc.array(failures, { minLength: 1, maxLength: most }),
      pauses: fc.array(fc.nat(400), { minLength: most, maxLength: most }),
    })
  const failing = scripts(fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(4)))

  /** Times of the attempts of a notification whose first one is at that time. */
  function timesFrom(at: number, failures: number): number[] {
    const all = [at]
    for (const delay of retries.slice(0, failures)) all.push((all.at(-1) ?? 0) + delay)
    return all
  }

  /** Plays a script; returns the places of the notifications as they arrived, and when, by the sandbox clock. */
  async function play(webhookOrder: WebhookOrder, { failures, pauses }: Script) {
    const fails = (index: number, attempt: number) => attempt < (failures[index] ?? 0)
    const { close, sell, advance, arrivals, ...seen } = await watched({ retries, webhookOrder }, fails)
    for (const index of failures.keys()) {
      await advance(pauses[index] ?? 0)
      await sell()
    }
    await advance(60_000)
    await close()
    expect(seen.mostOpen()).toBe(1)
    expect(new Set(arrivals.map(({ index, id }) => `${index} ${id}`)).size).toBe(failures.length)
    const times = failures.map((_, each) =>
      arrivals.filter(({ index }) => index === each).map(({ at }) => at),
    )
    return { indexes: arrivals.map(({ index }) => index), times, sentAt: seen.sentAt }
  }

  const numRuns = times(4, 1000)
  const law = (scripts: fc.Arbitrary<Script>, check: (script: Script) => Promise<void>) =>
    fc.assert(fc.asyncProperty(scripts, check), { numRuns })

  test.each(orders)('with order %s deliveries are sent exactly in order while all succeed', async (order) => {
    await law(scripts(fc.constant(0)), async (script) => {
      const { indexes } = await play(order, script)
      expect(indexes).toEqual([...script.failures.keys()])
    })
  })

  test('each delivery follows its own schedule, and first attempts are in order', async () => {
    await law(failing, async (script) => {
      const { indexes, times, sentAt } = await play('relaxed', script)
      expect(times).toEqual(script.failures.map((count, index) => timesFrom(sentAt[index] ?? 0, count)))
      expect([...new Set(indexes)]).toEqual([...script.failures.keys()])
    })
  })

  test('with strict order a delivery begins once the one before it was delivered or given up', async () => {
    await law(failing, async (script) => {
      const { indexes, times, sentAt } = await play('strict', script)
      let free = 0
      const expected = script.failures.map((count, index) => {
        const own = timesFrom(Math.max(free, sentAt[index] ?? 0), count)
        free = own.at(-1) ?? free
        return own
      })
      expect(times).toEqual(expected)
      expect(indexes).toEqual(expected.flatMap((own, index) => own.map(() => index)))
    })
  })
})
