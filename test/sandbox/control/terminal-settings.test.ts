import { describe, expect, test } from 'vitest'
import { openService, type Service, sale, temporaryFolder, WallClock } from '../../support/service/service.ts'

const minute = 60_000
const auto = 'TBX-AUTO-001'
const slow = 'TBX-SLOW-001'

const set = async ({ control }: Service, terminalSn: string, changes: object) =>
  (await control('PATCH', `terminals/${terminalSn}`, changes)).data

/** How long a sale takes on a terminal, by the sandbox clock; each of its two screens lasts as long as the pace says. */
async function timeOn(service: Service, terminalSn: string): Promise<number> {
  const { data } = await service.call('sale', sale(1000, { terminalSn }))
  await service.control('POST', 'clock', { action: 'advance', milliseconds: 60 * minute })
  const { status, timeline } = (await service.control('GET', `transactions/${data.transactionId}`)).data
  expect(status).toBe('SUCCESS')
  return timeline.at(-1).at - timeline[0].at
}

const open = (options: object = {}) => openService({ wall: new WallClock().read, ...options })

describe('a terminal whose settings are changed', () => {
  test('after null a terminal follows the pace of the start', async () => {
    const service = await open({ pace: 500 })
    const usual = await timeOn(service, auto)
    expect(usual).toBeGreaterThan(0)
    await set(service, auto, { pace: 0 })
    expect(await set(service, auto, { label: 'Bar' })).toMatchObject({ pace: 0, label: 'Bar' })
    expect(await timeOn(service, auto)).toBe(0)
    for (const each of [auto, slow])
      expect(await set(service, each, { pace: null })).not.toHaveProperty('pace')
    expect([await timeOn(service, auto), await timeOn(service, slow)]).toEqual([usual, usual])
  })

  test('a change of another setting does not fix the pace: a restart can change it', async () => {
    const state = temporaryFolder()
    const first = await open({ state, pace: 500 })
    const usual = await timeOn(first, auto)
    await set(first, auto, { card: 'amex-chip' })
    await first.close()
    const service = await open({ state, pace: 1000 })
    expect(await timeOn(service, auto)).toBe(2 * usual)
  })

  test('null clears any setting, and leaves the others', async () => {
    const service = await open()
    const pay = { pace: 5, tipPercent: 7, card: 'amex-chip', outcome: 'lost-card' }
    const all = { online: false, busy: 'reject', ...pay }
    expect(await set(service, auto, all)).toMatchObject(all)
    const { outcome: _, ...others } = all
    const cleared = await set(service, auto, { outcome: null })
    expect(cleared).toMatchObject(others)
    expect(cleared).not.toHaveProperty('outcome')
    for (const name of Object.keys(others)) await set(service, auto, { [name]: null })
    const { terminals } = (await service.control('GET', 'terminals')).data
    const terminal = terminals.find(({ terminalSn }: { terminalSn: string }) => terminalSn === auto)
    for (const name of Object.keys(all).filter((each) => each !== 'online'))
      expect(terminal).not.toHaveProperty(name)
    expect(terminal).toMatchObject({ mode: 'auto', online: true })
  })
})

const serials = async ({ control }: Service): Promise<string[]> =>
  (await control('GET', 'terminals')).data.terminals.map((each: { terminalSn: string }) => each.terminalSn)

describe('a terminal that is removed', () => {
  test('a removed terminal stays removed after a reset, and can be added again', async () => {
    const service = await open()
    const removed = (await service.control('DELETE', `terminals/${slow}`)).data
    expect(removed).toEqual({ terminalSn: slow, status: 'removed' })
    expect(await serials(service)).not.toContain(slow)
    expect((await service.control('POST', 'reset')).code).toBe('0')
    expect(await serials(service)).not.toContain(slow)
    expect((await service.control('POST', 'terminals', { terminalSn: slow })).code).toBe('0')
    expect(await serials(service)).toContain(slow)
  })

  test('a removed terminal that comes back goes on with its batches and vouchers', async () => {
    const service = await open()
    const sell = async ({ call }: Service) =>
      (await call('sale', sale(1000, { terminalSn: auto }))).data.transactionId
    const record = async ({ call }: Service, transactionId: string) =>
      (await call('query', { transactionId })).data
    const before = await record(service, await sell(service))
    const close = { transactionRequestId: 'close-1', terminalSn: auto }
    expect((await service.call('batch-close', close)).code).toBe('0')
    expect((await service.control('DELETE', `terminals/${auto}`)).code).toBe('0')
    await service.control('POST', 'terminals', { terminalSn: auto })
    const after = await record(service, await sell(service))
    expect(before).toMatchObject({ batchNo: 1, voucherNo: '000001' })
    expect(after).toMatchObject({ batchNo: 2, voucherNo: '000002' })
  })
})

test('a name is listed and shown, survives a reset, has at most 40 characters, and null removes it', async () => {
  const service = await open()
  const shown = async () => (await service.control('GET', `terminals/${auto}/screen`)).data
  expect(await set(service, auto, { label: 'Bar, left' })).toMatchObject({ label: 'Bar, left' })
  await service.control('POST', 'reset')
  expect(await shown()).toMatchObject({ terminalSn: auto, label: 'Bar, left' })
  expect(await set(service, auto, { label: null })).not.toHaveProperty('label')
  expect(await shown()).not.toHaveProperty('label')
  const { code, msg } = await service.control('PATCH', `terminals/${auto}`, { label: 'x'.repeat(41) })
  expect([code, msg]).toEqual(['C17', expect.stringContaining('40')])
})
