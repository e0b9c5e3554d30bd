import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTo, sumOf, timelineOf } from '../../../src/views/statistics/timeline.ts'

const minute = 60_000
/** Four days around 2026-11-20, in minutes. */
const minutes = fc.integer({ min: 29_754_000, max: 29_754_000 + 4 * 1_440 }).map((number) => number * minute)

test('the sums between two times are those of what was counted then', () => {
  const counted = fc.record({ at: minutes, seconds: fc.nat(59), value: fc.nat(99) })
  fc.assert(
    fc.property(fc.array(counted), minutes, minutes, (all, from, until) => {
      const timeline = timelineOf(all, {
        at: ({ at, seconds }) => at + seconds * 1000,
        add: (sums: Map<'sum', number>, { value }) => addTo(sums, 'sum', value),
      })
      const wanted = all.filter(({ at }) => at >= from && at < until)
      expect(sumOf(timeline.between({ from, until }), 'sum')).toBe(
        wanted.reduce((sum, { value }) => sum + value, 0),
      )
    }),
  )
})

test('all sums are those of all time, and the extent reaches from the first minute to the last', () => {
  const counted = (...times: number[]) =>
    timelineOf(times, { at: (at) => at, add: (sums: Map<'count', number>) => addTo(sums, 'count', 1) })
  expect(counted().extent).toBeNull()
  const timeline = counted(86_400_000, -90_000, 30_000)
  expect(timeline.extent).toEqual({ from: -120_000, until: 86_460_000 })
  expect(sumOf(timeline.all, 'count')).toBe(3)
})
