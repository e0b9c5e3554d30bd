import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { KnownPayment } from '../../../../src/testing/scenario/merchant/laws.ts'
import { readOrders, untoldMembers } from '../../../../src/testing/scenario/merchant/orders.ts'
import { askOrdersOf, readOrdersFile } from '../../../../src/testing/scenario/merchant/orders-file.ts'
import { fileWith } from '../../../support/commands/scratch.ts'

const sale: KnownPayment = {
  transactionId: '1',
  referenceOrderId: 'ORDER-1',
  originalTransactionId: null,
  type: 'SALE',
  status: 'SUCCESS',
  relatedTransactionStatus: null,
  amount: 1000,
  currency: 'USD',
}
const section = { request: 'GET /orders', paid: { status: 'paid' } }

/** Asks a server, whose list is another one each time, and the last one from then on. */
async function ask(...lists: readonly (readonly { id: string; status: string }[])[]) {
  let asked = 0
  const server = createServer((_, response) => {
    const list = lists[Math.min(asked, lists.length - 1)] ?? []
    asked += 1
    response.end(JSON.stringify(list.map((order) => ({ amount: '10.00', ...order }))))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const judged = await askOrdersOf('orders.yaml', section)(
    [sale],
    ['ORDER-REFUSED'],
    `http://127.0.0.1:${port}/webhooks`,
  )
  return { judged: [...judged.byId], asked }
}

test('an order that takes its last webhook a moment later is right, and asked for no longer then', async () => {
  const [open, paid] = ['open', 'paid'].map((status) => [{ id: 'ORDER-1', status }])
  expect(await ask(open ?? [], paid ?? [])).toEqual({ judged: [['ORDER-1', null]], asked: 2 })
  const { judged } = await ask(open ?? [])
  expect(judged).toEqual([['ORDER-1', expect.stringContaining('does not mark as paid')]])
})

test('orders of earlier tests, whose payments are gone, are not judged', async () => {
  const orders = ['ORDER-0', 'ORDER-1'].map((id) => ({ id, status: 'paid' }))
  expect(await ask(orders)).toEqual({ judged: [['ORDER-1', null]], asked: 1 })
})

test('an order whose only request was refused must not be called paid', async () => {
  const orders = ['ORDER-1', 'ORDER-REFUSED'].map((id) => ({ id, status: 'paid' }))
  const { judged } = await ask(orders)
  expect(judged).toContainEqual(['ORDER-REFUSED', expect.stringContaining('no payment of it is approved')])
})

test('null is nothing that was paid back, and no price', () => {
  const listed = [{ id: 'ORDER-1', status: 'paid', amount: null, refunded: null }]
  const named = { ...section, amount: 'amount', refunded: 'refunded', parcels: 'parcels' }
  expect(() => untoldMembers(listed, named)).toThrow('No order has amount')
  const { amount: _, ...rest } = named
  expect([...untoldMembers(listed, rest).keys()]).toEqual(['amount', 'parcels'])
})

test('an amount with two points is no amount', () => {
  expect(() => readOrders([{ id: 'ORDER-1', amount: '1.0.0' }], section)).toThrow('"1.0.0"')
})

test('without a webhook nobody knows where to ask', async () => {
  await expect(askOrdersOf('orders.yaml', section)([sale], [], undefined)).rejects.toThrow(
    'No webhook was sent',
  )
})

test('who ships what is paid by itself says what has left', async () => {
  const ships = 'request: GET /orders\npaid: { status: paid }\nshipsWhenPaid: true\n'
  await expect(readOrdersFile(fileWith('orders.yaml', ships))).rejects.toThrow('must say in shipped')
  const read = await readOrdersFile(fileWith('orders.yaml', `${ships}shipped: { left: true }\n`))
  expect(read).toMatchObject({ shipsWhenPaid: true })
})
