import { expect, test } from 'vitest'
import type { Ledger } from '../../../src/domain/model/ledger.ts'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { Transactions } from '../../../src/domain/model/transactions.ts'
import { newestTransactions } from '../../../src/sandbox/views/transaction-text.ts'

const enter = (transactions: Transactions, ...ids: readonly number[]) => {
  for (const id of ids) transactions.add({ id: String(id) } as Transaction)
}

const newest = (ledgers: readonly Ledger[], limit: number, matchesId: (id: number) => boolean = () => true) =>
  newestTransactions(ledgers, {
    matches: ({ transaction }) => matchesId(Number(transaction.id)),
    show: ({ transaction }) => Number(transaction.id),
    limit,
  })

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, index) => index + from)

test('the newest transactions of all ledgers are found together, over several turns of the event loop', async () => {
  const [one, other] = [new Transactions(), new Transactions()]
  enter(one, ...numbers(50_000))
  enter(other, 7.5, 49_999.5)
  const ledgers = [{ transactions: one }, { transactions: other }] as unknown as Ledger[]
  expect(await newest(ledgers, 3)).toEqual([50_000, 49_999.5, 49_999])
  expect(await newest(ledgers, 3, (id) => id < 9)).toEqual([8, 7.5, 7])
  expect(await newest(ledgers, 3, (id) => id < 2)).toEqual([1])
})

test('a transaction that comes during a search changes nothing in its result', async () => {
  const transactions = new Transactions()
  enter(transactions, ...numbers(30_000))
  const ledgers = [{ transactions }] as unknown as Ledger[]
  const result = newest(ledgers, 2, (id) => id <= 2)
  enter(transactions, 30_001)
  expect(await result).toEqual([2, 1])
  expect(await newest(ledgers, 1)).toEqual([30_001])
})
