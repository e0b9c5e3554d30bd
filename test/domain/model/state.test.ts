import { describe, expect, test } from 'vitest'
import { applications, builtIn } from '../../../src/domain/fixtures.ts'
import {
  followFixtures,
  type LedgerRecord,
  ledgerRecordOf,
  restoreLedger,
} from '../../../src/domain/ledger-record.ts'
import type { Command } from '../../../src/domain/model/commands.ts'
import type { Event } from '../../../src/domain/model/events.ts'
import { type Ledger, plainTerminal } from '../../../src/domain/model/ledger.ts'
import { enterDelivery } from '../../../src/domain/model/outbox.ts'
import { decide } from '../../../src/domain/rules/decide.ts'
import {
  advanceJournalOrder,
  applyEntry,
  continueNumbering,
  countTransactions,
  createState,
  forgetOldRequests,
  greatestIdIn,
  ledgerOf,
  merchantProfileOf,
  resetState,
  type State,
} from '../../../src/domain/state.ts'
import { ledgerText, noon, saleOf } from '../../support/domain/ledger.ts'

const [application] = applications
const [merchant] = application?.merchants ?? []
const appId = application?.appId ?? ''
const merchantId = merchant?.merchantId ?? ''
const auto = 'TBX-AUTO-001'
const attended = 'TBX-ATTENDED-001'

const stamp = (id: string) => ({ at: noon, setBack: 0, transactionId: id, authCode: '123456' })

/** Adds events of a merchant, as the entry after its last. */
function enter(state: State, stream: string, events: readonly Event[], more: object = {}): void {
  const sequence = (state.ledgers.get(stream)?.sequence ?? 0) + 1
  applyEntry(state, { stream, sequence, at: noon, events, ...more })
}

/** Does what the command does, to the first merchant. */
const run = (state: State, command: Command, id = '1'): void =>
  enter(state, merchantId, decide(ledgerOf(state, appId, merchantId), command, stamp(id)))

const registered = (name?: string): Event => ({ type: 'merchant-registered', appId, ...(name && { name }) })

describe('ledgerOf and profileOf', () => {
  test('ledgerOf and profileOf return what exists', () => {
    const state = createState(builtIn)
    expect(ledgerOf(state, appId, merchantId)).toBe(state.ledgers.get(merchantId))
    expect(merchantProfileOf(state, merchantId)).toBe(merchant)
  })

  test('assumption parties: an unknown merchant gets a ledger like the first, which is not entered', () => {
    const state = createState(builtIn)
    const ledger = ledgerOf(state, appId, 'NEW')
    expect(ledger.settings).toMatchObject({ appId, merchantId: 'NEW', timeZone: merchant?.timeZone })
    expect([state.ledgers.has('NEW'), ledger.terminals.size]).toEqual([false, 0])
    expect(merchantProfileOf(state, 'NEW').merchantId).toBe('NEW')
  })

  test('assumption added-merchants: an added merchant has its given name, or else its id as name', () => {
    const state = createState(builtIn)
    enter(state, 'NAMED', [registered('Corner shop')])
    enter(state, 'NAMELESS', [registered()])
    expect(merchantProfileOf(state, 'NAMED').details.dbaName).toBe('Corner shop')
    const named = merchantProfileOf(state, 'NAMELESS').details
    expect(named.dbaName).toBe('NAMELESS')
    expect(merchantProfileOf(state, 'NAMED').details).toEqual({ ...named, dbaName: 'Corner shop' })
    const { name, registeredAt, settings } = state.ledgers.get('NAMED') as Ledger
    expect([name, registeredAt, settings.appId]).toEqual(['Corner shop', noon, appId])
    expect(state.ledgers.get('NAMELESS')?.name).toBeNull()
  })
})

describe('advanceJournalOrder with a clock that is set back', () => {
  test.each([
    ['goes on', [10, 20, 30], [0, 0, 0]],
    ['stands', [10, 10], [0, 0]],
    ['is set back', [100, 40, 41], [0, 61, 61]],
    ['goes on after that', [100, 40, 41, 100], [0, 61, 61, 61]],
    ['is set back twice', [100, 40, 10], [0, 61, 92]],
    ['is set back and overtakes itself', [100, 40, 500], [0, 61, 61]],
  ])('the order of moments is kept when the clock %s', (_, times, setBacks) => {
    const order = { latest: 0, setBack: 0 }
    expect(times.map((at) => advanceJournalOrder(order, at))).toEqual(setBacks)
    expect(order.latest).toBe((times.at(-1) ?? 0) + (setBacks.at(-1) ?? 0))
  })

  test('a moment has an order no less than every one before it', () => {
    const order = { latest: 0, setBack: 0 }
    let last = -1
    for (const at of [5, 5, 3, 9, 0, 0, 100, 99]) {
      const journalOrder = at + advanceJournalOrder(order, at)
      expect(journalOrder).toBeGreaterThanOrEqual(last)
      last = journalOrder
    }
  })
})

