import { describe, expect, test } from 'vitest'
import { dataOf } from '../../support/service/ask.ts'
import { batchClose, pythonSdkHeader } from '../../support/service/requests.ts'
import { advanceClock, lastNotes, plainLedgersOf, type Service, sale } from '../../support/service/service.ts'
import { openAtNoon } from '../frozen-service.ts'

const hour = 3_600_000
const path = '/v1/settlement/batch-query'

const post = ({ send }: Service, members: object, headers: Record<string, string> = {}) =>
  send('POST', path, {
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(members),
  })

/** Sales on two channels and in two currencies: three batches. */
async function fill({ call }: Service): Promise<void> {
  await call('sale', sale(1000, { tipAmount: 150, taxAmount: 80, surchargeAmount: 20 }))
  await call('sale', sale(500, { cardNetworkType: 'EBT' }))
  await call('sale', sale(700, { priceCurrency: 'JPY' }))
}

describe('api operation-4-1: batch query', () => {
  const members = { appId: 'tbxapp0000000001', merchantId: 'M1000000001', terminalSn: 'TBX-AUTO-001' }

  test('there is one entry for a terminal, channel and currency, with exactly these members', async () => {
    const service = await openAtNoon()
    await fill(service)
    const { call } = service
    const inDollars = { terminalSn: 'TBX-AUTO-001', priceCurrency: 'USD' }
    const inYen = { batchNo: 3, channelCode: 'SBX-CARD', priceCurrency: 'JPY', netAmount: 700 }
    expect(dataOf(await call('batch-query', members))).toEqual({
      batchList: [
        {
          ...{ ...inDollars, batchNo: 1, startTime: '2026-11-20T12:00:00+00:00', channelCode: 'SBX-CARD' },
          ...{ totalCount: 1, netAmount: 1250, tipAmount: 150, surchargeAmount: 20, taxAmount: 80 },
        },
        expect.objectContaining({ ...inDollars, batchNo: 2, channelCode: 'SBX-EBT', netAmount: 500 }),
        expect.objectContaining(inYen),
      ],
    })
  })

  test('a POST is answered like a GET with the same members, even when members are left out', async () => {
    const service = await openAtNoon()
    await fill(service)
    await service.call('sale', sale(5, { terminalSn: 'TBX-TIP20-001' }))
    for (const request of [members, {}, { terminalSn: 'TBX-TIP20-001' }, { terminalSn: 'TBX-SLOW-001' }])
      expect(dataOf(await post(service, request))).toEqual(dataOf(await service.call('batch-query', request)))
  })

  test('api authentication-3: a POST only reads, and its X-Client-Request-Id may be used before or later', async () => {
    const service = await openAtNoon()
    const headers = { 'X-Client-Request-Id': crypto.randomUUID() }
    const before = plainLedgersOf(service.sandbox)
    for (let round = 0; round < 3; round++) expect((await post(service, members, headers)).code).toBe('0')
    expect(plainLedgersOf(service.sandbox)).toEqual(before)
    expect((await service.call('sale', sale(1), headers)).code).toBe('0')
    expect((await post(service, members, headers)).code).toBe('0')
  })

  test('--terminals open: an unknown terminal has no batches and is noted but not registered', async () => {
    const service = await openAtNoon({ terminals: 'open' })
    const before = plainLedgersOf(service.sandbox)
    expect(dataOf(await service.call('batch-query', { terminalSn: 'COUNTER-9' }))).toEqual({ batchList: [] })
    expect(lastNotes(service.sandbox)).toContain('terminalSn: COUNTER-9 is unknown')
    expect(plainLedgersOf(service.sandbox)).toEqual(before)
    const known = await openAtNoon()
    const refused = await known.call('batch-query', { terminalSn: 'COUNTER-9' })
    expect([refused.code, refused.field]).toEqual(['SBX_UNREGISTERED', 'terminalSn'])
  })

  test.each(['batch-query', 'batch-close', 'batch-close-list'] as const)(
    '%s refuses another merchant’s terminal and finds no batches of a merchant without terminals',
    async (name) => {
      const { call } = await openAtNoon({ terminals: 'open' })
      const id = name === 'batch-close' ? batchClose() : {}
      const other = await call(name, { ...id, terminalSn: 'TBX-OTHER-001' })
      expect([other.code, other.field]).toEqual(['SBX_OTHER_OWNER', 'terminalSn'])
      const none = await call(name, { ...id, merchantId: 'M-NEW' })
      if (name === 'batch-close') expect([none.code, none.field]).toEqual(['SBX_BATCH_EMPTY', undefined])
      else expect(Object.values(dataOf(none))).toEqual([[]])
    },
  )
})

