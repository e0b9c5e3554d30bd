import { expect, test } from 'vitest'
import { freePort } from '../../support/network/ports.ts'
import { following, openService, sale } from '../../support/service/service.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'
import { openFrozenService } from '../frozen-service.ts'

/** A service whose clocks stand, with these faults, and a receiver of its webhooks. */
async function faulty(...faults: readonly object[]) {
  const service = await openFrozenService()
  for (const fault of faults)
    expect(await service.control('POST', 'faults', fault)).toMatchObject({ code: '0' })
  const receiver = await openReceiver()
  const sell = async (amount: number, more: object = {}) => {
    const { data } = await service.call('sale', sale(amount, { notifyUrl: receiver.url, ...more }))
    await service.sandbox.courier.idle()
    return data.transactionId as string
  }
  const faultsOf = async () =>
    (await service.control('GET', 'webhooks')).data.deliveries.map(({ fault }: { fault: string }) => fault)
  const used = async () =>
    (await service.control('GET', 'faults')).data.faults.map(({ used }: { used: number }) => used)
  return { ...service, receiver, sell, faultsOf, used }
}

test('a webhook fault hits as many webhooks as its times allow', async () => {
  const service = await faulty({ kind: 'drop', times: 2 })
  for (let count = 0; count < 4; count++) await service.sell(1000)
  expect(await service.faultsOf()).toEqual(['drop', 'drop', null, null])
  expect(service.receiver.arrivals).toHaveLength(2)
  expect(await service.used()).toEqual([2])
})

test.each([
  ['operation', { operation: 'refund' }],
  ['terminalSn', { terminalSn: 'TBX-TIP20-001' }],
  ['amount', { amount: 4321 }],
])('a webhook fault hits only what its target names: %s', async (_, target) => {
  const service = await faulty({ kind: 'duplicate', always: true, ...target })
  const originalTransactionId = await service.sell(1000)
  await service.sell(4321, { terminalSn: 'TBX-TIP20-001' })
  const more = { amount: 1000, pushToTerminal: false, notifyUrl: service.receiver.url }
  await service.call('refund', following(originalTransactionId, more))
  await service.sandbox.courier.idle()
  const hit = 'operation' in target ? 2 : 1
  expect(await service.faultsOf()).toEqual([0, 1, 2].map((index) => (index === hit ? 'duplicate' : null)))
})

test('several faults hit one attempt together, but only the first of each kind', async () => {
  const service = await faulty(
    { kind: 'duplicate', share: 1e-12 },
    { kind: 'duplicate' },
    { kind: 'stale', always: true },
    { kind: 'duplicate', operation: 'void', always: true },
  )
  await service.sell(1000)
  await service.sell(1000)
  expect(await service.faultsOf()).toEqual(['duplicate, stale', 'stale'])
  expect(await service.used()).toEqual([0, 1, 2, 0])
})

test('a delay holds back its target alone', async () => {
  const service = await faulty({ kind: 'delay=1h', amount: 4321 })
  const arrived = () => service.receiver.arrivals.length
  await service.sell(1000)
  expect(arrived()).toBe(1)
  await service.sell(4321)
  expect(arrived()).toBe(1)
  await service.control('POST', 'clock', { action: 'advance', milliseconds: 3_600_000 })
  await service.sandbox.courier.idle()
  expect(arrived()).toBe(2)
  expect(await service.faultsOf()).toEqual([null, 'delay'])
})

test('X-Sandbox-Fault takes no fault of webhooks', async () => {
  const { call } = await openService()
  const { code, detail } = await call('sale', sale(1000), { 'X-Sandbox-Fault': 'drop' })
  expect([code, detail]).toEqual(['SBX_FAULT', 'drop is a fault of webhooks, not of answers'])
})

test('a webhook fault that acts once waits for a receiver that takes connections', async () => {
  const port = await freePort()
  const service = await openService({ forwardTo: `http://127.0.0.1:${port}/hook` })
  await service.control('POST', 'faults', { kind: 'bad-signature' })
  expect((await service.call('sale', sale(1000))).code).toBe('0')
  await service.sandbox.courier.idle()
  const uses = async () => (await service.control('GET', 'faults')).data.faults[0].used
  expect(await uses()).toBe(0)
  const receiver = await openReceiver(200, port)
  await receiver.got(1)
  await expect.poll(uses).toBe(1)
})
