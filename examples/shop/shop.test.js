import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useShop } from './testing.js'

const attended = 'TBX-ATTENDED-001'
const { sandbox, ask, post, begin, ended, paid, pageAt } = useShop()

test('an approved sale is paid', async () => {
  const { id, status, state } = await begin('/orders', { amount: 1250 })
  assert.deepEqual([status, state], [202, 'pending'])
  assert.equal((await ended(id)).state, 'paid')
})

test('an order that is put twice is one', async () => {
  const id = await paid(1250)
  const again = await ask('PUT', `/orders/${id}`, { amount: 1250 })
  assert.deepEqual([again.status, (await ended(id)).charged], [409, 1250])
})

for (const [what, price, charged] of [
  ['yen have no decimals', { amount: 1250, priceCurrency: 'JPY' }, 1250],
  ['dinars have three decimals', { amount: 12_500, priceCurrency: 'KWD' }, 12_500],
  ['a tip, tax and a surcharge', { amount: 1000, tipAmount: 200, taxAmount: 80, surchargeAmount: 30 }, 1310],
])
  test(`${what}: the whole price is charged`, async () => {
    const { id } = await begin('/orders', price)
    assert.equal((await ended(id)).charged, charged)
  })

for (const outcome of [
  'insufficient-funds',
  'do-not-honor',
  'expired-card',
  'lost-card',
  'suspected-fraud',
  'issuer-unavailable',
  'host-timeout',
])
  test(`${outcome}: nothing is refunded, and another card may pay`, async () => {
    await sandbox.terminal().queue(outcome)
    const { id } = await begin('/orders', { amount: 1250 })
    await sandbox.clock.advance('61s')
    const { state } = await ended(id, 'declined')
    const refund = await post(`/orders/${id}/refund`, { amount: 1250 })
    await post(`/orders/${id}/pay`)
    const again = await ended(id)
    assert.deepEqual([state, refund.status, again.state], ['declined', 409, 'paid'])
  })

test('a wrong PIN three times is a decline', async () => {
  const terminal = sandbox.terminal(attended)
  const { id } = await begin('/orders', { amount: 1250, terminalSn: attended })
  await terminal.waitForScreen('present-card')
  await terminal.present('visa-chip-pin')
  for (let tries = 3; tries > 0; tries--) {
    await terminal.waitForScreen('pin')
    await terminal.pin({ correct: false })
  }
  assert.equal((await ended(id, 'declined')).state, 'declined')
})

test('a host that approves late: pending until it does, and not paid twice', async () => {
  await sandbox.terminal().queue('late-approval')
  const { id, state } = await begin('/orders', { amount: 1250 })
  const again = await post(`/orders/${id}/pay`)
  await sandbox.clock.advance('2m')
  assert.deepEqual([state, again.status, (await ended(id)).charged], ['pending', 409, 1250])
})

test('a paid order is not paid again', async () => {
  const id = await paid(1250)
  const again = await post(`/orders/${id}/pay`)
  assert.deepEqual([again.status, (await ended(id)).charged], [409, 1250])
})

for (const [how, terminalSn, act] of [
  ['the customer cancels', 'TBX-CANCEL-001', () => undefined],
  ['the cashier aborts', attended, (id) => post(`/orders/${id}/abort`)],
  ['the terminal is offline, and the day is over', 'TBX-OFFLINE-001', () => sandbox.clock.advance('25h')],
])
  test(`${how}: closed, and nothing is paid`, async () => {
    const { id } = await begin('/orders', { amount: 1250, terminalSn })
    await act(id)
    const { state, charged } = await ended(id, 'closed')
    assert.deepEqual([state, charged], ['closed', 0])
  })

test('an abort that comes too late changes nothing', async () => {
  await sandbox.terminal().queue('late-approval')
  const { id } = await begin('/orders', { amount: 1250 })
  await post(`/orders/${id}/abort`)
  await sandbox.clock.advance('2m')
  assert.equal((await ended(id)).state, 'paid')
})

test('another terminal takes what a busy one refuses', async () => {
  const { id, status } = await begin('/orders', { amount: 1250, terminalSn: 'TBX-BUSY-001' })
  await post(`/orders/${id}/pay`, { terminalSn: sandbox.terminalSn })
  assert.deepEqual([status, (await ended(id)).state], [422, 'paid'])
})

test('the bank approves by telephone, and the tip is written on the slip', async () => {
  const { id } = await begin('/vouchers', { amount: 5000 })
  await ended(id)
  const { state, charged } = await post(`/orders/${id}/tip`, { amount: 700 })
  assert.deepEqual([state, charged], ['paid', 5700])
})

test('a room: authorise, raise, capture, refund in part', async () => {
  const { id } = await begin('/rooms', { amount: 20_000 })
  const held = await ended(id)
  await post(`/rooms/${id}/raise`, { amount: 5_000 })
  const raised = await ended(id)
  await post(`/rooms/${id}/check-out`, { amount: 23_400 })
  const captured = await ended(id)
  await post(`/orders/${id}/refund`, { amount: 3_400 })
  const { state, refunded } = await ended(id)
  assert.deepEqual([held.state, raised.authorised, captured.charged], ['authorised', 25_000, 23_400])
  assert.deepEqual([state, refunded], ['partly refunded', 3_400])
})

test('a customer pays on the page with the second card, and comes back', async () => {
  const { id, checkoutUrl } = await begin('/pages', { amount: 5900 })
  const checkout = pageAt(checkoutUrl)
  await checkout.pay('visa-declined')
  await checkout.pay()
  const { state } = await ask('GET', `/orders/${id}/return?status=S`)
  await post(`/orders/${id}/refund`, { amount: 5900 })
  assert.deepEqual([state, (await ended(id)).state], ['paid', 'refunded'])
})

test('a declined refund leaves the order paid', async () => {
  const id = await paid(1250)
  await sandbox.terminal().queue('do-not-honor')
  await post(`/orders/${id}/refund`, { amount: 1250 })
  const { state, refunded } = await ended(id, 'declined')
  assert.deepEqual([state, refunded], ['paid', 0])
})

for (const [when, wait, state] of [
  ['on the same day', async () => undefined, 'cancelled'],
  ['a day later', () => sandbox.clock.advance('1d'), 'refunded'],
  ['once its batch is closed', () => post('/close-day'), 'refunded'],
])
  test(`a payment is taken back ${when}: ${state}`, async () => {
    const id = await paid(1250)
    await wait()
    await post(`/orders/${id}/cancel`)
    assert.equal((await ended(id)).state, state)
  })

for (const fault of ['settlement-failed', 'partial-settlement', 'lost-answer'])
  test(`${fault}: the day is closed all the same`, async () => {
    await paid(1250)
    const { id } = await begin('/orders', { amount: 1000, terminalSn: attended })
    await sandbox.terminal(attended).present('wechat-qr') // settled by another channel
    await ended(id)
    await sandbox.faults.add(fault, { operation: 'batch-close' })
    const { status } = await post('/close-day')
    const { openBatches } = await sandbox.state()
    assert.deepEqual([status, openBatches], [202, 0])
  })
