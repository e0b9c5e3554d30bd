import { describe, expect, test } from 'vitest'
import type { TerminalAction } from '../../../src/domain/model/commands.ts'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import {
  pinTriesLeft,
  screenAfterTip,
  tipChoices,
  verificationMethod,
} from '../../../src/domain/screen-flow.ts'
import {
  day,
  freeRefund,
  momentNames,
  on,
  payment,
  saleOf,
  Till,
  tillWith,
} from '../../support/domain/ledger.ts'
import { newId } from '../../support/service/new-id.ts'

const terminalSn = 'TBX-ATTENDED-001'
const limit = 25_000

const present = (card: string, more: object = {}): TerminalAction => ({
  type: 'present-card',
  terminalSn,
  card,
  ...more,
})
const tip = (tipAmount: number): TerminalAction => ({ type: 'choose-tip', terminalSn, tipAmount })
const pin = (correct = true): TerminalAction => ({ type: 'enter-pin', terminalSn, correct })
const sign: TerminalAction = { type: 'sign', terminalSn }
const cancel: TerminalAction = { type: 'cancel', terminalSn }

const at = (till: Till, amount = 1000, more: object = {}, outcome: string | null = null): Transaction =>
  till.open(saleOf(amount, { terminalSn, ...more }, outcome))
const asksTip = { tipConfig: { onScreenTip: true } }

/** A refusal in a line. */
const refused = (till: Till, action: TerminalAction) => {
  const { code, field, message, detail = message } = till.refusal(action)
  return code === 'C17' && detail === message ? `C17 ${message}` : `${code} ${field}: ${detail}`
}

