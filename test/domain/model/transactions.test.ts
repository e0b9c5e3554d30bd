import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Online, Transaction } from '../../../src/domain/model/transaction.ts'
import { Transactions } from '../../../src/domain/model/transactions.ts'
import { times } from '../../support/runner/counts.ts'

/** The members by which transactions are found and counted. */
const transaction = (number: number): Transaction =>
  ({
    id: String(1_000_000 + number),
    transactionRequestId: `R-${number}`,
    status: number % 2 === 0 ? 'SUCCESS' : 'FAIL',
    online: number % 3 === 0 ? ({ sessionId: `S-${number}` } as Online) : null,
  }) as Transaction

test('transactions are found by each of their ids, in their order, and counted by status', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(30)), fc.nat(30), (numbers, other) => {
      const transactions = new Transactions()
      const all = numbers.map(transaction)
      for (const each of all) transactions.add(each)
      expect([...transactions]).toEqual(all)
      expect([...transactions.newest()]).toEqual(all.toReversed())
      expect(transactions.size).toBe(all.length)
      expect(transactions.since(1)).toEqual(all.slice(1))
      for (const number of [...numbers, other]) {
        const found = all.find(({ id }) => id === transaction(number).id)
        expect(transactions.get(transaction(number).id)).toBe(found)
        expect(transactions.has(transaction(number).id)).toBe(found !== undefined)
        expect(transactions.withTransactionRequestId(`R-${number}`)).toBe(found)
        expect(transactions.ofSession(`S-${number}`)).toBe(found?.online ? found : undefined)
      }
      for (const status of ['SUCCESS', 'FAIL'] as const)
        expect(transactions.countByStatus().get(status) ?? 0).toBe(
          all.filter((each) => each.status === status).length,
        )
      const greatest = Math.max(0, ...all.map(({ id }) => Number(id)))
      expect(Number(transactions.greatestId)).toBe(greatest)
      const around = all.length === 0 ? [] : [greatest - 1, greatest, greatest + 1]
      expect(around.filter((id) => transactions.isGreaterThanAll(String(id)))).toEqual(around.slice(2))
    }),
    { numRuns: times(100, 2_000) },
  )
})

test('an iteration goes on with what is added meanwhile', () => {
  const transactions = new Transactions()
  transactions.add(transaction(1))
  const walk = transactions[Symbol.iterator]()
  walk.next()
  transactions.add(transaction(2))
  expect(walk.next().value?.id).toBe('1000002')
})
