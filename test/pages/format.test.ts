import { expect, test } from 'vitest'
import { formatTime } from '../../src/pages/components/format.ts'

test('a time of a list says no more of its date than differs from now, in the zone of the merchant', () => {
  const now = Date.parse('2026-03-01T01:30:00Z')
  const shown = (at: string, zone = 'UTC') => formatTime(Date.parse(at), now, zone)
  expect(shown('2026-03-01T00:15:20Z')).toBe('00:15:20')
  expect(shown('2026-02-28T23:59:59Z')).toBe('02-28 23:59')
  expect(shown('2025-12-31T23:59:59Z')).toBe('2025-12-31 23:59')
  expect(shown('2026-02-28T23:59:59Z', 'America/New_York')).toBe('18:59:59')
})