describe('assumption attended-terminal: a person at the terminal', () => {
  test('tapping a card is enough to pay', () => {
    const till = new Till()
    const sale = at(till)
    till.do(present('visa-contactless'))
    expect(momentNames(sale)).toEqual(['opened', 'taken-up', 'card-presented', 'host-asked', 'approved'])
    expect([sale.status, sale.card, sale.rule]).toEqual(['SUCCESS', 'visa-contactless', 'default'])
    expect(sale.presentedByPerson).toBe(true)
  })

  test('card, tip and PIN are each accepted on their own screen alone', () => {
    const till = new Till()
    const sale = at(till, 1000, asksTip)
    const screens = [sale.screen]
    for (const early of [tip(1), pin(), sign]) expect(refused(till, early)).toMatch(/^SBX_TERM_SCREEN /)
    till.do(present('visa-chip-pin'))
    screens.push(sale.screen)
    const shows = (screen: string, act: string) =>
      `SBX_TERM_SCREEN terminalSn: ${terminalSn} shows the screen ${screen}; ${act}`
    const shown = shows('tip', 'a card is presented on the screen present-card or insert-card')
    expect(refused(till, present('visa-chip-pin'))).toBe(shown)
    expect(refused(till, pin())).toBe(shows('tip', 'a PIN is entered on the screen pin'))
    expect(refused(till, sign)).toBe(shows('tip', 'a signature is given on the screen signature'))
    till.do(tip(150))
    screens.push(sale.screen)
    expect(refused(till, tip(1))).toBe(shows('pin', 'a tip is chosen on the screen tip'))
    till.do(pin())
    expect(screens).toEqual(['present-card', 'tip', 'pin'])
    expect([sale.status, sale.tip, sale.screen]).toEqual(['SUCCESS', 150, 'done'])
  })

  test('a payment is final once the signature that the host asked for is given or skipped', () => {
    for (const action of [sign, cancel]) {
      const till = new Till()
      const sale = at(till)
      till.do(present('discover-swipe'))
      expect([sale.status, sale.screen, sale.authCode]).toEqual(['PROCESSING', 'signature', null])
      till.pass(1000)
      till.do(action)
      const end = action === sign ? 'signed' : 'signature-skipped'
      expect([sale.status, sale.screen, sale.completedAt]).toEqual(['SUCCESS', 'done', till.at])
      expect(momentNames(sale).slice(-3)).toEqual(['signature-asked', end, 'approved'])
    }
  })

  test('a signature that nobody gives is skipped after a minute, whatever the payment expires', () => {
    const till = new Till()
    const timeExpire = new Date(till.at + 3 * 60_000).toISOString()
    const sale = at(till, 1000, { timeExpire })
    till.pass(3 * 60_000 - 1)
    till.do(present('discover-swipe'))
    const next = at(till)
    till.pass(59_999)
    expect([sale.status, sale.screen, next.screen]).toEqual(['PROCESSING', 'signature', 'waiting'])
    till.pass(1)
    expect([sale.status, next.screen]).toEqual(['SUCCESS', 'present-card'])
    expect(momentNames(sale).slice(-2)).toEqual(['signature-skipped', 'approved'])
  })

  test('an offline terminal skips the signature after its minute, and one that comes back still waits for it', () => {
    const till = new Till()
    const [sale, other] = [at(till), at(till)]
    till.do(present('discover-swipe'))
    till.pass(30_000)
    till.set(terminalSn, { online: false })
    till.pass(29_999)
    expect(sale.screen).toBe('signature')
    till.pass(1)
    expect([sale.status, momentNames(sale).at(-2)]).toEqual(['SUCCESS', 'signature-skipped'])
    till.set(terminalSn, { online: true })
    till.do(present('discover-swipe'))
    till.set(terminalSn, { online: false })
    till.set(terminalSn, { online: true })
    till.pass(59_999)
    expect(other.screen).toBe('signature')
    till.do(sign)
    expect([other.status, momentNames(other).at(-2)]).toEqual(['SUCCESS', 'signed'])
  })

  test('while a signature is awaited, a void and a refund are refused with the time to wait', () => {
    const till = new Till()
    const sale = at(till)
    till.do(present('discover-swipe'))
    for (const type of ['void', 'refund'] as const)
      till.refuses(on(type, sale, type === 'refund' ? { amount: 1 } : {}), 'SBX_NOT_ALLOWED', 'is PROCESSING')
    till.do(sign)
    expect(till.open(on('void', sale, { pushToTerminal: false })).status).toBe('SUCCESS')
  })

  test('above the contactless limit the card must be inserted', () => {
    const till = new Till()
    const sale = at(till, limit + 1)
    till.do(present('visa-contactless'))
    expect([sale.screen, momentNames(sale).at(-1)]).toEqual(['insert-card', 'insert-asked'])
    expect(refused(till, present('visa-contactless'))).toBe(
      `SBX_TERM_SCREEN entry: ${terminalSn} asks to insert the card, because of the limit for contactless`,
    )
    till.do(present('visa-contactless', { entry: 'insert' }))
    expect([sale.screen, sale.cardRead?.entryMode]).toEqual(['pin', 'CONTACT'])
    till.do(pin())
    expect(sale.status).toBe('SUCCESS')
  })

  test('at the contactless limit a tap is enough, and a terminal may have a limit of its own', () => {
    const till = new Till()
    const sale = at(till, limit - 1, { tipAmount: 1 })
    till.do(present('visa-contactless'))
    expect(sale.status).toBe('SUCCESS')
    till.set(terminalSn, { contactlessLimit: 10 })
    const small = at(till, 11)
    till.do(present('visa-contactless'))
    expect(small.screen).toBe('insert-card')
    till.do(present('discover-swipe'))
    expect(small.card).toBe('discover-swipe')
  })

  test('a wrong PIN may be entered twice, and the third one ends the payment', () => {
    const till = new Till()
    const sale = at(till)
    till.do(present('visa-chip-pin'))
    const left = [pinTriesLeft(sale)]
    for (const _ of [1, 2]) {
      till.do(pin(false))
      left.push(pinTriesLeft(sale))
      expect([sale.status, sale.screen]).toEqual(['PROCESSING', 'pin'])
    }
    till.do(pin(false))
    expect(left).toEqual([3, 2, 1])
    const end = { status: 'FAIL', resultCode: '075', outcome: 'pin-tries-exceeded', rule: 'person' }
    expect(sale).toMatchObject(end)
  })

  test('the person may choose the outcome, unless the request did', () => {
    const till = new Till()
    const declined = at(till)
    till.do(present('visa-contactless', { outcome: 'lost-card' }))
    expect(declined).toMatchObject({ status: 'FAIL', outcome: 'lost-card', rule: 'person' })
    const approved = at(till, 1000, {}, 'approve')
    till.do(present('visa-contactless', { outcome: 'lost-card' }))
    expect(approved).toMatchObject({ status: 'SUCCESS', rule: 'header' })
    const plain = at(till)
    till.do(present('visa-contactless', { outcome: 'decline' }))
    expect(plain).toMatchObject({ outcome: 'do-not-honor', rule: 'person' })
    at(till)
    const unknown = 'C17 There is no outcome lost-crd'
    expect(refused(till, present('visa-contactless', { outcome: 'lost-crd' }))).toBe(unknown)
  })

  test('a card must be known, fit the request, and be presented in one of its ways', () => {
    const till = new Till()
    at(till, 1000, { paymentMethod: { category: 'CARD-DEBIT' } })
    expect(refused(till, present('visa-debt'))).toBe('C17 There is no card visa-debt')
    const other = 'C17 The card visa-contactless is not of the kind that the request asks for'
    expect(refused(till, present('visa-contactless'))).toBe(other)
    const entry = 'C17 entry: must be tap or insert or swipe with visa-debit, but is scan'
    expect(refused(till, present('visa-debit', { entry: 'scan' }))).toBe(entry)
  })

  test('a tip is limited by the largest amount', () => {
    const till = new Till()
    const sale = at(till, 999_999_999_999, asksTip)
    till.do(present('visa-chip-pin'))
    const most = `C17 tipAmount: must be at most 1 for transaction ${sale.id}, but is 2`
    expect(refused(till, tip(2))).toBe(most)
    till.do(tip(1))
    expect(sale.tip).toBe(1)
  })

  test('cancel closes the payment until the host is asked', () => {
    const till = new Till()
    const closed = at(till)
    till.do(cancel)
    expect([closed.status, closed.timeline.at(-1)]).toEqual(['CLOSED', 'cancel'])
    for (const screen of ['tip', 'pin']) {
      const later = at(till, 1000, asksTip)
      till.do(present('visa-chip-pin'))
      if (screen === 'pin') till.do(tip(0))
      expect(later.screen).toBe(screen)
      till.do(cancel)
      expect(later.status).toBe('CLOSED')
    }
    const lateSale = at(till, 1000, {}, 'late-approval')
    till.do(present('visa-contactless'))
    const late = `SBX_TERM_SCREEN terminalSn: ${terminalSn} waits for the host; it is too late to cancel`
    expect(refused(till, cancel)).toBe(late)
    till.pass(60_000)
    expect(lateSale.status).toBe('SUCCESS')
  })
})