test('assumption batches: each open batch names its terminal; without extras, that of the request tells them apart', async () => {
  const { call } = await openAtNoon({ extras: false })
  const extended = await openAtNoon()
  for (const terminalSn of ['TBX-AUTO-001', 'TBX-TIP20-001'])
    for (const each of [call, extended.call]) await each('sale', sale(1000, { terminalSn }))
  const named = (await extended.call('batch-query', {})).data.batchList
  const tipped = { terminalSn: 'TBX-TIP20-001', netAmount: 1200 }
  expect(named).toMatchObject([{ terminalSn: 'TBX-AUTO-001' }, tipped])
  const strict = (await extended.call('batch-query', {}, pythonSdkHeader)).data.batchList
  for (const batch of [...strict]) expect(batch).not.toHaveProperty('terminalSn')
  const { batchList } = (await call('batch-query', {})).data
  expect(batchList.map((each: object) => 'terminalSn' in each)).toEqual([false, false])
  expect((await call('batch-query', { terminalSn: 'TBX-AUTO-001' })).data.batchList).toHaveLength(1)
})

describe('api operation-4-2: batch close', () => {
  const nine = {
    ...{ batchNo: 1, terminalSn: 'TBX-AUTO-001', transactionCount: 1, priceCurrency: 'USD' },
    ...{
      batchTime: '2026-11-20T13:00:00+00:00',
      netAmount: 1250,
      tipAmount: 150,
      surchargeAmount: 20,
      taxAmount: 80,
    },
  }

  test('a close of one batch is answered with exactly nine members', async () => {
    const service = await openAtNoon()
    await service.call('sale', sale(1000, { tipAmount: 150, taxAmount: 80, surchargeAmount: 20 }))
    await advanceClock(service, hour)
    const close = batchClose({ channelCode: 'SBX-CARD', description: 'done' })
    expect((await service.call('batch-close', close)).data).toEqual(nine)
  })

  test('a close of several batches is answered with the first one, and batchList has the others', async () => {
    const service = await openAtNoon()
    await fill(service)
    await advanceClock(service, hour)
    const { batchList, ...first } = dataOf(await service.call('batch-close', batchClose()))
    expect(first).toEqual(nine)
    const other = { ...nine, tipAmount: 0, surchargeAmount: 0, taxAmount: 0 }
    expect(batchList).toEqual([
      { ...other, batchNo: 2, channelCode: 'SBX-EBT', netAmount: 500 },
      { ...other, batchNo: 3, channelCode: 'SBX-CARD', priceCurrency: 'JPY', netAmount: 700 },
    ])
    expect(dataOf(await service.call('batch-query', {}))).toEqual({ batchList: [] })
  })

  test('the Python SDK gets no batchList, and all batches are closed', async () => {
    const service = await openAtNoon()
    await fill(service)
    await advanceClock(service, hour)
    const first = dataOf(await service.call('batch-close', batchClose(), pythonSdkHeader))
    expect(first).toEqual({ ...nine, batchNo: '1' })
    expect(dataOf(await service.call('batch-query', {}, pythonSdkHeader))).toEqual({ batchList: [] })
    expect(dataOf(await service.call('batch-close-list', {})).batchCloseList).toHaveLength(3)
  })
})
