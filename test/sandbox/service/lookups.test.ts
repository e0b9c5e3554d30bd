import { describe, expect, test } from 'vitest'
import type { TerminalsAnswer } from '../../../src/contract/operations/look-ups.ts'
import { applications } from '../../../src/domain/fixtures.ts'
import {
  lastNotes,
  openService,
  plainLedgersOf,
  type Service,
  sale,
  secondKey,
  WallClock,
} from '../../support/service/service.ts'

const start = Date.UTC(2026, 10, 20, 12)
const fixture = applications[0]?.merchants[0]?.terminals.map(({ terminalSn }) => terminalSn) ?? []
const second = { Authorization: `Bearer ${secondKey}` }

const open = (options: object = {}) =>
  openService({ wall: new WallClock(start).read, terminals: 'open', ...options })
const channels = [
  ['SBX-CARD', 'Sandbox Cards'],
  ['SBX-EBT', 'Sandbox EBT'],
  ['SBX-QR', 'Sandbox QR'],
] as const
const listOf = (member: 'mid' | 'tid', ids: readonly string[]) =>
  channels.map(([channelCode, channelName], index) => ({ channelCode, channelName, [member]: ids[index] }))

/** Pays on terminals until the merchant has so many. */
async function grow({ call, sandbox }: Service, count: number, merchantId = 'M1000000001'): Promise<void> {
  const has = () => sandbox.engine.state.ledgers.get(merchantId)?.terminals.size ?? 0
  while (has() < count) await call('sale', sale(1, { merchantId, terminalSn: `${merchantId}-${has() + 1}` }))
}

/** A page of the terminals: serial numbers, ids and where the next one begins. */
async function pageOf({ call }: Service, members: object = {}) {
  const { code, detail, data } = await call('merchant-terminals', members)
  expect([code, detail]).toEqual(['0', undefined])
  return data as TerminalsAnswer
}

describe('api service-5: merchant look-up', () => {
  test('a merchant of the fixture has exactly these members', async () => {
    const { call } = await open()
    const { data } = await call('merchant-query', { merchantId: 'M1000000001' })
    expect(data).toEqual({
      ...{ merchantId: 'M1000000001', dbaName: 'Tillbox Coffee', mcc: '5814', country: 'USA' },
      ...{ stateName: 'California', cityName: 'San Francisco', street: '1 Market Street' },
      ...{ detailAddress: 'Suite 100', zipCode: '94105', status: 'Y', createTime: '2026-01-05T09:00:00' },
      midList: listOf('mid', ['000100000000101', '000100000000102', '000100000000103']),
    })
    expect((await call('merchant-query', {})).data).toEqual(data)
  })

  test('a merchant registered on first sight has plain details and the sandbox time of that moment', async () => {
    const service = await open()
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 3_600_000 })
    await service.call('sale', sale(1, { merchantId: 'M-7', terminalSn: 'COUNTER-7' }))
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 3_600_000 })
    await service.call('sale', sale(1, { merchantId: 'M-7', terminalSn: 'COUNTER-8' }))
    const { data } = await service.call('merchant-query', { merchantId: 'M-7' })
    const plain = { merchantId: 'M-7', dbaName: 'M-7', mcc: '5999', country: 'USA', status: 'Y' }
    expect(data).toMatchObject({ ...plain, createTime: '2026-11-20T13:00:00' })
    expect(data.midList).toEqual(listOf('mid', ['000000000000701', '000000000000702', '000000000000703']))
    const { terminals } = await pageOf(service, { merchantId: 'M-7' })
    expect(terminals).toMatchObject([
      { sn: 'COUNTER-7', createTime: '2026-11-20T13:00:00' },
      { sn: 'COUNTER-8', createTime: '2026-11-20T14:00:00' },
    ])
  })

  test('a merchant keeps the time when it was first seen, even after a reset', async () => {
    const service = await open()
    await service.call('sale', sale(1, { merchantId: 'M-7', terminalSn: 'COUNTER-7' }))
    await service.control('POST', 'reset', {})
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 3_600_000 })
    const sinceWhen = async () =>
      (await service.call('merchant-query', { merchantId: 'M-7' })).data.createTime
    expect(await sinceWhen()).toBe('2026-11-20T12:00:00')
    await service.call('sale', sale(1, { merchantId: 'M-7', terminalSn: 'COUNTER-7' }))
    expect(await sinceWhen()).toBe('2026-11-20T12:00:00')
  })

  test.each(['merchant-query', 'merchant-terminals'] as const)(
    '%s of an unknown merchant is noted with --terminals open, refused without, and registers nothing',
    async (name) => {
      const service = await open()
      const before = plainLedgersOf(service.sandbox)
      expect((await service.call(name, { merchantId: 'M-NEW' })).data).toMatchObject({ merchantId: 'M-NEW' })
      expect(lastNotes(service.sandbox)).toContain('merchantId: M-NEW is unknown')
      expect(plainLedgersOf(service.sandbox)).toEqual(before)
      const strict = await open({ terminals: 'known' })
      const headers = { 'Content-Type': 'application/json' }
      const refused = await strict.call(name, { merchantId: 'M-NEW' }, headers)
      expect([refused.code, refused.field]).toEqual(['SBX_UNREGISTERED', 'merchantId'])
    },
  )

  test.each(['merchant-query', 'merchant-terminals'] as const)(
    '%s refuses another application’s merchant, whether of the fixture or registered since',
    async (name) => {
      const { call } = await open()
      await call('sale', sale(1, { merchantId: 'M-7', terminalSn: 'COUNTER-7' }), second)
      for (const merchantId of ['M2000000001', 'M-7']) {
        const refused = await call(name, { merchantId })
        expect([refused.code, refused.field]).toEqual(['SBX_OTHER_OWNER', 'merchantId'])
        expect((await call(name, { merchantId }, second)).data.merchantId).toBe(merchantId)
      }
      const other = await call(name, { appId: 'tbxapp0000000002' })
      expect([other.code, other.field]).toEqual(['SBX_OTHER_OWNER', 'appId'])
    },
  )
})

