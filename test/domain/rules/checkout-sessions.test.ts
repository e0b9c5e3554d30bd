import { describe, expect, test } from 'vitest'
import { cards, outcomes } from '../../../src/domain/fixtures.ts'
import type { Command } from '../../../src/domain/model/commands.ts'
import { momentsOf } from '../../../src/domain/model/timeline.ts'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import {
  expiring,
  givingUp,
  newSession,
  onlineCards,
  paying,
  walletPayment,
} from '../../support/domain/checkout.ts'
import { momentNames, saleOf, type Till, tillWith } from '../../support/domain/ledger.ts'

const halfAnHour = 30 * 60_000
const minute = 60_000

/** A till with one open session. */
function page(amount = 1000, more: object = {}, outcome: string | null = null) {
  const [till, session] = tillWith(newSession(amount, more, outcome))
  return { till, session }
}

const closedBecause = (session: Transaction) =>
  momentsOf(session).find(({ what }) => what === 'closed')?.detail

/** What everybody who wants something of the session hears. */
const refusalsOf = (till: Till, session: Transaction) =>
  [paying(session), givingUp(session), expiring(session)].map((command) => till.refusal(command).code)

const over = ['SBX_SESSION_OVER', 'SBX_SESSION_OVER', 'SBX_SESSION_OVER']
const busy = ['SBX_SESSION_BUSY', 'SBX_SESSION_BUSY', 'SBX_SESSION_BUSY']

describe('a new session', () => {
  test('api operation-2-1: a new session opens an INITIAL transaction that waits for its shopper, on no terminal', () => {
    const returnUrl = 'http://localhost/back'
    const { till, session } = page(1000, { merchantReturnUrl: returnUrl, collectBillingAddress: true })
    expect(session).toMatchObject({
      ...{ type: 'SALE', status: 'INITIAL', screen: 'waiting', terminalSn: null, card: null, batchNo: null },
      expiresAt: till.at + halfAnHour,
      online: {
        ...{ wallet: null, returnUrl, tries: 0, declined: null },
        ...{ collectsBillingAddress: true, collectsShippingAddress: false },
      },
    })
    expect(till.ledger.transactions.ofSession(session.online?.sessionId ?? '')).toBe(session)
  })

  test('api ids-4: the request id of a session is used up for every request, and must not be its order identifier', () => {
    const { till, session } = page()
    const again = { transactionRequestId: session.transactionRequestId }
    for (const command of [newSession(1, again), walletPayment(1, again), saleOf(1, again)])
      expect(till.refusal(command).code).toBe('SBX_DUP_TXN_ID')
    const same = { transactionRequestId: 'ORDER-1', referenceOrderId: 'ORDER-1' }
    expect(till.refusal(newSession(1, same)).field).toBe('transactionRequestId')
  })
})

