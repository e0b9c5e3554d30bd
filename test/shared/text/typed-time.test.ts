import { expect, test } from 'vitest'
import { typedTime } from '../../../src/shared/text/typed-time.ts'

const friday = Date.parse('2026-11-20T18:02:00Z')

test.each([
  ['+2 h', '2026-11-20T20:02:00.000Z'],
  ['in 30 min', '2026-11-20T18:32:00.000Z'],
  ['2h', '2026-11-20T20:02:00.000Z'],
  ['+1 week', '2026-11-27T18:02:00.000Z'],
  ['Tomorrow', '2026-11-21T18:02:00.000Z'],
  ['tomorrow 9:00', '2026-11-21T09:00:00.000Z'],
  ['tomorrow at 9 am', '2026-11-21T09:00:00.000Z'],
  ['today 23:30', '2026-11-20T23:30:00.000Z'],
  ['monday noon', '2026-11-23T12:00:00.000Z'],
  ['friday', '2026-11-27T18:02:00.000Z'],
  ['next week', '2026-11-27T18:02:00.000Z'],
  ['12 am', '2026-11-21T00:00:00.000Z'],
  ['18:30', '2026-11-20T18:30:00.000Z'],
  ['8:00', '2026-11-21T08:00:00.000Z'],
])('%s is %s', (text, at) => expect(new Date(typedTime(text, friday) ?? 0).toISOString()).toBe(at))

test.each(['', '503', 'yesterday', '25:00', '13 pm', '9:75', 'tomorrow 4711', 'min', 'today', 'today 8:00'])(
  '%j is no time',
  (text) => expect(typedTime(text, friday)).toBeUndefined(),
)
