import assert from 'node:assert/strict'
import { builtIn } from '../../../src/domain/fixtures.ts'
import type { Batch, BatchClose } from '../../../src/domain/model/ledger.ts'
import { partsInOrder, totalOrZero } from '../../../src/domain/model/parts.ts'
import { batchStatusOf } from '../../../src/domain/model/totals.ts'
import { amountOf, type Transaction } from '../../../src/domain/model/transaction.ts'
import type { Till } from './ledger.ts'

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** True for a transaction that is not final. */
export const inFlight = ({ status }: Transaction): boolean => status === 'INITIAL' || status === 'PROCESSING'

const noTotals = () => ({ count: 0, net: 0, tip: 0, surcharge: 0, tax: 0 })

/** Counts a member of a batch. */
function addTo(totals: ReturnType<typeof noTotals> | undefined, member: Transaction): void {
  assert.ok(totals)
  const sign = member.type === 'REFUND' ? -1 : 1
  totals.count += 1
  totals.net += sign * amountOf(member)
  totals.tip += sign * member.tip
  totals.surcharge += sign * member.surcharge
  totals.tax += sign * member.tax
}

const keyOf = (of: Pick<Batch, 'terminalSn' | 'channelCode' | 'currency'>): string =>
  `${of.terminalSn}|${of.channelCode}|${of.currency}`

/**
 * The ledger as an auditor reads it: from the transactions alone, without what the ledger keeps beside them. It uses
 * node's assertions, which cost little in the many thousands of checks.
 */
export class Audit {
  readonly all: readonly Transaction[]
  readonly closes: readonly BatchClose[]
  readonly #children = new Map<string | null, Transaction[]>()

  constructor(readonly till: Till) {
    this.all = [...till.ledger.transactions]
    this.closes = [...till.ledger.closes.values()]
    for (const each of this.all)
      this.#children.set(each.originalId, [...(this.#children.get(each.originalId) ?? []), each])
  }

  /** Successful ones that no void took back. */
  stands(transaction: Transaction): boolean {
    const voids = this.childrenOf(transaction, 'VOID').filter(({ status }) => status === 'SUCCESS')
    assert.ok(voids.length <= 1)
    return transaction.status === 'SUCCESS' && voids.length === 0
  }

  childrenOf({ id }: Transaction, type: Transaction['type']): Transaction[] {
    return (this.#children.get(id) ?? []).filter((child) => child.type === type)
  }

  /** Follow-ups that are in flight or stand. */
  #counting(original: Transaction, type: Transaction['type']): Transaction[] {
    return this.childrenOf(original, type).filter((each) => inFlight(each) || this.stands(each))
  }

  everything(): void {
    this.refunds()
    this.captures()
    this.requestIds()
    this.batches()
    this.balances()
    this.lines()
  }

  refunds(): void {
    for (const original of this.all) {
      const counted = this.#counting(original, 'REFUND')
      const taken = sum(counted.map(amountOf))
      for (const part of partsInOrder)
        assert.ok(sum(counted.map((refund) => refund[part])) <= original[part], part)
      const { refunded, refunding } = original.followUps ?? {}
      assert.equal(totalOrZero(refunded) + totalOrZero(refunding), taken)
    }
  }

  captures(): void {
    for (const auth of this.all.filter(({ type }) => type === 'AUTH')) {
      const increments = this.childrenOf(auth, 'INCREMENTAL').filter((each) => this.stands(each))
      const captures = this.#counting(auth, 'POST_AUTH')
      assert.ok(captures.length <= 1)
      const authorised = sum([auth, ...increments].map(amountOf))
      const { captureTip, captureExcess } = this.till.ledger.settings
      for (const { order, tip, tax, surcharge, cashback } of captures) {
        assert.ok(order >= 1 && order <= authorised && cashback === 0)
        assert.ok(tip * 100 <= order * captureTip)
        const excess = (authorised * captureExcess) / 100
        assert.ok(tax <= sum([auth, ...increments].map((each) => each.tax)) + excess)
        assert.ok(surcharge <= sum([auth, ...increments].map((each) => each.surcharge)) + excess)
      }
      if (captures.length > 0) assert.equal(this.stands(auth), true)
    }
  }

  requestIds(): void {
    const { transactions, closes, usedIds } = this.till.ledger
    const ids = new Set(this.all.map(({ transactionRequestId }) => transactionRequestId))
    assert.equal(ids.size, this.all.length)
    assert.equal(transactions.size, this.all.length)
    for (const each of this.all)
      assert.equal(transactions.withTransactionRequestId(each.transactionRequestId)?.id, each.id)
    for (const [id, { transactionRequestId }] of closes)
      assert.deepEqual([id, transactions.withTransactionRequestId(id)], [transactionRequestId, undefined])
    for (const id of usedIds.keys())
      assert.ok(transactions.withTransactionRequestId(id) === undefined && !closes.has(id))
  }

