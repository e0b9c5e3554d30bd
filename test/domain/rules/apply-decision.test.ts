import { describe, expect, test } from 'vitest'
import type { Command, Stamp } from '../../../src/domain/model/commands.ts'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { applyDecision, isDue } from '../../../src/domain/rules/apply-decision.ts'
import { decide } from '../../../src/domain/rules/decide.ts'
import { walletPayment } from '../../support/domain/checkout.ts'
import { closing, momentNames, on, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'
import { newId } from '../../support/service/new-id.ts'

const auto = 'TBX-AUTO-001'

/** Decides and applies a command as the engine does; `stamps`: how many further ones were asked for. */
function apply(till: Till, command: Command) {
  const stamp = till.stamp()
  let stamps = 0
  const next = (): Stamp => {
    stamps += 1
    return till.stamp()
  }
  const { events, touched } = applyDecision(till.ledger, decide(till.ledger, command, stamp), stamp, next)
  return { stamp, stamps, types: events.map(({ type }) => type), touched: touched.map(({ id }) => id) }
}

/** An offline terminal with that many payments in line. */
function offlineWith(count: number): { till: Till; ids: string[] } {
  const till = new Till()
  till.set(auto, { online: false })
  return { till, ids: Array.from({ length: count }, () => till.open(saleOf(1000)).id) }
}
/** The terminal comes online. */
const online: Command = { type: 'set-terminal', terminalSn: auto, changes: { online: true } }

describe('a command and what falls due by it at once', () => {
  test('a sale at an automatic terminal runs to its end, with the stamp of its command', () => {
    const till = new Till()
    const { stamp, stamps, types, touched } = apply(till, saleOf(1000))
    expect(types).toEqual(['opened', 'taken-up', 'card-presented', 'host-asked', 'approved'])
    expect([stamps, touched]).toEqual([0, [stamp.transactionId]])
    const sale = till.ledger.transactions.get(stamp.transactionId)
    expect([sale?.status, sale?.authCode]).toEqual(['SUCCESS', stamp.authCode])
  })

  test('a payment that meets no terminal runs to its end', () => {
    const { types, touched } = apply(new Till(), walletPayment(1000))
    expect([types.at(-1), touched.length]).toEqual(['approved', 1])
  })

  test('the id of a request that opens nothing needs no stamp of its own', () => {
    const [till, sale] = tillWith(saleOf(1000))
    const adjust = on('tip-adjust', sale, { tipAmount: 1, transactionRequestId: newId() })
    const types = ['tip-adjusted', 'id-used']
    expect(apply(till, adjust)).toMatchObject({ types, stamps: 0, touched: [sale.id] })
  })

  test('assumption trace-context: what a request with a trace opens keeps the trace, and nothing else', () => {
    const till = new Till()
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const command = { ...saleOf(1, { terminalSn: 'COUNTER-9' }), traceparent } as Command
    const [terminalSet, opened] = till.do(command)
    expect([terminalSet, opened]).toMatchObject([{ type: 'terminal-set' }, { type: 'opened', traceparent }])
    expect(terminalSet).not.toHaveProperty('traceparent')
  })

  test('a sale that has to wait in line is opened, and nothing else happens', () => {
    expect(apply(offlineWith(0).till, saleOf(1000)).types).toEqual(['opened'])
  })

  test('a terminal that comes online takes its whole line, one after the other', () => {
    const { till, ids } = offlineWith(3)
    const { stamps, types, touched } = apply(till, online)
    expect(touched).toEqual(ids)
    expect([types[0], types.filter((type) => type === 'approved').length]).toEqual(['terminal-set', 3])
    expect(stamps).toBe(2) // the first acts with the stamp of the command
    const statuses = ids.map((id) => till.ledger.transactions.get(id)?.status)
    expect(statuses).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
  })

  test('100 transactions act within an entry; the others follow in entries of their own', () => {
    const { till, ids } = offlineWith(102)
    const { types } = apply(till, online)
    expect(types.filter((type) => type === 'approved')).toHaveLength(100)
    const left = ids.slice(100).map((id) => till.ledger.transactions.get(id) as Transaction)
    expect(left.map(({ status }) => status)).toEqual(['INITIAL', 'INITIAL'])
    expect(till.terminal(auto).line).toEqual(ids.slice(100))
  })

  test('a transaction that does not end holds up those behind it in line', () => {
    const { till, ids } = offlineWith(2)
    till.set(auto, { mode: 'attended' })
    const { touched } = apply(till, online)
    expect(touched).toEqual(ids.slice(0, 1))
    const [first, second] = ids.map((id) => till.ledger.transactions.get(id) as Transaction)
    expect([first?.screen, second?.screen]).toEqual(['present-card', 'waiting'])
  })

  test('a cancelled payment gives the terminal to the next', () => {
    const till = new Till()
    till.set(auto, { mode: 'attended' })
    const [first, second] = [till.open(saleOf(1000)), till.open(saleOf(1000))]
    const { types, touched } = apply(till, { type: 'cancel', terminalSn: auto })
    expect(types).toEqual(['closed', 'taken-up'])
    expect(touched).toEqual([first.id, second.id])
  })

  test('an event about no transaction changes no transaction', () => {
    const till = new Till()
    till.open(saleOf(1000))
    expect(apply(till, closing())).toMatchObject({ types: ['batch-closed'], touched: [], stamps: 0 })
    till.set('TBX-ATTENDED-001', { pace: 5 })
    expect(apply(till, { type: 'set-terminal', terminalSn: auto, changes: { pace: 5 } }).touched).toEqual([])
  })

  test('an event of an unknown transaction changes no transaction', () => {
    const till = new Till()
    const stamp = till.stamp()
    const event = { type: 'abort-too-late', id: 'NONE' } as const
    expect(applyDecision(till.ledger, [event], stamp, () => stamp)).toEqual({ events: [event], touched: [] })
  })

  test('a transaction that is due before its turn ends nothing, and none waits for it', () => {
    const { till, ids } = offlineWith(2)
    const second = till.ledger.transactions.get(ids[1] ?? '') as Transaction
    second.wakeAt = till.at
    const stamp = till.stamp()
    const event = { type: 'abort-too-late', id: second.id } as const
    const { events, touched } = applyDecision(till.ledger, [event], stamp, () => stamp)
    expect([events, touched]).toEqual([[event], [second]])
  })

  test('a clock that was set back is noted with the events that follow by themselves', () => {
    const { till, ids } = offlineWith(1)
    const stamp = { ...till.stamp(), at: till.at - 5000, setBack: 5000 }
    applyDecision(till.ledger, decide(till.ledger, online, stamp), stamp, () => stamp)
    const sale = till.ledger.transactions.get(ids[0] ?? '') as Transaction
    expect(momentNames(sale).slice(0, 3)).toEqual(['opened', 'clock-set-back', 'taken-up'])
    expect([sale.status, sale.setBack]).toEqual(['SUCCESS', 5000])
  })
})

const at = 1000
test.each<[number | null, Transaction['status'], Transaction['screen'], boolean]>([
  [at, 'PROCESSING', 'pin', true],
  [at - 1, 'INITIAL', 'waiting', true],
  [at + 1, 'PROCESSING', 'pin', false],
  [null, 'PROCESSING', 'pin', false],
  [at, 'PROCESSING', 'signature', true],
  [at, 'SUCCESS', 'done', false],
  [at, 'CLOSED', 'done', false],
])('isDue with wake at %s, status %s and screen %s is %s', (wakeAt, status, screen, due) => {
  expect(isDue({ wakeAt, status, screen } as Transaction, at)).toBe(due)
})
