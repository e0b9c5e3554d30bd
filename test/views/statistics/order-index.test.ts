import { expect, test } from 'vitest'
import { OrderIndex } from '../../../src/views/statistics/order-index.ts'

test('an index of orders finds the records of an order, oldest first', () => {
  const index = new OrderIndex<{ readonly id: number }>()
  for (let id = 0; id < 3_000; id++) index.add(`ORDER-${id % 1_000}`, { id })
  index.add(null, { id: 3_000 })
  const ids = (order: string) => index.of(order).map(({ id }) => id)
  for (let order = 0; order < 1_000; order++)
    expect(ids(`ORDER-${order}`)).toEqual([order, order + 1_000, order + 2_000])
  for (const order of ['ORDER-1000', '', 'null', 'order-1', '注文']) expect(ids(order)).toEqual([])
  index.add('注文', { id: 1 })
  expect(ids('注文')).toEqual([1])
})
