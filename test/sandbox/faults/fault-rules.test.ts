import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { FaultRule } from '../../../src/contract/control/fault-list.ts'
import { drawDelay } from '../../../src/contract/control/faults.ts'
import { type FaultRequest, FaultRules, type FaultTarget } from '../../../src/sandbox/faults/fault-rules.ts'
import { times } from '../../support/runner/counts.ts'

const request = (kind: string, more: Partial<FaultRequest> = {}): FaultRequest => ({
  ...{ kind, operation: null, terminalSn: null, merchantId: null, amount: null },
  ...{ times: null, share: null, seed: 1, from: null, until: null, ...more },
})

const target = (more: Partial<FaultTarget> = {}): FaultTarget => ({
  operations: ['sale'],
  merchantId: 'M1',
  amount: 1000,
  terminalSn: () => 'T1',
  ...more,
})

/** Rules with a clock in the test's hand; `written` is what the settings file would have. */
function open(stored: readonly FaultRule[] = []) {
  const clock = { at: 0, now: () => clock.at }
  const settings = {
    data: { faultRules: [...stored] },
    written: [] as FaultRule[],
    write: async () => {
      settings.written = structuredClone(settings.data.faultRules)
    },
  }
  const rules = new FaultRules({
    settings,
    clock,
    lastDeliveries: () => ({}),
    report: (error) => {
      throw error
    },
  })
  onTestFinished(() => rules.stop())
  return { rules, clock, settings }
}

/** Which of so many requests are hit. */
const hits = (rules: FaultRules, count: number, of = target()): boolean[] =>
  Array.from({ length: count }, () => rules.meet(of) !== null)

describe('the requests that a rule hits', () => {
  test.each([
    [{ operation: 'sale' }, { operations: ['refund'] }],
    [{ terminalSn: 'T1' }, { terminalSn: () => undefined }],
    [{ merchantId: 'M1' }, { merchantId: 'M2' }],
    [{ amount: 1000 }, { amount: undefined }],
  ] as const)('a rule for %j hits such requests and no other', (wanted, other) => {
    const { rules } = open()
    rules.add(request('empty', wanted))
    expect(rules.meet(target(other))).toBeNull()
    expect(rules.meet(target())?.written).toBe('empty')
  })

  test('a request must fit everything that a rule names, and the oldest fitting rule is used', () => {
    const { rules } = open()
    rules.add(request('reset', { operation: 'sale', amount: 1 }))
    rules.add(request('empty', { operation: 'sale', times: 1 }))
    rules.add(request('truncated'))
    expect([1, 2].map(() => rules.meet(target())?.written)).toEqual(['empty', 'truncated'])
  })

  test('from and until are sandbox times, and a rule is over at its until', () => {
    const { rules, clock } = open()
    rules.add(request('empty', { from: 100, until: 200 }))
    const seen = [0, 99, 100, 199, 200].map((at) => {
      clock.at = at
      return `${rules.list()[0]?.state} ${rules.meet(target()) !== null}`
    })
    expect(seen).toEqual(['later false', 'later false', 'on true', 'on true', 'over false'])
  })

  test('a fault of webhooks hits no request', () => {
    const { rules } = open()
    rules.add(request('drop'))
    expect(hits(rules, 3)).toEqual([false, false, false])
    expect(rules.list()[0]?.used).toBe(0)
  })
})

describe('the number of requests that a rule hits', () => {
  test('a seed hits the same requests again, and a share hits about so many of them', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31), fc.integer({ min: 0, max: 100 }), (seed, hundredths) => {
        const share = hundredths / 100
        const both = [open(), open()].map(({ rules }) => {
          rules.add(request('empty', { share, seed }))
          return hits(rules, 400)
        })
        expect(both[0]).toEqual(both[1])
        const count = both[0]?.filter(Boolean).length ?? 0
        expect(Math.abs(count / 400 - share)).toBeLessThan(0.15)
        if (share === 0 || share === 1) expect(count / 400).toBe(share)
      }),
      { numRuns: times(50, 2000) },
    )
  })

  test('a rule for N times hits exactly N requests, concurrent or not, with or without a share', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.nat(40),
        fc.boolean(),
        async (most, extra, shared) => {
          const { rules } = open()
          rules.add(request('empty', { times: most, share: shared ? 0.5 : null }))
          const count = shared ? 20 * (most + extra) : most + extra
          const results = await Promise.all(
            Array.from({ length: count }, async (_, index) => {
              for (let step = 0; step < index % 3; step++) await undefined
              return rules.meet(target()) !== null
            }),
          )
          expect(results.filter(Boolean)).toHaveLength(most)
          expect(rules.list()[0]).toMatchObject({ used: most, state: 'used-up' })
        },
      ),
      { numRuns: times(50, 2000) },
    )
  })

  test('a start continues the counts and the random draws of the rules', async () => {
    const [first, whole] = [open(), open()]
    for (const { rules } of [first, whole]) {
      rules.add(request('empty', { share: 0.3, seed: 7 }))
      rules.add(request('reset', { times: 3 }))
    }
    const expected = Array.from({ length: 40 }, () => whole.rules.meet(target())?.written)
    const before = Array.from({ length: 10 }, () => first.rules.meet(target())?.written)
    await first.rules.stop()
    const { rules } = open(first.settings.written)
    const after = Array.from({ length: 30 }, () => rules.meet(target())?.written)
    expect([...before, ...after]).toEqual(expected)
    expect(rules.add(request('empty')).id).toBe('f3')
  })

  test('a failed write of the settings file does not give uses back', () => {
    const { rules, settings } = open()
    rules.add(request('empty', { times: 1 }))
    const before = structuredClone(settings.data)
    expect(rules.meet(target())).not.toBeNull()
    Object.assign(settings.data, before)
    expect(rules.meet(target())).toBeNull()
  })
})

describe('the list of faults', () => {
  test('rules that are over make room for new ones, and a full list refuses', () => {
    const { rules } = open()
    rules.add(request('empty', { times: 1 }))
    rules.meet(target())
    for (let count = 0; count < 99; count++) rules.add(request('truncated', { operation: 'void' }))
    expect(rules.list()).toHaveLength(100)
    expect(rules.add(request('reset')).id).toBe('f101')
    expect(rules.list().map(({ kind }) => kind)).not.toContain('empty')
    expect(() => rules.add(request('reset'))).toThrow('The list of faults is full')
  })

  test('an unknown id is refused', () => {
    expect(() => open().rules.remove('f1')).toThrow('There is no fault f1')
  })
})

test('a lognormal delay has its median and its spread', () => {
  const draws = Array.from({ length: 4000 }, (_, index) => {
    const { rules } = open()
    rules.add(request('latency=200~0.5', { seed: index }))
    const hit = rules.meet(target())
    if (hit?.fault.kind !== 'latency') throw new Error('no latency')
    return drawDelay(hit.fault.delay, hit.draws)
  }).sort((one, other) => one - other)
  const at = (share: number) => draws[Math.floor(share * draws.length)] ?? 0
  expect(at(0.5)).toBeGreaterThan(185)
  expect(at(0.5)).toBeLessThan(215)
  expect(at(0.841) / at(0.5)).toBeCloseTo(Math.exp(0.5), 0)
})