describe('api service-5: terminal look-up', () => {
  test('the terminals of the fixture have exactly these members', async () => {
    const service = await open()
    const { data } = await service.call('merchant-terminals', {})
    expect(Object.keys(data)).toEqual(['merchantId', 'terminals'])
    expect(data.terminals.map(({ sn }: { sn: string }) => sn)).toEqual(fixture)
    expect(data.terminals[1]).toEqual({
      ...{ terminalId: '00000002', sn: 'TBX-ATTENDED-001', vendor: 'Tillbox', model: 'Virtual Terminal' },
      ...{ createTime: '2026-01-05T09:00:00', tidList: listOf('tid', ['00000201', '00000202', '00000203']) },
    })
    const other = await service.call('merchant-terminals', {}, second)
    expect(other.data.terminals).toMatchObject([{ sn: 'TBX-OTHER-001', terminalId: '00000001' }])
  })

  test.each([
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])('%d terminals come in pages of %j, and the last page has no nextToken', async (count, sizes) => {
    const service = await open()
    await grow(service, count)
    const pages = [await pageOf(service)]
    for (let token = pages[0]?.nextToken; token !== undefined; token = pages.at(-1)?.nextToken)
      pages.push(await pageOf(service, { nextToken: token }))
    expect(pages.map(({ terminals }) => terminals.length)).toEqual(sizes)
    for (const page of pages) expect(page.merchantId).toBe('M1000000001')
    expect(Object.keys(pages.at(-1) ?? {})).not.toContain('nextToken')
    const all = pages.flatMap(({ terminals }) => terminals)
    const registered = Array.from({ length: count - 9 }, (_, index) => `M1000000001-${index + 10}`)
    expect(all.map(({ sn }) => sn)).toEqual([...fixture, ...registered])
    expect(all.map(({ terminalId }) => Number(terminalId))).toEqual(all.map((_, index) => index + 1))
    expect(all.at(-1)?.createTime).toBe('2026-11-20T12:00:00')
  })

  test('a nextToken stays valid when terminals are added', async () => {
    const service = await open()
    await grow(service, 101)
    const { nextToken = '' } = await pageOf(service)
    const [last] = (await pageOf(service, { nextToken })).terminals
    await grow(service, 120)
    const { terminals } = await pageOf(service, { nextToken })
    expect([terminals[0], terminals.length]).toEqual([last, 20])
  })

  test('a wrong nextToken is refused with C17', async () => {
    const service = await open()
    await grow(service, 250)
    const { nextToken: good = '' } = await pageOf(service)
    const made = (text: string) => Buffer.from(text).toString('base64url')
    const wrong = ['x', '100', `${good}x`, `${good}!`, ` ${good}`, good.slice(1), 'x'.repeat(129)]
    const places = ['', '250', '-100', '1e2', '0100'].map((place) => made(`terminals:${place}`))
    for (const nextToken of [...wrong, ...places]) {
      const refused = await service.call('merchant-terminals', { nextToken })
      expect(refused, nextToken).toMatchObject({ status: 200, code: 'C17', field: 'nextToken' })
      expect(refused.data).toBeUndefined()
    }
    const smaller = await service.call('merchant-terminals', { nextToken: good }, second)
    expect([smaller.code, smaller.field]).toEqual(['C17', 'nextToken'])
  })
})
