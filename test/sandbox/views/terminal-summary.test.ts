import { expect, test } from 'vitest'
import type { TerminalProfile } from '../../../src/domain/model/terminal-profile.ts'
import { terminalSummary } from '../../../src/sandbox/views/status-in-words.ts'

const profile: TerminalProfile = { terminalSn: 'DESK-2', summary: 'auto-approves', mode: 'auto' }

test.each<[Partial<TerminalProfile>, string]>([
  [{}, 'auto-approves'],
  [{ mode: 'attended' }, 'needs manual or scripted input'],
  [{ outcome: 'insufficient-funds' }, 'outcome insufficient-funds'],
  [
    { mode: 'attended', outcome: 'do-not-honor', pace: 800 },
    'needs manual or scripted input, outcome do-not-honor, shows each screen for 800 ms',
  ],
  [{ occupied: true }, 'refuses every payment, as a device in use'],
  [{ cancels: true }, 'the customer cancels on the device'],
  [{ online: false }, 'is offline: payments wait, and close at expiry'],
  [{ tipPercent: 20, card: 'visa' }, 'auto-approves, adds a tip of 20 %, reads visa'],
])('the summary of a terminal that was set to %o describes its settings', (changes, words) => {
  expect(terminalSummary({ asGiven: false, profile: { ...profile, ...changes } })).toBe(words)
})

test('the summary of an unchanged terminal is that of its fixture', () => {
  expect(terminalSummary({ asGiven: true, profile: { ...profile, summary: 'the one at the door' } })).toBe(
    'the one at the door',
  )
})
