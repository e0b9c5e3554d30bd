import { expect, test } from 'vitest'
import { SandboxClock } from '../../../src/sandbox/engine/identifiers.ts'
import { reading } from '../../../src/sandbox/views/views.ts'

/** A clock beneath which a millisecond passes whenever it is read. */
function hurried(): SandboxClock {
  let wall = Date.UTC(2026, 0, 1)
  return new SandboxClock(() => wall++)
}

test('a clock that was never moved shows the wall clock, also when time passes while it is read', () => {
  const { now, wall, offsetMs } = reading({ clock: hurried() })
  expect([now, offsetMs]).toEqual([wall, 0])
})

test('the offset is the difference of the two times beside it', () => {
  const clock = hurried()
  clock.set(Date.UTC(2026, 0, 2))
  for (const freeze of [false, true]) {
    if (freeze) clock.freeze()
    const { now, wall, offsetMs, frozen } = reading({ clock })
    expect([Date.parse(now) - Date.parse(wall), frozen]).toEqual([offsetMs, freeze])
  }
})

test('a clock is ahead by exactly as much as it was advanced, however often it is stopped and goes on', () => {
  const clock = hurried()
  expect(clock.offset).toBe(0)
  clock.advance(3_600_000)
  clock.run(1)
  expect([clock.offset, reading({ clock }).offsetMs]).toEqual([3_600_000, 3_600_000])
  clock.freeze()
  const at = clock.now()
  clock.advance(1_000)
  clock.resume()
  expect(reading({ clock }).now).toBe(new Date(at + 1_001).toISOString()) // the next millisecond
})
