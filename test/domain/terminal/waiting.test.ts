import { describe, expect, test } from 'vitest'
import { affectedEndpoints } from '../../../src/domain/notifications.ts'
import {
  startsAtOnce,
  waitingReason,
  waitsBehind,
  waitsFor,
  wakeTimeAfterChange,
} from '../../../src/domain/screen-flow.ts'
import { newSession, paying } from '../../support/domain/checkout.ts'
import { day, noon, on, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'

const attended = 'TBX-ATTENDED-001'
const offline = 'TBX-OFFLINE-001'
const nothing = { terminalSn: null, sessionId: null, behind: null, ahead: 0 }

describe('the reason why a transaction waits', () => {
  test('a transaction waits for a person at its terminal', () => {
    const [till, sale] = tillWith(saleOf(1000, { terminalSn: attended }))
    const reason = { ...nothing, for: 'person', terminalSn: attended, until: noon + day }
    expect(waitingReason(till.ledger, sale)).toEqual(reason)
    expect(waitsFor(till.ledger, sale)).toBe(`a person at ${attended}`)
    expect(waitsBehind(till.ledger, sale)).toBeNull()
  })

  test('a transaction waits for nobody while its terminal processes the card', () => {
    const till = new Till()
    till.set(attended, { pace: 1000 })
    const sale = till.open(saleOf(1000, { terminalSn: attended }))
    till.pass(1000)
    till.do({ type: 'present-card', terminalSn: attended, card: 'visa-contactless' })
    expect([sale.screen, waitingReason(till.ledger, sale)]).toEqual(['processing', null])
  })

  test('a transaction waits for a person while its signature is awaited, a minute at most', () => {
    const [till, sale] = tillWith(saleOf(1000, { terminalSn: attended }))
    expect(sale.wakeAt).toBe(sale.expiresAt)
    till.do({ type: 'present-card', terminalSn: attended, card: 'discover-swipe' })
    expect(sale.screen).toBe('signature')
    expect(waitingReason(till.ledger, sale)).toMatchObject({ for: 'person', until: till.at + 60_000 })
  })

  test('a transaction in line waits for the expiry of the first one, not for its next screen', () => {
    const slow = { terminalSn: 'TBX-SLOW-001' }
    const [till, first, second] = tillWith(saleOf(1, slow), saleOf(1, slow))
    expect(first.wakeAt).toBe(noon + 2000)
    expect(waitingReason(till.ledger, second)?.until).toBe(noon + day)
  })

  test('a transaction waits for its turn until the one before it expires or is answered', () => {
    const inLine = saleOf(1000, { terminalSn: attended })
    const late = saleOf(1000, { terminalSn: attended }, 'late-approval')
    const [till, first, second, third] = tillWith(late, inLine, saleOf(1000, { terminalSn: attended }))
    const line = { ...nothing, for: 'line', terminalSn: attended, behind: first.id, until: noon + day }
    expect(waitingReason(till.ledger, second)).toEqual({ ...line, ahead: 1 })
    expect(waitingReason(till.ledger, third)).toEqual({ ...line, ahead: 2 })
    const free = `${attended}, in line behind ${first.id}`
    const latest = 'free by 2026-11-21 12:00:00 UTC (sandbox clock)'
    expect(waitsFor(till.ledger, second)).toBe(`${free}; ${latest}`)
    expect(waitsBehind(till.ledger, third)).toBe(`${free} and 1 more; ${latest}`)
    till.do({ type: 'present-card', terminalSn: attended, card: 'visa-contactless' })
    expect(waitingReason(till.ledger, second)).toEqual({ ...line, ahead: 1, until: noon + 60_000 })
    expect(waitingReason(till.ledger, first)).toMatchObject({ for: 'host' })
  })

  test('a transaction waits for the terminal to come online', () => {
    const [till, sale] = tillWith(saleOf(1000, { terminalSn: offline }))
    expect(waitingReason(till.ledger, sale)).toMatchObject({ for: 'online', until: noon + day })
    expect(waitsFor(till.ledger, sale)).toBe(`${offline} to come online`)
  })

  test('a transaction waits for the host', () => {
    const [till, sale] = tillWith(saleOf(1000, {}, 'late-approval'))
    expect(waitingReason(till.ledger, sale)).toMatchObject({ for: 'host', until: noon + 60_000 })
    expect(waitsFor(till.ledger, sale)).toBe('the host, until 2026-11-20 12:01:00 UTC (sandbox clock)')
  })

  test('a session waits for the shopper, and then for the host', () => {
    const [till, session] = tillWith(newSession(1000, {}, 'late-approval'))
    const shopper = { ...nothing, for: 'shopper', sessionId: session.online?.sessionId }
    expect(waitingReason(till.ledger, session)).toEqual({ ...shopper, until: noon + 1_800_000 })
    expect(waitsFor(till.ledger, session)).toBe('the shopper, on the hosted page')
    till.do(paying(session))
    expect(waitingReason(till.ledger, session)?.for).toBe('host')
  })

  test('a transaction that is over or goes on by itself waits for nothing', () => {
    const [till, paid] = tillWith(saleOf(1000))
    till.set('TBX-AUTO-001', { pace: 1000 })
    const shown = till.open(saleOf(1000))
    const inCloud = till.open(on('refund', paid, { amount: 1, pushToTerminal: false }), { still: true })
    const { ledger } = till
    for (const each of [paid, shown, inCloud])
      for (const told of [waitingReason, waitsFor, waitsBehind]) expect(told(ledger, each)).toBeNull()
  })
})

describe('the moment at which a transaction goes on', () => {
  test('a new transaction goes on at once, unless another is in line or the terminal is offline', () => {
    const till = new Till()
    expect(startsAtOnce(till.terminal(attended))).toBe(true)
    expect(startsAtOnce(till.terminal(offline))).toBe(false)
    till.open(saleOf(1000, { terminalSn: attended }))
    expect(startsAtOnce(till.terminal(attended))).toBe(false)
    till.set(offline, { online: true })
    expect(startsAtOnce(till.terminal(offline))).toBe(true)
    till.open(saleOf(1000, { terminalSn: 'TBX-SLOW-001' }))
    till.set('TBX-SLOW-001', { online: false })
    expect(startsAtOnce(till.terminal('TBX-SLOW-001'))).toBe(false)
  })

  test('a change of the settings of its terminal may change what it waits for', () => {
    const [till, sale] = tillWith(saleOf(1000, { terminalSn: attended }))
    const { profile } = till.terminal(attended)
    const wokenBy = (changes: object, transaction = sale) =>
      wakeTimeAfterChange(transaction, profile, { ...profile, ...changes }, noon + 5)
    expect(wokenBy({ label: 'Counter' })).toBeNull()
    expect(wokenBy({ pace: 1000 })).toBe(noon + day)
    expect(wokenBy({ mode: 'auto' })).toBe(noon + 5)
    expect(wokenBy({ online: false })).toBe(noon + day)
    expect(wokenBy({ mode: 'auto', online: false })).toBe(noon + day)
    expect(wokenBy({ pace: 1000 }, { ...sale, screen: 'processing' })).toBe(noon + 5)
    expect(wokenBy({ mode: 'auto' }, { ...sale, screen: 'host' })).toBeNull()
  })

  test('the next in line waits when its terminal went offline meanwhile', () => {
    const till = new Till()
    till.queue('TBX-AUTO-001', 'late-approval')
    till.open(saleOf(1000))
    const next = till.open(saleOf(1000))
    till.set('TBX-AUTO-001', { online: false })
    till.pass(60_000)
    expect([next.status, next.wakeAt]).toEqual(['INITIAL', next.expiresAt])
  })
})

describe('addresses with possible new deliveries', () => {
  const [results, events] = ['http://127.0.0.1:9/results', 'http://127.0.0.1:9/events']
  const urls = { notifyUrl: results, terminalEventNotifyUrl: events }

  test('an event about a transaction names the addresses of that transaction', () => {
    const [till, sale] = tillWith(saleOf(1000, urls))
    const both = [{ url: results }, { url: events }]
    expect(affectedEndpoints(till.ledger, { type: 'signed', id: sale.id })).toEqual(both)
    const plain = till.open(saleOf(1000))
    expect(affectedEndpoints(till.ledger, { type: 'signed', id: plain.id })).toEqual([])
    expect(affectedEndpoints(till.ledger, { type: 'signed', id: 'NONE' })).toEqual([])
    expect(affectedEndpoints(till.ledger, { type: 'terminal-removed', terminalSn: attended })).toEqual([])
  })

  test('an event about a delivery names the address of that delivery', () => {
    const [till, sale] = tillWith(saleOf(1000, urls))
    const [number = 0] = till.ledger.outbox.deliveries.keys()
    const again = [{ url: events }]
    expect(affectedEndpoints(till.ledger, { type: 'delivery-again', number })).toMatchObject(again)
    expect(affectedEndpoints(till.ledger, { type: 'delivery-again', number: 999 })).toEqual([])
    const other = { url: 'http://127.0.0.1:9/x' }
    const posted = { type: 'delivery-posted', transactionId: sale.id, event: null, ...other } as const
    expect(affectedEndpoints(till.ledger, posted)).toMatchObject([other])
  })
})
