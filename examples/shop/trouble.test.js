import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useShop } from './testing.js'

const attended = 'TBX-ATTENDED-001'
const { sandbox, shops, open, ask, post, begin, ended, paid, pageAt, replace } = useShop()

/** How the attempts at the one notification of an order ended. */
async function answersTo(order) {
  const [{ id }] = await sandbox.webhooks.list({ order })
  return (await sandbox.webhooks.get(id)).deliveries[0].tries.map(({ status }) => status)
}

for (const fault of [
  'lost-answer',
  'lost-request',
  'reset',
  'truncated',
  'empty',
  'not-json',
  'http-500',
  'http-503',
  'http-429',
])
  test(`${fault}: the sale is charged once`, async () => {
    await sandbox.faults.add(fault, { operation: 'sale' })
    const { id, status } = await begin('/orders', { amount: 1250 })
    const { charged } = await ended(id)
    const sales = await sandbox.payments.list({ order: id })
    assert.deepEqual([status, charged, sales.length], [202, 1250, 1])
  })

test('an answer after the time limit: the sale is charged once', async () => {
  await open({ timeout: 300 })
  await sandbox.faults.add('latency=600', { operation: 'sale' })
  const { id } = await begin('/orders', { amount: 1250 })
  const { charged } = await ended(id)
  while ((await sandbox.requests.list({ operation: 'sale' })).length === 0) await sandbox.clock.now()
  assert.equal(charged, 1250)
})

test('nobody answers: a job learns that nothing was charged, and the order is paid anew', async () => {
  await sandbox.faults.add('lost-request', { operation: 'sale' })
  await sandbox.faults.add('http-503', { operation: 'query' })
  const { id, status } = await begin('/orders', { amount: 1250 })
  await post('/reconcile')
  const { state } = await ask('GET', `/orders/${id}`)
  await post(`/orders/${id}/pay`)
  assert.deepEqual([status, state, (await ended(id)).charged], [500, 'open', 1250])
})

test('a page whose answer is lost is closed, and another one opened', async () => {
  await sandbox.faults.add('lost-answer', { operation: 'create-session' })
  const { id, checkoutUrl } = await begin('/pages', { amount: 1250 })
  await pageAt(checkoutUrl).pay()
  const { charged } = await ended(id)
  const [first] = await sandbox.payments.list({ order: id })
  assert.deepEqual([charged, first.status], [1250, 'CLOSED'])
})

test('a shop that lost its orders asks for what it sold', async () => {
  const id = await paid(1250)
  await open()
  const { state } = await ask('PUT', `/orders/${id}`, { amount: 1250 })
  assert.equal(state, 'paid')
})

for (const [when, keys] of [
  ['before the new key is set', (old, key) => [old, key]],
  ['before the new key is valid', (_, key) => ['tbx_sandbox_0000000000000000', key]],
])
  test(`a key is replaced: ${when}`, async () => {
    const { apiKey } = await replace('/keys/regenerate', { graceMs: 0 })
    await open({ apiKeys: keys(sandbox.apiKey, apiKey) })
    const { id } = await begin('/orders', { amount: 1250 })
    assert.equal((await ended(id)).state, 'paid')
  })

for (const [what, prepare, amount] of [
  ['of more than was paid', () => undefined, 1251],
  ['of what was paid back', (id) => post(`/orders/${id}/refund`, { amount: 1250 }), 1],
  ['of what the back office voided', voidInBackOffice, 1250],
  ['after the period for refunds', () => sandbox.clock.advance('181d'), 1250],
])
  test(`a refund ${what} is refused`, async () => {
    const id = await paid(1250)
    await prepare(id)
    await ended(id)
    assert.equal((await post(`/orders/${id}/refund`, { amount })).status, 422)
  })

/** Somebody else voids the payment of an order. */
async function voidInBackOffice(order) {
  const [{ transactionId: originalTransactionId }] = await sandbox.payments.list({ order })
  const { transactionId } = await sandbox.client.void({ originalTransactionId })
  await sandbox.payments.waitFor(transactionId)
  await sandbox.client.query({ transactionId })
}

test('a refund of more than the shop has is refused', async () => {
  const id = await paid(20_000_000)
  await post('/close-day')
  assert.equal((await post(`/orders/${id}/refund`, { amount: 20_000_000 })).status, 422)
})

