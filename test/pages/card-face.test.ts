import { expect, test } from 'vitest'
import { builtIn } from '../../src/domain/fixtures.ts'
import { NetworkMark } from '../../src/pages/components/icons.tsx'
import { cardTitle } from '../../src/pages/terminal/card-picker.tsx'
import { openDashboard, visibleText } from '../support/pages/dashboard.ts'

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
  const { text } = await get('/terminal/TBX-ATTENDED-001')
  const faceOf = (name: string) => {
    const at = text.indexOf(`data-card="${name}"`)
    return text.slice(at, text.indexOf('</button>', at))
  }
  expect(visibleText(faceOf('visa-chip-pin'))).toContain('Visa chip & PIN Insert 1881')
  expect(faceOf('visa-chip-pin')).toContain('title="visa-chip-pin"')
  expect(visibleText(faceOf('wechat-qr'))).toContain('WeChat Pay Scan QR')
})

test.each(['VISA', 'MASTERCARD', 'UNIONPAY', 'A-NETWORK-OF-THE-FIXTURES', 'constructor'])(
  'the mark of the network %s fits its chip',
  (network) => {
    const drawn = String(NetworkMark({ network }))
    const [, size = '', word = ''] = /font-size="([\d.]+)"[^>]*>([^<]+)</.exec(drawn) ?? []
    expect(word.length).toBeGreaterThan(2)
    expect(Number(size) * word.length * 0.6).toBeLessThanOrEqual(52) // a letter is about 0.6 of its size wide
  },
)
