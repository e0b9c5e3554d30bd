import { describe, expect, test } from 'vitest'
import type { Command } from '../../../src/domain/model/commands.ts'
import { plainTerminal } from '../../../src/domain/model/ledger.ts'
import { unpairedIn, unpairedNamed, usedCode } from '../../../src/domain/unpaired-terminals.ts'
import { closing, on, payment, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'
import { newId } from '../../support/service/new-id.ts'

const auto = 'TBX-AUTO-001'
const attended = 'TBX-ATTENDED-001'

const remove = (terminalSn: string): Command => ({ type: 'remove-terminal', terminalSn })
const unpair = (terminalSn: string, code = 'ABC234'): Command => ({
  type: 'unpair-terminal',
  terminalSn,
  code,
})
const pair = (terminalSn: string, code = 'ABC234'): Command => ({
  type: 'pair-terminal',
  profile: { ...plainTerminal(terminalSn), pace: 7 },
  code,
})
const add = (terminalSn: string, code?: string): Command => ({
  type: 'add-terminal',
  profile: plainTerminal(terminalSn),
  code,
})

describe.each([
  ['remove', remove],
  ['unpair', (terminalSn: string) => unpair(terminalSn)],
])('assumption terminal-identity, pairing: %s', (_, take) => {
  test('an idle terminal is removed from its merchant, and an unknown one is refused', () => {
    const till = new Till()
    till.do(take(auto))
    expect([till.ledger.terminals.has(auto), till.ledger.removed.has(auto)]).toEqual([false, true])
    till.refuses(take('COUNTER-9'), 'SBX_UNREGISTERED terminalSn')
  })

  test('removal is refused while payments are in line, and the refusal names the first', () => {
    const [till, sale] = tillWith(saleOf(1000, { terminalSn: attended }))
    const one = till.refusal(take(attended))
    expect(one).toMatchObject({ code: 'SBX_TERM_IN_USE', field: 'terminalSn' })
    expect(one.detail).toBe(`${attended} has the payment ${sale.id}`)
    till.open(saleOf(1000, { terminalSn: attended }))
    expect(till.refusal(take(attended)).detail).toBe(`${attended} has 2 payments, the first is ${sale.id}`)
  })

  test('removal is refused before the batches are settled', () => {
    const till = new Till()
    till.open(saleOf(1000, { terminalSn: attended, pushToTerminal: true }))
    till.do({ type: 'cancel', terminalSn: attended })
    till.open(saleOf(1000))
    const one = till.refusal(take(auto))
    expect([one.code, one.field]).toEqual(['SBX_TERM_IN_USE', 'terminalSn'])
    expect(one.detail).toBe(`${auto} has an open batch`)
    till.open(saleOf(1000, { priceCurrency: 'EUR' }))
    expect(till.refusal(take(auto)).detail).toBe(`${auto} has 2 open batches`)
    till.do(take(attended)) // another terminal is not in use
    till.do(closing())
    till.do(take(auto))
    expect(till.ledger.terminals.has(auto)).toBe(false)
  })
})

describe('assumption pairing', () => {
  test('an unpaired terminal takes no payment, and says how to pair it', () => {
    const till = new Till()
    till.do(unpair(auto))
    expect(till.ledger.unpaired.get(auto)?.code).toBe('ABC234')
    const refused = till.refusal(saleOf(1000, { terminalSn: auto }))
    expect([refused.code, refused.field]).toEqual(['SBX_OTHER_OWNER', 'terminalSn'])
    expect(refused.remedy).toContain('tillbox terminal pair')
  })

  test('pairing by the code gives the merchant the terminal with its earlier settings and numbers', () => {
    const [till, before] = tillWith(saleOf(1000))
    till.do(closing())
    till.do(unpair(auto))
    till.do(pair(auto))
    const { unpaired, removed, pairedCodes } = till.ledger
    expect([unpaired.has(auto), removed.has(auto), pairedCodes.get('ABC234')]).toEqual([false, false, auto])
    expect(till.terminal(auto).profile.pace).toBe(7)
    till.set(auto, { pace: 0 })
    const after = till.open(saleOf(1000, { terminalSn: auto }))
    expect([after.batchNo, after.voucherNo]).toEqual([(before.batchNo ?? 0) + 1, before.voucherNo + 1])
  })

  test('a terminal that the merchant has cannot be paired or added again', () => {
    const till = new Till()
    const refusal = {
      code: 'SBX_TERM_EXISTS',
      field: 'terminalSn',
      message: `Terminal ${auto} exists already`,
    }
    for (const command of [pair(auto), add(auto), add(auto, 'ABC234')])
      expect(till.refusal(command)).toMatchObject(refusal)
  })

  test('a terminal that is added with a code waits to be paired, and a removal deletes it', () => {
    const till = new Till()
    till.do(add('COUNTER-9', 'XYZ789'))
    const { terminals, unpaired } = till.ledger
    expect([terminals.has('COUNTER-9'), unpaired.has('COUNTER-9')]).toEqual([false, true])
    till.do(remove('COUNTER-9'))
    expect(till.ledger.unpaired.has('COUNTER-9')).toBe(false)
    till.do(add('COUNTER-9'))
    expect(till.terminal('COUNTER-9').registeredAt).toBe(till.at)
  })

  test('a merchant is added with all of its terminals', () => {
    const till = new Till()
    const profiles = ['COUNTER-8', 'COUNTER-9'].map(plainTerminal)
    till.do({ type: 'add-merchant', profiles })
    expect([...till.ledger.terminals.keys()].slice(-2)).toEqual(['COUNTER-8', 'COUNTER-9'])
  })

  test('a removed terminal is refused, and follow-ups on its payments run in the cloud', () => {
    const [till, sale] = tillWith(saleOf(1000))
    till.do(closing())
    till.do(remove(auto))
    const more = { amount: 1, terminalSn: auto }
    const refused = till.refusal(on('refund', sale, more))
    expect([refused.code, refused.field]).toEqual(['SBX_UNREGISTERED', 'terminalSn'])
    expect(refused.message).toBe(`The terminal ${auto} was removed`)
    expect(refused.remedy).toContain('--no-push-to-terminal')
    const refund = till.open(on('refund', sale, { ...more, pushToTerminal: false }))
    expect([refund.status, refund.terminalSn, refund.batchNo]).toEqual(['SUCCESS', auto, 2])
    expect(till.ledger.removed.get(auto)?.voucherNo).toBe(refund.voucherNo)
    const rest = till.open(on('refund', sale, { amount: 2 }))
    expect([rest.status, rest.inCloud, rest.terminalSn, rest.batchNo]).toEqual(['SUCCESS', true, auto, 2])
  })

  test('follow-ups on the payments of an unpaired terminal run in the cloud, in another hand too', () => {
    const [till, sale, auth] = tillWith(saleOf(1000), payment('auth', 1000))
    till.do(closing())
    till.do(unpair(auto))
    const capture = till.open(on('post-auth', auth, { amount: 1000 }))
    const refund = till.open(on('refund', sale, { amount: 1000, pushToTerminal: true }))
    for (const each of [capture, refund]) expect([each.status, each.inCloud]).toEqual(['SUCCESS', true])
    expect(till.open(on('void', capture)).status).toBe('SUCCESS')
    expect(till.refusal(on('void', refund, { terminalSn: auto })).code).toBe('SBX_OTHER_OWNER')
  })

  test('without a terminal nothing can be paid in person', () => {
    const till = new Till()
    for (const terminalSn of [...till.ledger.terminals.keys()]) till.do(remove(terminalSn))
    expect(till.refusal(saleOf(1000))).toMatchObject({ code: 'C17', field: 'terminalSn' })
  })
})

describe('assumption pairing: over several merchants', () => {
  /** One that two terminals left, and one that paired the first of them. */
  function merchants() {
    const [left, joined] = [new Till(), new Till()]
    left.do(unpair(auto, 'AAA222'))
    left.do(unpair(attended, 'BBB333'))
    joined.do(remove(auto))
    joined.do(pair(auto, 'AAA222'))
    const ledgers = new Map(Object.entries({ 'M-LEFT': left.ledger, 'M-JOINED': joined.ledger }))
    return { left, ledgers }
  }

  test('a code is used up at the merchant where it paired a terminal', () => {
    const { ledgers } = merchants()
    expect(usedCode(ledgers, 'AAA222')).toEqual({ terminalSn: auto, merchantId: 'M-JOINED' })
    expect(usedCode(ledgers, 'BBB333')).toBeUndefined()
  })

  test('a terminal that another merchant paired no longer waits for its code', () => {
    const { left, ledgers } = merchants()
    expect(unpairedIn(ledgers).map(({ code }) => code)).toEqual(['BBB333'])
    for (const unknown of [auto, newId()]) expect(unpairedNamed(ledgers, unknown)).toBeUndefined()
    const unpaired = left.ledger.unpaired.get(attended)
    expect(unpairedNamed(ledgers, attended)).toEqual({ home: left.ledger, unpaired })
  })
})