describe('acts that are not possible', () => {
  test('nobody can act at an idle terminal, even after its payment expired; one that was approved can still be signed', () => {
    const till = new Till()
    const idle = `SBX_TERM_SCREEN terminalSn: ${terminalSn} has no payment`
    expect(refused(till, cancel)).toBe(idle)
    expect(refused(till, { ...cancel, transactionId: '1' })).toContain(' transactionId: ')
    at(till)
    till.at += day
    expect(refused(till, cancel)).toBe(idle)
    till.at -= 1
    till.do(cancel)
    const sale = at(till)
    till.do(present('discover-swipe'))
    till.at += day
    till.do(sign)
    expect(momentNames(sale).slice(-2)).toEqual(['signed', 'approved'])
  })

  test('an offline terminal takes no action, an automatic one only cancel', () => {
    const till = new Till()
    at(till)
    till.set(terminalSn, { online: false })
    expect(refused(till, cancel)).toBe(`SBX_TERM_OFFLINE terminalSn: ${terminalSn} is offline`)
    till.set(terminalSn, { online: true, pace: 1000 })
    till.set(terminalSn, { mode: 'auto' })
    const isAutomatic = `SBX_TERM_AUTO terminalSn: ${terminalSn} is automatic and takes no input`
    expect(refused(till, present('visa-contactless'))).toBe(isAutomatic)
    till.do(cancel)
    expect(till.terminal(terminalSn).line).toEqual([])
  })

  test('nobody can act at an unknown terminal, or on a transaction that the terminal does not show', () => {
    const till = new Till()
    const unknown = 'SBX_UNREGISTERED terminalSn: There is no terminal COUNTER-9'
    expect(refused(till, { ...cancel, terminalSn: 'COUNTER-9' })).toBe(unknown)
    const sale = at(till)
    const other = `SBX_TERM_SCREEN transactionId: ${terminalSn} shows ${sale.id}, not 1`
    expect(refused(till, { ...cancel, transactionId: '1' })).toBe(other)
    till.do({ ...cancel, transactionId: sale.id })
    expect(sale.status).toBe('CLOSED')
  })
})

