import { expect, test } from 'vitest'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { closing, day, freeRefund, on, payment, saleOf, Till } from '../../support/domain/ledger.ts'

type Make = (till: Till) => Transaction

const late = 'late-approval'
const sale: Make = (till) => till.open(saleOf(1000))
const auth: Make = (till) => till.open(payment('auth', 1000))
const forced: Make = (till) => till.open(payment('forced-auth', 1000))
const capture: Make = (till) => till.open(on('post-auth', auth(till), { amount: 1000 }))
const free: Make = (till) => till.open(freeRefund(10))

/** After something else was done with it: a follow-up, with the outcome that the host gives it. */
const after =
  (make: Make, type: 'incremental-auth' | 'post-auth' | 'refund' | 'void', outcome = 'approve', amount = 1) =>
  (till: Till) => {
    const original = make(till)
    till.open(on(type, original, { amount, pushToTerminal: false }, outcome))
    return original
  }
const settled = (make: Make) => (till: Till) => {
  const original = make(till)
  till.open(saleOf(1))
  till.do(closing())
  return original
}
const old = (make: Make) => (till: Till) => {
  const original = make(till)
  till.at += day
  return original
}
const last = (make: Make) => (till: Till) => {
  make(till)
  return [...till.ledger.transactions].at(-1) as Transaction
}

const operations = ['incremental-auth', 'post-auth', 'refund', 'void', 'tip-adjust'] as const
const ofAuth = ['incremental-auth', 'post-auth', 'void'] as const
const ofPayment = ['refund', 'void', 'tip-adjust'] as const

/** The answer to each operation on the original: ok, or its code without SBX_; and what is said of the refused ones. */
function answersOf(make: Make, types: readonly (typeof operations)[number][]) {
  const said = types.map((type) => {
    const till = new Till()
    const original = make(till)
    const amounts = { 'tip-adjust': { tipAmount: 1 }, void: {} }
    const command = on(type, original, amounts[type as 'void'] ?? { amount: 1 })
    try {
      till.do(command)
      return ['ok']
    } catch {
      const { code, field, detail } = till.refusal(command)
      expect(field).toBe('originalTransactionId')
      return [code.replace('SBX_', ''), detail?.replace(/^transaction \d+ /, '')]
    }
  })
  const details = new Set(said.flatMap(([, detail]) => detail ?? []))
  return [said.map(([code]) => code).join(' '), [...details].join('; ')]
}

test.each<[string, Make, string]>([
  ['SALE', sale, 'WRONG_TYPE WRONG_TYPE ok ok ok'],
  ['FORCED_AUTH', forced, 'WRONG_TYPE WRONG_TYPE ok ok ok'],
  ['POST_AUTH', capture, 'WRONG_TYPE WRONG_TYPE ok ok ok'],
  ['AUTH', auth, 'ok ok WRONG_TYPE ok WRONG_TYPE'],
  ['INCREMENTAL', last(after(auth, 'incremental-auth')), Array(5).fill('WRONG_TYPE').join(' ')],
  ['REFUND', last(after(sale, 'refund')), 'WRONG_TYPE WRONG_TYPE WRONG_TYPE ok WRONG_TYPE'],
  ['REFUND without reference', free, 'WRONG_TYPE WRONG_TYPE WRONG_TYPE ok WRONG_TYPE'],
  ['VOID', last(after(sale, 'void')), Array(5).fill('WRONG_TYPE').join(' ')],
])('what may follow a %s', (_, make, answers) => expect(answersOf(make, operations)[0]).toBe(answers))

const authWith = (outcome: string) => (till: Till) => till.open(payment('auth', 9, {}, outcome))
const allRefused = 'NOT_ALLOWED NOT_ALLOWED NOT_ALLOWED'
const atOffline = { terminalSn: 'TBX-OFFLINE-001' }
const atCancelling = { terminalSn: 'TBX-CANCEL-001' }

