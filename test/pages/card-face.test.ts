import { expect, test } from 'vitest'
import { builtIn } from '../../src/domain/fixtures.ts'
import { NetworkMark } from '../../src/pages/components/icons.tsx'
import { cardTitle } from '../../src/pages/terminal/card-picker.tsx'
import { openDashboard } from '../support/pages/dashboard.ts'
import { pageOf, wordsOf } from '../support/pages/page.ts'

test.each([
  ['visa-contactless', 'Visa contactless'],
  ['visa-chip-pin', 'Visa chip & PIN'],
  ['visa-debit', 'Visa debit'],
  ['mastercard-chip-signature', 'Mastercard chip & sign'],
  ['visa-manual', 'Visa keyed in'],
  ['visa-fallback-swipe', 'Visa fallback swipe'],
  ['wechat-qr', 'WeChat Pay'],
])('the title of the card %s is %s', (name, title) => {
  const card = builtIn.cards.find((each) => each.name === name)
  expect(card && cardTitle(card)).toBe(title)
})

test('a card at the terminal shows its title, how it is presented, and the end of its number', async () => {
  const { get, sell } = await openDashboard()
  await sell(1250, { terminalSn: 'TBX-ATTENDED-001' })
  const { page } = await get('/terminal/TBX-ATTENDED-001')
  const faceOf = (name: string) => page.querySelector(`[data-card=${name}]`) as Element
  expect(wordsOf(faceOf('visa-chip-pin'))).toContain('Visa chip & PIN Insert 1881')
  expect(faceOf('visa-chip-pin').querySelector('[title=visa-chip-pin]')).not.toBeNull()
  expect(wordsOf(faceOf('wechat-qr'))).toContain('WeChat Pay Scan QR')
})

test.each(['VISA', 'MASTERCARD', 'UNIONPAY', 'A-NETWORK-OF-THE-FIXTURES', 'constructor'])(
  'the mark of the network %s fits its chip',
  (network) => {
    const drawn = pageOf(String(NetworkMark({ network }))).querySelector('[font-size]')
    const [size, word] = [drawn?.getAttribute('font-size'), drawn?.textContent ?? '']
    expect(word.length).toBeGreaterThan(1)
    expect(Number(size) * word.length * 0.6).toBeLessThanOrEqual(52) // a letter is about 0.6 of its size wide
  },
)