describe('a payment on the page', () => {
  test('api statuses: a session is paid at the first try', () => {
    const { till, session } = page()
    const wallet = { wallet: 'GOOGLE_PAY' } as const
    const [takenUp, presented] = till.do({ ...paying(session, 'mastercard-debit'), ...wallet } as Command)
    expect([takenUp, presented]).toMatchObject([{ screen: 'processing' }, { screen: 'processing' }])
    expect(session).toMatchObject({ status: 'SUCCESS', resultCode: '000', card: 'mastercard-debit' })
    expect([session.online?.wallet, session.presentedByPerson]).toEqual(['GOOGLE_PAY', undefined])
    expect(session.authCode).toMatch(/^\d{6}$/)
    expect(momentNames(session)).toEqual(['opened', 'taken-up', 'card-presented', 'host-asked', 'approved'])
  })

  test.each(cards.flatMap(({ name, outcome }) => (outcome ? [[name, outcome]] : [])))(
    'assumption outcome-order: the card %s decides the outcome of a session: %s',
    (card, name) => {
      const { till, session } = page()
      till.do(paying(session, card))
      const { code, message } = outcomes.find((each) => each.name === name) ?? {}
      expect(session.online?.declined).toEqual({ code, message })
      expect([session.rule, session.outcome]).toEqual(['card', name])
    },
  )

  test('assumption outcome-order: the header of the session beats amount and card, at every try', () => {
    const { till, session } = page(9734, {}, 'lost-card')
    for (const card of ['visa-stolen', 'visa-contactless']) {
      till.do(paying(session, card))
      expect([session.rule, session.online?.declined?.code]).toEqual(['header', '041'])
    }
    const approved = page(9734, {}, 'approve')
    approved.till.do(paying(approved.session, 'visa-declined'))
    expect(approved.session.status).toBe('SUCCESS')
  })

  test('assumption outcome-order: settings and queues of terminals decide nothing online', () => {
    const { till, session } = page()
    till.queue('TBX-AUTO-001', 'lost-card')
    till.set('TBX-AUTO-001', { outcome: 'stolen-card', online: false, tipPercent: 20 })
    till.do(paying(session))
    expect(session).toMatchObject({ status: 'SUCCESS', tip: 0, rule: 'default' })
    expect(till.terminal('TBX-AUTO-001').queue).toEqual([{ outcome: 'lost-card', times: 1 }])
  })

  test.each(onlineCards.filter(({ outcome }) => outcome === undefined).map(({ name }) => name))(
    'the card %s asks online for no PIN and no signature',
    (card) => {
      const { till, session } = page()
      till.do(paying(session, card))
      expect(momentNames(session).at(-1)).toBe('approved')
      expect(session.screen).toBe('done')
    },
  )
})

describe('assumption checkout: declines', () => {
  test('the third decline is FAIL; until then the page stays open and the transaction PROCESSING', () => {
    const { till, session } = page()
    for (const [tries, card, code] of [
      [1, 'visa-declined', '005'],
      [2, 'visa-lost', '041'],
    ] as const) {
      till.do(paying(session, card))
      expect(session).toMatchObject({ status: 'PROCESSING', screen: 'waiting', resultCode: null })
      expect(session.online).toMatchObject({ tries, declined: { code } })
    }
    till.do(paying(session, 'visa-stolen'))
    expect(session).toMatchObject({ status: 'FAIL', resultCode: '043', resultMsg: 'Stolen card' })
    expect(session.online?.tries).toBe(3)
    expect(momentNames(session).filter((what) => what === 'try-declined')).toHaveLength(2)
    expect(refusalsOf(till, session)).toEqual(over)
  })

  test('a session declined twice is paid with another card', () => {
    const { till, session } = page()
    for (const card of ['visa-declined', 'visa-expired', 'amex-chip']) till.do(paying(session, card))
    expect(session).toMatchObject({ status: 'SUCCESS', resultCode: '000', card: 'amex-chip' })
    expect(session.online?.tries).toBe(2)
  })

  test('a host that does not answer ends the session at the first try', () => {
    const { till, session } = page(1000, {}, 'host-timeout')
    till.do(paying(session))
    till.pass(minute - 1)
    expect(session.status).toBe('PROCESSING')
    expect(refusalsOf(till, session)).toEqual(busy)
    const refusal = { field: 'sessionId', detail: `transaction ${session.id} is with the host` }
    expect(till.refusal(paying(session))).toMatchObject(refusal)
    till.pass(1)
    expect(session).toMatchObject({ status: 'FAIL', resultCode: '068' })
    expect(refusalsOf(till, session)).toEqual(over)
  })

  test('a session expires between tries, half an hour after it was opened', () => {
    const { till, session } = page()
    till.pass(29 * minute)
    till.do(paying(session, 'visa-declined'))
    till.pass(minute)
    expect([session.status, closedBecause(session)]).toEqual(['CLOSED', 'expiry'])
  })
})