test.each<[string, Make, string, string]>([
  ['waits', (till) => till.open(payment('auth', 9, atOffline)), allRefused, 'is INITIAL, not SUCCESS'],
  ['is at the host', authWith(late), allRefused, 'is PROCESSING, not SUCCESS'],
  ['was declined', authWith('lost-card'), allRefused, 'is FAIL, not SUCCESS'],
  ['was closed', (till) => till.open(payment('auth', 9, atCancelling)), allRefused, 'is CLOSED, not SUCCESS'],
  [
    'is being raised',
    after(auth, 'incremental-auth', late),
    'ok NOT_ALLOWED NOT_ALLOWED',
    'is being raised by an incremental auth',
  ],
  ['was raised', after(auth, 'incremental-auth'), 'ok ok ok', ''],
  ['is being captured', after(auth, 'post-auth', late), allRefused, 'is being captured'],
  ['was captured in part', after(auth, 'post-auth'), allRefused, 'was captured already'],
  ['was not captured in the end', after(auth, 'post-auth', 'do-not-honor'), 'ok ok ok', ''],
  ['is being voided', after(auth, 'void', late), allRefused, 'is being voided'],
  ['was voided', after(auth, 'void'), allRefused, 'was voided'],
  ['was not voided in the end', after(auth, 'void', 'do-not-honor'), 'ok ok ok', ''],
  ['is of another day', old(auth), 'ok ok VOID_LATE', 'it is of 2026-11-20, today is 2026-11-21'],
  ['is older than a close', settled(auth), 'ok ok ok', ''],
])('api statuses-1, operation-1-7: what may follow an AUTH that %s', (_, make, answers, detail) =>
  expect(answersOf(make, ofAuth)).toEqual([answers, detail]),
)

test.each<[string, Make, string, string]>([
  ['waits', (till) => till.open(saleOf(9, atOffline)), allRefused, 'is INITIAL, not SUCCESS'],
  ['is at the host', (till) => till.open(saleOf(9, {}, late)), allRefused, 'is PROCESSING, not SUCCESS'],
  ['was declined', (till) => till.open(saleOf(9, {}, 'lost-card')), allRefused, 'is FAIL, not SUCCESS'],
  ['was closed', (till) => till.open(saleOf(9, atCancelling)), allRefused, 'is CLOSED, not SUCCESS'],
  ['is being voided', after(sale, 'void', late), allRefused, 'is being voided'],
  ['was voided', after(sale, 'void'), allRefused, 'was voided'],
  ['was not voided in the end', after(sale, 'void', 'do-not-honor'), 'ok ok ok', ''],
  ['is being refunded', after(sale, 'refund', late), 'ok NOT_ALLOWED NOT_ALLOWED', 'is being refunded'],
  ['was refunded in part', after(sale, 'refund'), 'ok NOT_ALLOWED NOT_ALLOWED', 'has been refunded in part'],
  [
    'was refunded',
    after(sale, 'refund', 'approve', 1000),
    'REFUNDED NOT_ALLOWED NOT_ALLOWED',
    'nothing is left of the 10.00 USD; has been refunded',
  ],
  ['was not refunded in the end', after(sale, 'refund', 'do-not-honor'), 'ok ok ok', ''],
  ['is of another day', old(sale), 'ok VOID_LATE ok', 'it is of 2026-11-20, today is 2026-11-21'],
  ['is settled', settled(sale), 'ok BATCH_CLOSED BATCH_CLOSED', 'batch 1 is closed'],
  ['is settled, as a FORCED_AUTH', settled(forced), 'ok BATCH_CLOSED BATCH_CLOSED', 'batch 1 is closed'],
  ['is settled, as a POST_AUTH', settled(capture), 'ok BATCH_CLOSED BATCH_CLOSED', 'batch 1 is closed'],
])(
  'api statuses-1, statuses-2, operation-1-7, operation-1-9: what may follow a payment that %s',
  (_, make, answers, detail) => expect(answersOf(make, ofPayment)).toEqual([answers, detail]),
)

test('api operation-1-7: a refund that is settled cannot be voided', () => {
  expect(answersOf(settled(free), ['void'])).toEqual(['BATCH_CLOSED', 'batch 1 is closed'])
})
