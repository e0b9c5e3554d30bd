import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sumOf, Timeline } from '../../../src/views/statistics/timeline.ts'

const minute = 60_000
/** Four days around 2026-11-20, in minutes. */
const minutes = fc.integer({ min: 29_754_000, max: 29_754_000 + 4 * 1_440 }).map((number) => number * minute)

test('the sums between two times are those of what was counted then, and not taken away', () => {
  const counted = fc.record({
    at: minutes,
    seconds: fc.nat(59),
    value: fc.nat(99),
    isTakenAway: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(counted), minutes, minutes, (all, from, until) => {
      const timeline = new Timeline<'sum'>()
      for (const { at, seconds, value } of all) timeline.add(at + seconds * 1000, new Map([['sum', value]]))
      for (const { at, value, isTakenAway } of all)
        if (isTakenAway) timeline.add(at, new Map([['sum', value]]), -1)
      const wanted = all.filter(({ at, isTakenAway }) => !isTakenAway && at >= from && at < until)
      expect(sumOf(timeline.between({ from, until }), 'sum')).toBe(
        wanted.reduce((sum, { value }) => sum + value, 0),
      )
    }),
  )
})

test('an open range has the sums of all time, and the extent reaches from the first minute to the last', () => {
  const timeline = new Timeline<'count'>()
  expect(timeline.extent).toBeNull()
  const one = new Map([['count', 1]] as const)
  for (const at of [-90_000, 30_000, 86_400_000]) timeline.add(at, one)
  expect(timeline.extent).toEqual({ from: -120_000, until: 86_460_000 })
  const open = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }
  expect(timeline.between(open)).toEqual(timeline.all)
})
