import { describe, expect, test } from 'vitest'
import { momentNames, on, payment, request, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'

const attended = { terminalSn: 'TBX-ATTENDED-001' }
const offline = { terminalSn: 'TBX-OFFLINE-001' }

describe('abort', () => {
  test('api operation-1-8: an INITIAL transaction is closed at once', () => {
    const [till, sale] = tillWith(saleOf(1000, { terminalSn: 'TBX-OFFLINE-001' }))
    expect(sale.status).toBe('INITIAL')
    expect(till.do(on('abort', sale))).toEqual([{ type: 'closed', id: sale.id, reason: 'abort' }])
    expect([sale.status, sale.completedAt, sale.screen]).toEqual(['CLOSED', till.at, 'done'])
  })

  test('api operation-1-8: a PROCESSING transaction is closed before the host was asked, and frees the terminal', () => {
    const [till, first, second] = tillWith(saleOf(1000, attended), saleOf(1000, attended))
    expect([first.status, first.screen, second.status]).toEqual(['PROCESSING', 'present-card', 'INITIAL'])
    till.do(on('abort', first))
    expect([first.status, second.status]).toEqual(['CLOSED', 'PROCESSING'])
    expect(momentNames(first)).not.toContain('host-asked')
    expect(till.terminal('TBX-ATTENDED-001').line).toEqual([second.id])
  })

  test('a transaction that waits in line leaves the line, and the first one stays', () => {
    const sale = () => saleOf(1000, attended)
    const [till, first, second, third] = tillWith(sale(), sale(), sale())
    till.do(on('abort', second))
    expect([first.status, second.status, third.status]).toEqual(['PROCESSING', 'CLOSED', 'INITIAL'])
    expect(till.terminal('TBX-ATTENDED-001').line).toEqual([first.id, third.id])
  })

  test('aborting a transaction in line does not disturb the screens or the host of the first', () => {
    const [till, slow] = tillWith(saleOf(1000, { terminalSn: 'TBX-SLOW-001' }))
    till.do(on('abort', till.open(saleOf(1000, { terminalSn: 'TBX-SLOW-001' }))))
    expect([slow.status, slow.screen]).toEqual(['PROCESSING', 'present-card'])
    const late = till.open(saleOf(1000, {}, 'late-approval'))
    till.do(on('abort', till.open(saleOf(1000))))
    till.pass(59_999)
    expect(late.status).toBe('PROCESSING')
    till.pass(1)
    expect([slow.status, late.status]).toEqual(['SUCCESS', 'SUCCESS'])
  })

  test('an abort once the host was asked is refused, on a terminal and in the cloud, and the outcome stands', () => {
    const [till, sale] = tillWith(saleOf(1000))
    for (const [command, status] of [
      [saleOf(1000, {}, 'late-approval'), 'SUCCESS'],
      [saleOf(1000, {}, 'host-timeout'), 'FAIL'],
      [on('refund', sale, { amount: 1, pushToTerminal: false }, 'late-approval'), 'SUCCESS'],
    ] as const) {
      const asked = till.open(command)
      expect(till.do(on('abort', asked))).toEqual([{ type: 'abort-too-late', id: asked.id }])
      expect(asked.status).toBe('PROCESSING')
      till.pass(60_000)
      expect(asked.status).toBe(status)
      expect(momentNames(asked)).toContain('abort-too-late')
    }
  })

  test('an abort of a final transaction is refused', () => {
    const [till, closed] = tillWith(saleOf(1000, { terminalSn: 'TBX-CANCEL-001' }))
    const all = [till.open(saleOf(1000)), till.open(saleOf(1000, {}, 'do-not-honor')), closed]
    expect(all.map(({ status }) => status)).toEqual(['SUCCESS', 'FAIL', 'CLOSED'])
    for (const transaction of all) {
      till.refuses(on('abort', transaction), 'SBX_NOT_ALLOWED', `is ${transaction.status} already`)
    }
  })

  test('an abort comes too late while the signature of an approved payment is awaited', () => {
    const till = new Till()
    till.set('TBX-AUTO-001', { card: 'mastercard-chip-signature' })
    const sale = till.open(saleOf(1000, {}, 'late-approval'))
    till.set('TBX-AUTO-001', { mode: 'attended' })
    till.pass(60_000)
    expect([sale.status, sale.screen]).toEqual(['PROCESSING', 'signature'])
    till.do(on('abort', sale))
    expect([sale.status, sale.screen, momentNames(sale).at(-1)]).toEqual([
      'PROCESSING',
      'signature',
      'abort-too-late',
    ])
    till.do({ type: 'sign', terminalSn: 'TBX-AUTO-001' })
    expect(sale.status).toBe('SUCCESS')
  })

  test('aborting a follow-up releases what it held of its original', () => {
    const [till, sale] = tillWith(saleOf(1000))
    const refund = till.open(on('refund', sale, { amount: 1000, ...offline }))
    expect(till.refusal(on('refund', sale, { amount: 1 })).code).toBe('SBX_OVER_REFUND')
    till.do(on('abort', refund))
    expect(till.open(on('refund', sale, { amount: 1000 })).status).toBe('SUCCESS')
    const auth = till.open(payment('auth', 1000))
    const capture = till.open(on('post-auth', auth, { amount: 1000, ...offline }))
    till.do(on('abort', capture))
    const voided = till.open(on('void', auth, offline))
    till.do(on('abort', voided))
    expect(till.open(on('post-auth', auth, { amount: 1000 })).status).toBe('SUCCESS')
  })

  test('an abort names its original by either identifier, and its own terminal or none; it opens no transaction', () => {
    const [till, one, other] = tillWith(saleOf(1000, attended), saleOf(1000, attended))
    till.refuses(on('abort', one, { terminalSn: 'TBX-AUTO-001' }), 'C17 terminalSn')
    till.do(on('abort', one, attended))
    till.do(request('abort', { originalTransactionRequestId: other.transactionRequestId }))
    expect([one.status, other.status, till.ledger.transactions.size]).toEqual(['CLOSED', 'CLOSED', 2])
  })
})