for (const [what, wait, amount] of [
  ['of more than was authorised', () => undefined, 1251],
  ['after the authorisation expired', () => sandbox.clock.advance('31d'), 1250],
])
  test(`a capture ${what} is refused`, async () => {
    const { id } = await begin('/rooms', { amount: 1250 })
    await ended(id)
    await wait()
    assert.equal((await post(`/rooms/${id}/check-out`, { amount })).status, 422)
  })

test('a sale of nothing is refused', async () => {
  assert.equal((await begin('/orders', { amount: 0 })).status, 422)
})

for (const fault of ['bad-signature', 'stale'])
  test(`${fault}: the notification is refused, and taken once it is genuine`, async () => {
    await sandbox.faults.add(fault)
    const id = await paid(1250)
    assert.deepEqual(await answersTo(id), [401, 200])
  })

test('a notification in the JSON of another language is taken: the signature is over its bytes', async () => {
  await sandbox.faults.add('other-json')
  assert.deepEqual(await answersTo(await paid(1250)), [200])
})

test('a notification that comes twice counts once', async () => {
  await sandbox.faults.add('duplicate')
  const id = await paid(1250)
  const [{ id: notification }] = await sandbox.webhooks.list({ order: id })
  await sandbox.webhooks.resend(notification)
  const { charged } = await ended(id)
  assert.deepEqual([await answersTo(id), charged], [[200, 200, 200], 1250])
})

test('"refunded" may come before "paid"', async () => {
  await sandbox.webhooks.hold()
  const { id } = await begin('/orders', { amount: 1250 })
  const { record } = await sandbox.payments.waitFor(id)
  const { transactionId } = await sandbox.client.refund({
    originalTransactionId: record.transactionId, // by the back office: the shop does not know of the sale yet
    amount: 1250,
    notifyUrl: `${shops[0].url}/webhooks`,
  })
  await sandbox.payments.waitFor(transactionId)
  const [sale, refund] = await sandbox.webhooks.list()
  await sandbox.webhooks.release(refund.id)
  const before = await ask('GET', `/orders/${id}`)
  await sandbox.webhooks.release(sale.id)
  assert.deepEqual([before.state, (await ended(id)).state], ['pending', 'refunded'])
})

test('a notification that comes late', async () => {
  await sandbox.faults.add('delay=30s')
  const { id } = await begin('/orders', { amount: 1250 })
  await sandbox.payments.waitFor(id)
  const before = await ask('GET', `/orders/${id}`)
  await sandbox.clock.advance('31s')
  assert.deepEqual([before.state, (await ended(id)).state], ['pending', 'paid'])
})

for (const [who, asks] of [
  ['a job', () => post('/reconcile')],
  ['the customer who comes back', (id) => ask('GET', `/orders/${id}/return`)],
])
  test(`a notification that never comes: ${who} makes the shop ask`, async () => {
    await sandbox.faults.add('drop')
    const { id, checkoutUrl } = await begin('/pages', { amount: 1250 })
    await pageAt(checkoutUrl).pay()
    const before = await ended(id)
    await asks(id)
    assert.deepEqual([before.state, (await ended(id)).state], ['pending', 'paid'])
  })

test('a notification that comes while the shop is closed', async () => {
  const [{ url, orders, close }] = shops
  const { id } = await begin('/orders', { amount: 1250, terminalSn: attended })
  await close()
  await sandbox.clock.freeze() // the next attempt waits for it
  await sandbox.terminal(attended).present('visa-contactless')
  await sandbox.payments.waitFor(id)
  while ((await sandbox.webhooks.list({ order: id }))[0].attempts === 0) await sandbox.clock.now()
  await open({ port: new URL(url).port, orders })
  await sandbox.clock.advance('1s')
  assert.equal((await ended(id)).state, 'paid')
})

test('a notification for another shop is taken', async () => {
  const notifyUrl = `${shops[0].url}/webhooks`
  const { referenceOrderId } = await sandbox.client.sale({ amount: 1250, priceCurrency: 'USD', notifyUrl })
  await ended(referenceOrderId)
  assert.deepEqual(await answersTo(referenceOrderId), [200])
})

test('the secret of webhooks is replaced', async () => {
  await replace('/webhook-secret/rotate')
  const id = await paid(1250)
  assert.deepEqual(await answersTo(id), [200])
})