test('applyEntry counts the entry, and keeps its order and the mark of its request', () => {
  const state = createState(builtIn)
  const mark = { key: `${appId} ID-1`, at: noon, fingerprint: 'one' }
  enter(state, merchantId, [{ type: 'terminal-removed', terminalSn: auto }], { setBack: 7, request: mark })
  expect(state.ledgers.get(merchantId)?.sequence).toBe(1)
  expect(state.journalOrder).toEqual({ latest: noon + 7, setBack: 7 })
  expect([...state.requests]).toEqual([[mark.key, mark]])
  enter(state, merchantId, [])
  expect([state.journalOrder, state.requests.size]).toEqual([{ latest: noon, setBack: 0 }, 1])
})

/** A state in which something of everything happened. */
function lived(): State {
  const state = createState(builtIn)
  run(state, { type: 'set-terminal', terminalSn: auto, changes: { pace: 1234 } })
  run(state, saleOf(1000, { notifyUrl: 'http://127.0.0.1:9/hook' }), '1000000000000001')
  enter(state, merchantId, [{ type: 'closed', id: '1000000000000001', reason: 'abort' }])
  run(state, { type: 'remove-terminal', terminalSn: 'TBX-SLOW-001' })
  run(state, { type: 'unpair-terminal', terminalSn: 'TBX-LATE-001', code: 'ABC234' })
  run(state, { type: 'pair-terminal', profile: plainTerminal('COUNTER-9'), code: 'XYZ789' })
  enter(state, 'NAMED', [registered('Corner shop')])
  return state
}

describe('assumption reset', () => {
  /** That state before and after a reset, and the ledgers of its first merchant. */
  function reset() {
    const before = lived()
    const after = resetState(before, createState(builtIn))
    const [old, ledger] = [before, after].map(({ ledgers }) => ledgers.get(merchantId)) as [Ledger, Ledger]
    return { before, after, old, ledger }
  }

  test('a reset forgets every transaction', () => {
    const { old, ledger } = reset()
    expect(old.transactions.size).toBe(1)
    expect([ledger.transactions.size, ledger.outbox.deliveries.size, ledger.closes.size]).toEqual([0, 0, 0])
    expect([ledger.terminals.get(auto)?.last, ledger.terminals.get(auto)?.voucherNo]).toEqual([null, 0])
  })

  test('a reset continues every numbering', () => {
    const { before, after, old, ledger } = reset()
    expect(old.outbox.lastNumber).toBeGreaterThan(0)
    expect([ledger.sequence, ledger.outbox.lastNumber]).toEqual([old.sequence, old.outbox.lastNumber])
    expect(after.journalOrder).toEqual(before.journalOrder)
  })

  test('a reset keeps merchants, and terminals with their settings', () => {
    const { after, old, ledger } = reset()
    expect(ledger.terminals.get(auto)?.profile.pace).toBe(1234)
    expect(ledger.terminals.get(auto)?.asGiven).not.toBe(true)
    expect(ledger.terminals.get('TBX-ATTENDED-001')?.asGiven).toBe(true)
    expect(ledger.terminals.get('COUNTER-9')?.registeredAt).toBe(noon)
    expect([...ledger.terminals.keys()].sort()).toEqual([...old.terminals.keys()].sort())
    expect([...ledger.removed.keys()].sort()).toEqual(['TBX-LATE-001', 'TBX-SLOW-001'])
    expect([...ledger.unpaired]).toEqual([...old.unpaired])
    expect([...ledger.pairedCodes]).toEqual([['XYZ789', 'COUNTER-9']])
    const { name, registeredAt, settings } = after.ledgers.get('NAMED') as Ledger
    expect([name, registeredAt, settings.appId]).toEqual(['Corner shop', noon, appId])
  })
})

