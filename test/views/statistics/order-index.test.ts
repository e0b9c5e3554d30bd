import { expect, test } from 'vitest'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { OrderIndex } from '../../../src/views/statistics/order-index.ts'

const record = (id: number, orderId: string | null) => ({
  transaction: { id: String(id), orderId } as Transaction,
})

test('an index of orders finds each record by its order, in the order in which they came', () => {
  const index = new OrderIndex<ReturnType<typeof record>>()
  for (let id = 0; id < 3_000; id++) index.add(record(id, `ORDER-${id % 1_000}`))
  index.add(record(3_000, null))
  const ids = (order: string) => index.of(order).map(({ transaction }) => Number(transaction.id))
  for (let order = 0; order < 1_000; order++)
    expect(ids(`ORDER-${order}`)).toEqual([order, order + 1_000, order + 2_000])
  for (const order of ['ORDER-1000', '', 'null', 'order-1', '注文']) expect(ids(order)).toEqual([])
  index.add(record(1, '注文'))
  expect(ids('注文')).toEqual([1])
})
