import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { useSandbox } from 'tillbox/node-test'
import { openShop } from './shop.js'

const attended = 'TBX-ATTENDED-001'
const pick = ({ state, captured, refunded }) => [state, captured, refunded]

describe('the shop', () => {
  const sandbox = useSandbox({ retries: 'fast' })
  let shop

  before(async () => {
    const { url, apiKey, appId, merchantId, terminalSn, webhookSecret } = sandbox
    shop = await openShop({ service: { url, apiKey, appId, merchantId, terminalSn }, webhookSecret })
  })
  after(() => shop.close())

  async function ask(method, path, members) {
    const answer = await fetch(`${shop.url}${path}`, { method, body: members && JSON.stringify(members) })
    return { status: answer.status, ...(await answer.json()) }
  }

  const post = (path, members) => ask('POST', path, members)
  /** Where an order stands once all that was sent has arrived. */
  async function settled(id) {
    await sandbox.webhooks.delivered()
    return ask('GET', `/orders/${id}`)
  }

  async function paid(amount) {
    const { id } = await post('/orders', { amount })
    await sandbox.payments.waitFor(id)
    return id
  }

  test('an approved sale is paid', async () => {
    const { id, status, state } = await post('/orders', { amount: 1250 })
    assert.deepEqual([status, state], [202, 'pending'])
    await sandbox.payments.waitFor(id)
    assert.equal((await settled(id)).state, 'paid')
  })

  test('a declined card leaves the order unpaid, and it cannot be refunded', async () => {
    await sandbox.terminal().queue('insufficient-funds')
    const { id } = await post('/orders', { amount: 1250 })
    await sandbox.payments.waitFor(id, 'FAIL')
    assert.equal((await settled(id)).state, 'declined')
    assert.equal((await post(`/orders/${id}/refund`, { amount: 1250 })).status, 409)
  })

  test('a wrong PIN three times is a decline', async () => {
    const terminal = sandbox.terminal(attended)
    const { id } = await post('/orders', { amount: 1250, terminalSn: attended })
    await terminal.waitForScreen('present-card')
    await terminal.present('visa-chip-pin')
    for (let tries = 3; tries > 0; tries--) {
      await terminal.waitForScreen('pin')
      await terminal.pin({ correct: false })
    }
    await sandbox.payments.waitFor(id, 'FAIL')
    assert.equal((await settled(id)).state, 'declined')
  })

  test('a sale whose answer is lost is charged once', async () => {
    await sandbox.faults.add('lost-answer', { operation: 'sale' })
    const { id, status } = await post('/orders', { amount: 1250 })
    assert.equal(status, 202)
    await sandbox.payments.waitFor(id)
    assert.equal((await settled(id)).state, 'paid')
    assert.equal((await sandbox.payments.list({ order: id })).length, 1)
    const operations = (await sandbox.requests.list()).map(({ operation }) => operation)
    assert.deepEqual(operations.toSorted(), ['query', 'sale'])
  })

  test('a sale that never arrived is sent again, with the same transactionRequestId', async () => {
    await sandbox.faults.add('lost-request', { operation: 'sale' })
    const { id, status } = await post('/orders', { amount: 1250 })
    assert.equal(status, 202)
    await sandbox.payments.waitFor(id)
    assert.equal((await settled(id)).state, 'paid')
    assert.equal((await sandbox.payments.list({ order: id })).length, 1)
  })

  test('a notification that comes twice counts once', async () => {
    const id = await paid(1000)
    await sandbox.webhooks.delivered()
    await post(`/orders/${id}/refund`, { amount: 400 })
    await sandbox.webhooks.delivered()
    const [refund] = await sandbox.payments.list({ order: id, type: 'REFUND' })
    const [{ id: notification }] = await sandbox.webhooks.list({ transactionId: refund.transactionId })
    await sandbox.webhooks.resend(notification)
    const { state, refunded, mails } = await settled(id)
    assert.deepEqual([state, refunded, mails], ['partly refunded', 400, 2])
    assert.equal((await sandbox.webhooks.get(notification)).deliveries[0].tries.length, 2)
  })

  test('"refunded" may come before "paid"', async () => {
    await sandbox.webhooks.hold()
    const id = await paid(1000)
    const [sale] = await sandbox.payments.list({ order: id })
    const refund = await sandbox.client.refund({
      originalTransactionId: sale.transactionId, // by the back office: the shop does not know of the sale yet
      amount: 1000,
      priceCurrency: 'USD',
      notifyUrl: `${shop.url}/webhooks`,
    })
    await sandbox.payments.waitFor(refund.transactionId)
    const [first, second] = await sandbox.webhooks.list()
    await sandbox.webhooks.release(second.id)
    assert.deepEqual(pick(await settled(id)), ['pending', 0, 1000])
    await sandbox.webhooks.release(first.id)
    assert.deepEqual(pick(await settled(id)), ['refunded', 1000, 1000])
  })

  test('a host that approves late: pending until it does', async () => {
    await sandbox.terminal().queue('late-approval')
    const { id } = await post('/orders', { amount: 1250 })
    assert.equal((await settled(id)).state, 'pending')
    await sandbox.clock.advance('60s')
    await sandbox.payments.waitFor(id)
    assert.equal((await settled(id)).state, 'paid')
  })

  test('a room: authorise, raise, capture, refund in part', async () => {
    const { id } = await post('/rooms', { amount: 20_000 })
    await sandbox.payments.waitFor(id)
    assert.equal((await settled(id)).state, 'authorised')
    await post(`/rooms/${id}/raise`, { amount: 5_000 })
    assert.equal((await settled(id)).authorised, 25_000)
    await post(`/rooms/${id}/check-out`, { amount: 23_400 })
    assert.deepEqual(pick(await settled(id)), ['paid', 23_400, 0])
    await post(`/orders/${id}/refund`, { amount: 3_400 })
    assert.deepEqual(pick(await settled(id)), ['partly refunded', 23_400, 3_400])
  })

  test('a notification with a wrong signature changes nothing, and is refused', async () => {
    await sandbox.webhooks.faults({ badSignature: 1 })
    const id = await paid(1000)
    await sandbox.webhooks.delivered()
    const [{ last, state }] = await sandbox.webhooks.list()
    assert.deepEqual([last, state], [401, 'failed'])
    assert.equal((await settled(id)).state, 'pending')
  })
})
