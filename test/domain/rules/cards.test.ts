import { describe, expect, test } from 'vitest'
import { cardEntries } from '../../../src/contract/control/screens.ts'
import { builtIn, type Card, readCard } from '../../../src/domain/fixtures.ts'
import {
  cardFits,
  cardFor,
  possibleEntries,
  readAtTerminal,
  usualEntry,
} from '../../../src/domain/model/cards.ts'
import { batchKey, type Terminal } from '../../../src/domain/model/ledger.ts'
import { acquirerMid, acquirerTid, settlementChannel } from '../../../src/domain/model/totals.ts'
import type { TerminalInstructions } from '../../../src/domain/model/transaction.ts'
import { newSession, paying, walletPayment } from '../../support/domain/checkout.ts'
import { on, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'

const ledger = { catalogue: builtIn }
const cardNamed = (name: string): Card => builtIn.cardNamed(name) as Card
const attended = 'TBX-ATTENDED-001'

describe('assumption attended-terminal: the ways to present a card', () => {
  test.each([
    ['visa-contactless', ['tap', 'insert', 'swipe'], 'tap'],
    ['visa-chip-pin', ['tap', 'insert', 'swipe'], 'insert'],
    ['discover-swipe', ['swipe'], 'swipe'],
    ['visa-fallback-swipe', ['swipe'], 'swipe'],
    ['visa-manual', ['key'], 'key'],
    ['wechat-qr', ['scan'], 'scan'],
  ])('the card %s can be presented in the ways %j, usually by %s', (name, entries, usual) => {
    expect([possibleEntries(cardNamed(name)), usualEntry(cardNamed(name))]).toEqual([entries, usual])
  })

  test.each([
    ['wechat-qr', 'CONTACT', 'scan'],
    ['visa-manual', 'TELEPATHY', 'insert'],
    ['visa-contactless', 'MANUAL', 'key'],
  ])('the card %s with the entry mode %s is presented by %s', (name, entryMode, entry) => {
    expect(usualEntry({ ...cardNamed(name), entryMode })).toBe(entry)
  })

  test.each([
    ['visa-contactless', 'tap', 'NOT_AUTHENTICATED'],
    ['visa-contactless', 'insert', 'PIN'],
    ['visa-contactless', 'swipe', 'SIGNATURE'],
    ['visa-chip-pin', 'tap', 'NOT_AUTHENTICATED'],
    ['mastercard-chip-signature', 'insert', 'SIGNATURE'],
    ['mastercard-debit', 'insert', 'OFFLINE_PIN'],
  ] as const)('the card %s, presented by %s, is verified by %s', (name, entry, verification) => {
    expect(readAtTerminal(cardNamed(name), null, entry).authenticationMethod).toBe(verification)
  })

  test.each([
    ['visa-chip-pin', 'tap', 'CONTACTLESS'],
    ['visa-contactless', 'insert', 'CONTACT'],
    ['visa-contactless', 'swipe', 'SWIPE'],
    ['visa-manual', 'key', 'MANUAL'],
  ] as const)('the card %s, presented by %s, is recorded as %s', (card, entry, entryMode) => {
    const [till, sale] = tillWith(saleOf(1000, { terminalSn: attended }))
    till.do({ type: 'present-card', terminalSn: attended, card, ...(entry !== 'key' && { entry }) })
    expect(sale.cardRead?.entryMode).toBe(entryMode)
    expect(cardEntries).toContain(entry)
  })
})

describe('assumption wallets: the card in a record', () => {
  test('no card is shown before one was presented', () => {
    expect(new Till().open(saleOf(1000, { terminalSn: attended })).cardRead).toBeNull()
  })

  test('an online card has no entry at a terminal, and its wallet is named', () => {
    const till = new Till()
    const online = { entryMode: null, authenticationMethod: 'NOT_AUTHENTICATED', paymentMethod: 'VISA' }
    const direct = till.open(walletPayment(1000, {}, null, 'visa-chip-pin'))
    expect(direct.cardRead).toMatchObject({ ...online, subPaymentMethod: 'GOOGLE_PAY' })
    const session = till.open(newSession(1000))
    till.do(paying(session, 'visa-chip-pin'))
    expect(session.cardRead).toMatchObject({ ...online, subPaymentMethod: null })
  })

  test('a card presented in person is shown as the fixtures define it', () => {
    const till = new Till()
    till.set('TBX-AUTO-001', { card: 'visa-chip-pin' })
    expect(till.open(saleOf(1000)).cardRead).toEqual(readCard(cardNamed('visa-chip-pin')))
  })
})

describe('the kind of card that a request asks for', () => {
  test.each<[string, TerminalInstructions | null, boolean]>([
    ['visa-contactless', null, true],
    ['visa-contactless', {}, true],
    ['visa-contactless', { category: 'CARD' }, true],
    ['visa-contactless', { category: 'CARD-CREDIT' }, true],
    ['visa-contactless', { category: 'CARD-DEBIT' }, false],
    ['visa-debit', { category: 'CARD-DEBIT' }, true],
    ['visa-contactless', { category: 'QR-MPM' }, false],
    ['wechat-qr', { category: 'QR-MPM' }, true],
    ['wechat-qr', { category: 'QR-CPM', method: 'WECHAT' }, true],
    ['wechat-qr', { category: 'QR-CPM', method: 'ALIPAY' }, false],
    ['ebt-snap', { category: 'EBT' }, true],
    ['visa-contactless', { method: 'MASTERCARD' }, false],
    ['visa-contactless', { method: 'VISA' }, true],
    ['visa-contactless', { category: 'CARD', method: 'AMEX' }, false],
    ['visa-contactless', { category: 'CARD', method: 'CREDIT' }, true],
    ['visa-contactless', { category: 'CARD', method: 'CARD' }, true],
    ['ebt-snap', { category: 'EBT', method: 'EBT', subMethod: 'VOUCHER' }, true],
    ['visa-contactless', { cardNetworkType: 'CREDIT' }, true],
    ['visa-contactless', { cardNetworkType: 'DEBIT' }, false],
    ['visa-debit', { cardNetworkType: 'UNKNOWN' }, true],
  ])('whether %s fits %j is %s', (name, instructions, isRight) => {
    expect(cardFits(cardNamed(name), instructions)).toBe(isRight)
  })

  test('a terminal uses its own card, or else the first that fits and that the host approves', () => {
    const terminalWith = (card?: string) => ({ profile: card === undefined ? {} : { card } }) as Terminal
    expect(cardFor(ledger, terminalWith('visa-declined'), null)?.name).toBe('visa-declined')
    expect(cardFor(ledger, terminalWith('visa-declined'), { category: 'EBT' })).toBeUndefined()
    expect(cardFor(ledger, terminalWith(), null)?.name).toBe(builtIn.cards[0]?.name)
    expect(cardFor(ledger, terminalWith(), { category: 'EBT' })?.name).toBe('ebt-snap')
    const declined = { catalogue: { ...builtIn, cards: ['visa-declined', 'amex-chip'].map(cardNamed) } }
    expect(cardFor(declined, terminalWith(), null)?.name).toBe('amex-chip')
    expect(cardFor(declined, terminalWith(), { category: 'EBT' })).toBeUndefined()
    const other = { catalogue: { ...builtIn, cards: [cardNamed('visa-declined')] } }
    expect(cardFor(other, terminalWith(), null)?.name).toBe('visa-declined')
    expect(cardFor(ledger, terminalWith('gone'), null)?.name).toBe(builtIn.cards[0]?.name)
  })
})

describe('assumption cards: a payment method is never replaced', () => {
  test.each([
    ['a method that no card has', { paymentMethod: { category: 'QR-MPM', id: 'PAYPAL' } }, 'TBX-AUTO-001'],
    ['a network that no card has', { cardNetworkType: 'EGC' }, 'TBX-AUTO-001'],
    ['a person who has no such card', { cardNetworkType: 'EGC' }, attended],
  ])('%s: the payment is declined, without a card', (_, asked, terminalSn) => {
    const [till, sale] = tillWith(saleOf(1000, { ...asked, terminalSn }))
    expect(sale).toMatchObject({ status: 'FAIL', outcome: 'no-card-fits', rule: 'card', card: null })
    expect(till.terminal(terminalSn).line).toEqual([])
    expect(till.open(saleOf(1000)).status).toBe('SUCCESS')
  })

  test('the card of a terminal is not presented where another kind is asked for', () => {
    const till = new Till()
    till.set('TBX-AUTO-001', { card: 'visa-chip-pin' })
    const sale = till.open(saleOf(1000, { paymentMethod: { category: 'EBT' } }))
    expect([sale.status, sale.outcome]).toEqual(['FAIL', 'no-card-fits'])
  })

  test.each(['VOUCHER', 'BENEFIT'])('the sub-method %s is recorded as sent, in follow-ups too', (subId) => {
    const [till, sale] = tillWith(saleOf(1000, { paymentMethod: { category: 'EBT', id: 'EBT', subId } }))
    const refund = till.open(on('refund', sale, { amount: 400 }))
    for (const { cardRead } of [sale, refund])
      expect(cardRead).toMatchObject({ paymentMethod: 'EBT', subPaymentMethod: subId })
  })
})

describe('assumption batches: the channel of a card', () => {
  test.each([
    ['visa-contactless', 'SBX-CARD'],
    ['visa-debit', 'SBX-CARD'],
    ['visa-manual', 'SBX-CARD'],
    ['ebt-snap', 'SBX-EBT'],
    ['wechat-qr', 'SBX-QR'],
    ['alipay-qr', 'SBX-QR'],
  ] as const)('a payment with %s joins the channel %s', (card, channelCode) => {
    const till = new Till()
    till.set('TBX-AUTO-001', { card })
    const sale = till.open(saleOf(1000))
    expect(settlementChannel(sale)).toBe(channelCode)
    const batch = [[batchKey('TBX-AUTO-001', channelCode, 'USD'), { channelCode }]]
    expect([...till.ledger.batches]).toMatchObject(batch)
  })

  test('a payment without a card joins the channel of cards', () => {
    const [, sale] = tillWith(saleOf(1000, { terminalSn: attended }))
    expect(settlementChannel(sale)).toBe('SBX-CARD')
  })
})

describe('assumption identifiers', () => {
  test.each([
    ['M1', 'SBX-CARD', '000000000000101'],
    ['M-12-34', 'SBX-EBT', '000000000123402'],
    ['no digits', 'SBX-QR', '000000000000003'],
    ['12345678901234567', 'SBX-CARD', '567890123456701'],
    ['M1', 'OTHER', '000000000000100'],
  ])('the mid of merchant %s on channel %s is %s', (merchantId, channelCode, mid) => {
    expect(acquirerMid(merchantId, channelCode)).toBe(mid)
  })

  test.each([
    [0, 'SBX-CARD', '00000101'],
    [1, 'SBX-QR', '00000203'],
    [99, 'SBX-EBT', '00010002'],
  ])('the tid of terminal %i on channel %s is %s', (index, channelCode, tid) =>
    expect(acquirerTid(index, channelCode)).toBe(tid),
  )
})