const [suggestions, amounts] = [
  { values: [10, 12.5], names: ['Fair', 'Good'] },
  { feeMode: 'AMOUNT', values: [100, 2] },
]

test.each<[string, object, number, string[]]>([
  ['the default percentages', {}, 1000, ['15 % 150', '18 % 180', '20 % 200']],
  ['the default percentages when it asks for a tip', asksTip, 1000, ['15 % 150', '18 % 180', '20 % 200']],
  ['percentages of the request, with names', { tipConfig: { suggestions } }, 1000, ['Fair 100', 'Good 125']],
  ['its amounts', { tipConfig: { suggestions: amounts } }, 1000, [' 100', ' 2']],
  ['its amounts, as far as they fit', { tipConfig: { suggestions: amounts } }, 999_999_999_999, [' 1', ' 1']],
])('assumption terminal-screens: the tip screen offers %s', (_, more, amount, offered) => {
  const choices = tipChoices(at(new Till(), amount, more), { captureTip: 100 })
  expect(choices.map(({ label, tipAmount }) => `${label} ${tipAmount}`)).toEqual(offered)
})

describe('screens', () => {
  test('a PIN is asked for with the cards that need one', () => {
    const expected = ['pin', 'pin', 'processing', 'processing']
    expect(['PIN', 'OFFLINE_PIN', 'SIGNATURE', undefined].map(screenAfterTip)).toEqual(expected)
  })

  test('a follow-up shows no card, so it asks for no PIN', () => {
    const [till, auth] = tillWith(payment('auth', 1000, { terminalSn }))
    till.do(present('visa-chip-pin'))
    till.do(pin())
    const capture = till.open(on('post-auth', auth, { amount: 1000, ...asksTip }))
    const verifications = [auth, capture].map(verificationMethod)
    expect([capture.screen, verifications]).toEqual(['tip', ['PIN', undefined]])
    till.do(tip(100))
    expect([capture.status, capture.tip]).toEqual(['SUCCESS', 100])
  })

  test('the tip of a capture is bounded by its share', () => {
    const till = new Till(10_000_000, 'UTC', { captureTip: 15 })
    const auth = till.open(payment('auth', 1000))
    till.set('TBX-AUTO-001', { mode: 'attended' })
    const capture = till.open(on('post-auth', auth, { amount: 999, ...asksTip }))
    const choose = { type: 'choose-tip', terminalSn: 'TBX-AUTO-001' } as const
    expect(till.refusal({ ...choose, tipAmount: 150 }).field).toBe('tipAmount')
    till.do({ ...choose, tipAmount: 149 })
    expect([capture.status, capture.tip]).toEqual(['SUCCESS', 149])
  })

  test('without a card no PIN is asked for', () => {
    const till = new Till()
    expect(verificationMethod(at(till))).toBeUndefined()
    const free = till.open(freeRefund(1, { terminalSn, transactionRequestId: newId() }))
    expect(free.screen).toBe('waiting')
  })
})
