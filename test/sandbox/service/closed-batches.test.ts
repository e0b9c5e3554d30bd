import { describe, expect, test } from 'vitest'
import { newId } from '../../support/service/new-id.ts'
import { advanceClock, openService, type Service, sale, WallClock } from '../../support/service/service.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.UTC(2026, 10, 20, 12)
const iso = (at: number) => new Date(at).toISOString()

const settle = async ({ call }: Service, members: object = {}) => {
  const answer = await call('batch-close', { transactionRequestId: newId('CLOSE'), ...members })
  expect(answer.code).toBe('0')
}

/** Numbers of the closed batches that the list shows. */
const listed = async ({ call }: Service, members: object = {}) => {
  const answer = await call('batch-close-list', members)
  expect([answer.code, answer.detail]).toEqual(['0', undefined])
  return answer.data.batchCloseList.map(({ batchNo }: { batchNo: string }) => batchNo)
}

/** A sandbox whose clock stands at noon of the 20th, when one batch was closed. */
async function open(options: object = {}): Promise<Service> {
  const service = await openService({ wall: new WallClock(start).read, ...options })
  await service.call('sale', sale(1000, { tipAmount: 100 }))
  await settle(service)
  return service
}

describe('the list of closed batches', () => {
  test('each closed batch has exactly these members, and the oldest comes first', async () => {
    const service = await open()
    await advanceClock(service, hour)
    await service.call('sale', sale(300, { cardNetworkType: 'EBT', terminalSn: 'TBX-SLOW-001' }))
    await advanceClock(service, hour)
    await service.call('sale', sale(5))
    await settle(service, { terminalSn: 'TBX-AUTO-001' })
    const card = {
      ...{ batchStatus: 'S', priceCurrency: 'USD', channelCode: 'SBX-CARD', terminalSn: 'TBX-AUTO-001' },
      ...{ mid: '000100000000101', tid: '00000101', totalCount: 1 },
    }
    const { data } = await service.call('batch-close-list', {})
    expect(data).toEqual({
      batchCloseList: [
        { ...card, batchNo: 1, batchTime: '2026-11-20T12:00:00+00:00', netAmount: 1100 },
        { ...card, batchNo: 2, batchTime: '2026-11-20T14:00:00+00:00', netAmount: 5 },
      ],
    })
    await settle(service, { terminalSn: 'TBX-SLOW-001' })
    const slow = await service.call('batch-close-list', { terminalSn: 'TBX-SLOW-001' })
    const closed = [{ batchNo: 1, channelCode: 'SBX-EBT', mid: '000100000000102', tid: '00000602' }]
    expect(slow.data.batchCloseList).toMatchObject(closed)
  })

  test('the list is filtered by channel and terminal, and an unknown terminal is refused', async () => {
    const service = await open()
    await service.call('sale', sale(1))
    await service.call('sale', sale(300, { cardNetworkType: 'EBT' }))
    await settle(service)
    expect(await listed(service)).toEqual([1, 2, 3])
    expect(await listed(service, { channelCode: 'SBX-CARD' })).toEqual([1, 2])
    expect(await listed(service, { channelCode: 'SBX-EBT' })).toEqual([3])
    for (const nothing of [{ channelCode: 'SBX-GOLD' }, { terminalSn: 'TBX-SLOW-001' }])
      expect(await listed(service, nothing)).toEqual([])
    expect((await service.call('batch-close-list', { terminalSn: 'NEW-1' })).code).toBe('SBX_UNREGISTERED')
  })

  test('the default period is the last 7 days of the sandbox clock, to the millisecond', async () => {
    const service = await open()
    await advanceClock(service, 7 * day)
    expect(await listed(service)).toEqual([1])
    await advanceClock(service, 1)
    expect(await listed(service)).toEqual([])
    await service.control('POST', 'clock', { action: 'reset' })
    expect(await listed(service)).toEqual([1])
  })

  test('a period includes both its ends, in any offset', async () => {
    const service = await open()
    await advanceClock(service, 20 * day)
    for (const [startTime, endTime, found] of [
      [iso(start), iso(start), [1]],
      [iso(start - 30 * day), iso(start), [1]],
      [iso(start + 1), iso(start + day), []],
      [iso(start - day), iso(start - 1), []],
      ['2026-11-20T13:00:00+01:00', '2026-11-20T07:00:00-05:00', [1]],
      ['2026-11-20T12:00+00:00', '2026-11-20T12:00:00.5Z', [1]],
    ])
      expect(await listed(service, { startTime, endTime })).toEqual(found)
  })

  test.each<[string, object, string]>([
    ['half a period', { startTime: iso(start) }, 'endTime'],
    ['the other half', { endTime: iso(start) }, 'startTime'],
    ['more than 30 days', { startTime: iso(start), endTime: iso(start + 30 * day + 1) }, 'endTime'],
    ['its end before its start', { startTime: iso(start), endTime: iso(start - 1) }, 'endTime'],
    ['no offset', { startTime: '2026-11-20T12:00:00', endTime: iso(start) }, 'startTime'],
    ['an empty start', { startTime: '', endTime: iso(start) }, 'startTime'],
  ])('a wrong period is refused with the field: %s', async (_, members, field) => {
    const { call } = await open()
    expect(await call('batch-close-list', members)).toMatchObject({ status: 200, code: 'C17', field })
  })

  test('a batch that is closed while the clock is set back is found by its own time', async () => {
    const service = await open()
    await service.control('POST', 'clock', { action: 'set', time: iso(start - 10 * day) })
    expect(await listed(service)).toEqual([])
    await service.call('sale', sale(1))
    await settle(service)
    expect(await listed(service)).toEqual([2])
    expect(await listed(service, { startTime: iso(start - 15 * day), endTime: iso(start) })).toEqual([1, 2])
  })
})

describe('assumption batch-close', () => {
  test('an advance over the time of day closes the batches of all terminals together, once', async () => {
    const service = await openService({ wall: new WallClock(start).read, autoClose: '23:30' })
    await service.call('sale', sale(1000))
    await service.call('sale', sale(500, { terminalSn: 'TBX-SLOW-001' }))
    await advanceClock(service, 11.5 * hour - 1)
    expect(await listed(service)).toEqual([])
    await advanceClock(service, day)
    const closes = [...(service.sandbox.engine.state.ledgers.get('M1000000001')?.closes.values() ?? [])]
    expect(closes).toHaveLength(1)
    expect(closes[0]).toMatchObject({ closedAt: start + 11.5 * hour, batches: [{ net: 1000 }, { net: 500 }] })
    expect((await service.call('batch-query', {})).data.batchList).toEqual([])
  })

  test('batches are closed at the start when the time of day passed while the sandbox was stopped', async () => {
    const wall = new WallClock(start)
    const first = await openService({ wall: wall.read, autoClose: '23:30' })
    await first.call('sale', sale(1000))
    await first.close()
    wall.pass(day)
    const again = await openService({ state: first.folder, wall: wall.read, autoClose: '23:30' })
    await expect.poll(() => listed(again)).toEqual([1])
  })
})