  /** Every open and every closed batch is the sum of its members; each member is in one of them, and only once. */
  batches(): void {
    const { ledger } = this.till
    const open = [...ledger.batches].map(([key, batch]) => ({ key, batch, closedAt: null }))
    const closed = this.closes.flatMap(({ batches, closedAt }) =>
      batches.map((batch) => ({ key: keyOf(batch), batch, closedAt })),
    )
    const byNumber = new Map(
      [...closed, ...open].map((each) => [`${each.batch.terminalSn} ${each.batch.batchNo}`, each]),
    )
    assert.equal(byNumber.size, open.length + closed.length)
    const sums = new Map([...byNumber.keys()].map((number) => [number, noTotals()]))
    const refunded = new Map([...byNumber.keys()].map((number) => [number, new Set<Transaction>()]))
    const members = new Map<string, number>()
    for (const each of this.all) {
      const joins = each.online === null && ['SALE', 'FORCED_AUTH', 'POST_AUTH', 'REFUND'].includes(each.type)
      const number = `${each.terminalSn} ${each.batchNo}`
      const found = byNumber.get(number)
      if (each.status !== 'SUCCESS' || !joins) {
        assert.deepEqual([each.batchNo, batchStatusOf(ledger, each)], [null, 'N'])
        continue
      }
      const channelCode = `SBX-${builtIn.cardNamed(each.card ?? '')?.category}`
      assert.equal(found?.key, keyOf({ ...each, terminalSn: each.terminalSn ?? '', channelCode }))
      assert.equal(batchStatusOf(ledger, each), found.closedAt === null ? 'U' : 'C')
      if (found.closedAt !== null) assert.ok((each.completedAt ?? Infinity) <= found.closedAt)
      members.set(number, (members.get(number) ?? 0) + 1)
      if (this.stands(each)) addTo(sums.get(number), each)
      if (each.type === 'REFUND')
        refunded.get(number)?.add(this.till.ledger.transactions.get(each.originalId ?? '') ?? each)
    }
    assert.equal(members.size, byNumber.size)
    for (const [number, { batch, closedAt }] of byNumber) {
      const { count, net, tip, surcharge, tax } = batch
      assert.deepEqual({ count, net, tip, surcharge, tax }, sums.get(number))
      const charged = [...(refunded.get(number) ?? [])]
      assert.ok(net >= -sum(charged.map(amountOf)))
      for (const [part, total] of Object.entries({ tip, surcharge, tax }))
        assert.ok(total >= -sum(charged.map((each) => each[part as 'tip'])), part)
      if (closedAt !== null) assert.ok(count > 0)
    }
    for (const { terminalSn, batchNo } of ledger.terminals.values()) {
      const own = [...byNumber.values()].filter(({ batch }) => batch.terminalSn === terminalSn)
      const counted = own.map(({ batch }) => batch.batchNo).sort((one, other) => one - other)
      const numbers = Array.from({ length: batchNo }, (_, index) => index + 1)
      assert.deepEqual(counted, numbers)
    }
  }

  balances(): void {
    const { balances, holds } = this.till.ledger
    for (const currency of ['USD', 'EUR']) {
      const own = this.all.filter((each) => each.currency === currency)
      const inForce = own.filter((each) => this.stands(each))
      const earned = inForce.filter(({ type }) => ['SALE', 'FORCED_AUTH', 'POST_AUTH'].includes(type))
      const refunds = own.filter(({ type }) => type === 'REFUND')
      const paidBack = refunds.filter((each) => this.stands(each))
      const batches = this.closes.flatMap((close) => close.batches)
      const paidOut = sum(batches.filter((each) => each.currency === currency).map(({ net }) => net))
      const balance = sum(earned.map(amountOf)) - sum(paidBack.map(amountOf)) - paidOut
      assert.equal(balances.get(currency) ?? 0, balance)
      assert.equal(holds.get(currency) ?? 0, sum(refunds.filter(inFlight).map(amountOf)))
    }
  }

  lines(): void {
    for (const { terminalSn, line } of this.till.ledger.terminals.values()) {
      const own = this.all.filter((each) => each.terminalSn === terminalSn)
      const waiting = own.filter(({ inCloud, screen }) => !inCloud && screen !== 'done').map(({ id }) => id)
      assert.deepEqual(line, waiting)
    }
  }
}