describe('the record of a ledger', () => {
  /** The ledgers of a state as they are read back from their records. */
  function readBack(state: State): State {
    const fresh = createState(builtIn)
    for (const ledger of state.ledgers.values()) {
      const record = JSON.parse(JSON.stringify(ledgerRecordOf(ledger))) as LedgerRecord
      const { transactions, closes, usedIds, outbox } = ledger
      const restored = restoreLedger(fresh, record)
      Object.assign(restored, { transactions, closes, usedIds })
      for (const delivery of outbox.deliveries.values()) enterDelivery(restored.outbox, delivery)
      followFixtures(restored, record)
    }
    return fresh
  }

  test('a ledger is read back as it was', () => {
    const state = lived()
    run(state, saleOf(1000), '1000000000000002')
    const again = readBack(state)
    expect([...again.ledgers.keys()].sort()).toEqual([...state.ledgers.keys()].sort())
    for (const [id, ledger] of state.ledgers)
      expect(JSON.parse(ledgerText(again.ledgers.get(id) as Ledger))).toEqual(JSON.parse(ledgerText(ledger)))
  })

  test.each([
    ['was never changed', true, 'auto', 0, 'attended'],
    ['was changed', false, 'auto', 7, 'auto'],
    ['is as the fixtures have it', true, 'attended', 7, 'attended'],
  ] as const)('assumption fixtures: a terminal that %s', (_, asGiven, stored, wakeAt, mode) => {
    const state = createState(builtIn)
    const ledger = ledgerOf(state, appId, merchantId)
    run(state, saleOf(1000, { terminalSn: attended }), '1')
    const [terminal, sale] = [ledger.terminals.get(attended), ledger.transactions.get('1')]
    Object.assign(terminal ?? {}, { asGiven, profile: { ...terminal?.profile, mode: stored } })
    Object.assign(sale ?? {}, { wakeAt: 7 })
    const again = readBack(state).ledgers.get(merchantId)
    expect([sale?.wakeAt, again?.terminals.get(attended)?.profile.mode]).toEqual([wakeAt, mode])
  })
})

describe('assumption restore: continueNumbering', () => {
  /** A state whose first merchant has these numbers. */
  function numbered(sequence: number, last: number): State {
    const state = createState(builtIn)
    const ledger = state.ledgers.get(merchantId) as Ledger
    ledger.sequence = sequence
    ledger.outbox.lastNumber = last
    return state
  }

  test.each([
    [5, 2, 3, 9],
    [3, 9, 5, 2],
  ])('continueNumbering goes on from the greater number', (...[savedSequence, savedLast, sequence, last]) => {
    const state = continueNumbering(numbered(savedSequence, savedLast), numbered(sequence, last))
    const ledger = state.ledgers.get(merchantId)
    expect([ledger?.sequence, ledger?.outbox.lastNumber]).toEqual([5, 9])
  })

  test('a merchant that was not saved is left out', () => {
    const [saved, now] = [createState(builtIn), createState(builtIn)]
    saved.journalOrder.removed = { sequence: 3, delivery: 3 }
    expect(continueNumbering(saved, now).journalOrder).toEqual({ latest: 0, setBack: 0 })
    enter(now, 'NEW', [registered()])
    const ledger = now.ledgers.get('NEW') as Ledger
    ledger.outbox.lastNumber = 7
    expect(continueNumbering(saved, now).ledgers.has('NEW')).toBe(false)
    expect(saved.journalOrder.removed).toEqual({ sequence: 2, delivery: 7 })
    expect(ledgerOf(saved, appId, 'NEWER')).toMatchObject({ sequence: 2, outbox: { lastNumber: 7 } })
    now.journalOrder.removed = { sequence: 9, delivery: 9 }
    expect(continueNumbering(saved, now).journalOrder.removed).toEqual({ sequence: 9, delivery: 9 })
  })

  test('transactions are counted, and the greatest id is found, over all merchants', () => {
    const state = createState(builtIn)
    expect([countTransactions(state), greatestIdIn(state)]).toEqual([0, 0])
    for (const id of ['5', '9', '12']) run(state, saleOf(1), id)
    expect([countTransactions(state), greatestIdIn(state)]).toEqual([3, 12])
  })

  test('api limit-duplicates: requests are forgotten after 10 minutes', () => {
    const state = createState(builtIn)
    const requests = [0, 1].map((at) => ({ key: String(at), at, fingerprint: '' }))
    for (const request of requests) state.requests.set(request.key, request)
    forgetOldRequests(state, 600_001)
    expect([...state.requests.keys()]).toEqual(['1'])
  })
})
