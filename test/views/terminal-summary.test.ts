import { expect, test } from 'vitest'
import type { TerminalProfile } from '../../src/fixtures.ts'
import { terminalSummary } from '../../src/views/terminal-summary.ts'

const profile: TerminalProfile = { terminalSn: 'DESK-2', summary: 'approves by itself', mode: 'auto' }

test.each<[Partial<TerminalProfile>, string]>([
  [{}, 'approves by itself'],
  [{ mode: 'attended' }, 'waits for a person or a script'],
  [{ outcome: 'insufficient-funds' }, 'outcome insufficient-funds'],
  [
    { mode: 'attended', outcome: 'do-not-honor', pace: 800 },
    'waits for a person or a script, outcome do-not-honor, takes 800 ms a screen',
  ],
  [{ occupied: true }, 'is always busy: refuses'],
  [{ cancels: true }, 'cancels on the device'],
  [{ tipPercent: 20, card: 'visa' }, 'approves by itself, adds a tip of 20 %, reads visa'],
])('the summary of a terminal that was set to %o describes its settings', (changes, words) => {
  expect(terminalSummary({ asGiven: false, profile: { ...profile, ...changes } })).toBe(words)
})

test('the summary of an unchanged terminal is that of its fixture', () => {
  expect(terminalSummary({ asGiven: true, profile: { ...profile, summary: 'the one at the door' } })).toBe(
    'the one at the door',
  )
})