describe('assumption checkout: how long a session is open', () => {
  test('a session takes a payment until the last millisecond of half an hour', () => {
    const { till, session } = page()
    till.pass(halfAnHour - 1)
    till.do(paying(session))
    expect(session.status).toBe('SUCCESS')
  })

  test('a session is CLOSED after half an hour, and takes no payment', () => {
    const { till, session } = page()
    till.pass(halfAnHour)
    expect([session.status, closedBecause(session)]).toEqual(['CLOSED', 'expiry'])
    expect(session.completedAt).toBe(session.createdAt + halfAnHour)
    expect(refusalsOf(till, session)).toEqual(over)
  })

  test('a session takes no payment after half an hour, even before it is closed', () => {
    const { till, session } = page()
    till.at += halfAnHour
    expect(session.status).toBe('INITIAL')
    expect(till.refusal(paying(session)).detail).toContain('it expired at 2026-11-20T12:30:00.000Z')
    expect(refusalsOf(till, session)).toEqual(over)
  })

  test('a payment that is with the host when the half hour ends still gets its outcome', () => {
    for (const [outcome, status] of [
      ['late-approval', 'SUCCESS'],
      ['host-timeout', 'FAIL'],
    ] as const) {
      const { till, session } = page(1000, {}, outcome)
      till.pass(halfAnHour - minute / 2)
      till.do(paying(session))
      till.pass(minute / 2)
      expect(session.status).toBe('PROCESSING')
      till.pass(minute / 2)
      expect(session.status).toBe(status)
    }
  })
})

describe('the end of a session', () => {
  test.each([
    ['the shopper', givingUp, 'cancel'],
    ['the merchant', (session: Transaction) => expiring(session, { reason: 'sold out' }), 'expired'],
  ])('api operation-2-3: %s can close a session before a try and between two', (_, ending, reason) => {
    for (const tries of [0, 1, 2]) {
      const { till, session } = page()
      for (let count = 0; count < tries; count++) till.do(paying(session, 'visa-declined'))
      till.do(ending(session))
      expect([session.status, closedBecause(session)]).toEqual(['CLOSED', reason])
      expect(refusalsOf(till, session)).toEqual(over)
    }
  })

  test('api operation-2-3: the close of a paid session is refused, and the session stays paid', () => {
    const { till, session } = page()
    till.do(paying(session))
    expect(refusalsOf(till, session)).toEqual(over)
    const refusal = { field: 'sessionId', detail: `transaction ${session.id} is SUCCESS` }
    for (const command of [paying(session), expiring(session)])
      expect(till.refusal(command)).toMatchObject(refusal)
  })

  test('api operation-2-3: a close is refused while a payment is with the host, and its late approval stands', () => {
    const { till, session } = page(1000, {}, 'late-approval')
    till.do(paying(session))
    expect(session).toMatchObject({ status: 'PROCESSING', screen: 'host' })
    expect(refusalsOf(till, session)).toEqual(busy)
    till.pass(minute)
    expect(session.status).toBe('SUCCESS')
    expect(refusalsOf(till, session)).toEqual(over)
  })

  test('api operation-2-3: a close names the session or the request that opened it, and the session wins', () => {
    const { till, session } = page()
    const other = till.open(newSession(500))
    till.do(expiring(session, { transactionRequestId: other.transactionRequestId }))
    expect([session.status, other.status]).toEqual(['CLOSED', 'INITIAL'])
    till.do(expiring(session, { sessionId: null, transactionRequestId: other.transactionRequestId }))
    expect(other.status).toBe('CLOSED')
  })

  test('api operation-2-3: a close that names no session is refused with the member that names it', () => {
    const { till, session } = page()
    const [sale, direct] = [till.open(saleOf(1)), till.open(walletPayment(1))]
    const named = (members: object) => {
      const { code, field } = till.refusal(expiring(session, { sessionId: null, ...members }))
      return [code, field]
    }
    expect(named({})).toEqual(['C17', 'sessionId'])
    expect(named({ sessionId: 'cs_0' })).toEqual(['SBX_SESSION_NONE', 'sessionId'])
    for (const transactionRequestId of ['NONE', sale.transactionRequestId, direct.transactionRequestId])
      expect(named({ transactionRequestId })).toEqual(['SBX_SESSION_NONE', 'transactionRequestId'])
    const unknown = { type: 'pay-session', sessionId: 'S', card: 'visa-contactless' } as const
    expect(till.refusal(unknown).code).toBe('SBX_SESSION_NONE')
  })
})
