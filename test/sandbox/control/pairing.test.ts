import { describe, expect, test } from 'vitest'
import { errorTable } from '../../../src/contract/errors.ts'
import { fetchPlain } from '../../support/pages/shop-front.ts'
import { openTerminalPage } from '../../support/pages/terminal-page.ts'
import { liveOf } from '../../support/service/live.ts'
import { newId } from '../../support/service/new-id.ts'
import { openService, type Service, sale, WallClock } from '../../support/service/service.ts'

const desk = 'DESK-9'
const auto = 'TBX-AUTO-001'
const [first, second] = ['M1000000001', 'M2000000001']

const open = (options: object = {}) => openService({ wall: new WallClock().read, ...options })

const add = async ({ control }: Service, more: object = {}) =>
  (await control('POST', 'terminals', { terminalSn: desk, unpaired: true, ...more })).data

const unpair = ({ control }: Service, terminalSn: string) => control('POST', `terminals/${terminalSn}/unpair`)

const pair = ({ control }: Service, code: string, more: object = {}) =>
  control('POST', 'terminals/pair', { code, ...more })

const screen = async ({ control }: Service, terminalSn: string) =>
  (await control('GET', `terminals/${terminalSn}/screen`)).data

const listed = async ({ control }: Service, terminalSn: string) => {
  const { terminals } = (await control('GET', 'terminals')).data
  return terminals.filter((each: { terminalSn: string }) => each.terminalSn === terminalSn)
}

const sell = ({ call }: Service, terminalSn: string, more: object = {}) =>
  call('sale', sale(1000, { terminalSn, ...more }))

describe('an unpaired terminal', () => {
  test('an unpaired terminal shows a code of 6 characters without look-alikes, and has no merchant', async () => {
    const service = await open()
    const added = await add(service, { mode: 'attended', label: 'Bar' })
    expect(added.pairingCode).toMatch(/^[ACDEFGHJKMNPQRTUVWXY34679]{6}$/)
    const nobody = { merchantId: null, label: 'Bar', mode: 'attended', screen: 'pairing' }
    const { pairingCode } = added
    const unpaired = { ...nobody, merchantName: null, pairingCode, acts: [] }
    expect(await screen(service, desk)).toMatchObject(unpaired)
    expect(await listed(service, desk)).toMatchObject([{ ...nobody, appId: null, pairingCode }])
    const { terminals } = (await service.call('merchant-terminals', {})).data
    expect(JSON.stringify(terminals)).not.toContain(desk)
  })

  test.each(['closed', 'open'] as const)('no payment is taken with --terminals %s', async (terminals) => {
    const service = await open({ terminals })
    await add(service)
    const [refused, other] = [await sell(service, desk), await sell(service, 'TBX-OTHER-001')]
    expect(other.code).toBe('SBX_OTHER_OWNER')
    for (const member of ['status', 'code', 'msg', 'field'] as const)
      expect(refused[member]).toBe(other[member])
    expect(refused.detail).toBe(`${desk} is not paired with this merchant`)
    expect(refused.remedy).toContain(`tillbox terminal show ${desk}`)
    expect(await listed(service, desk)).toMatchObject([{ screen: 'pairing' }])
  })

  test.each([
    ['PATCH', '', { pace: 1 }],
    ['POST', '/queue', { outcome: 'approve' }],
    ['POST', '/present', { card: 'visa-contactless' }],
    ['POST', '/cancel', {}],
    ['POST', '/unpair', {}],
  ] as const)('a request of %s %s is refused for an unpaired terminal', async (method, path, body) => {
    const service = await open()
    const { pairingCode } = await add(service)
    const refused = await service.control(method, `terminals/${desk}${path}`, body)
    expect(refused).toMatchObject({ code: 'SBX_OTHER_OWNER', msg: errorTable.SBX_OTHER_OWNER.message })
    expect((await screen(service, desk)).pairingCode).toBe(pairingCode)
  })
})

test.each([
  ['unpaired', 'POST', '/unpair'],
  ['removed', 'DELETE', ''],
])('a refund of a payment of an %s terminal runs in the cloud, with a note', async (_, method, path) => {
  const service = await open()
  const { transactionId: originalTransactionId } = (await sell(service, auto)).data
  await service.call('batch-close', { transactionRequestId: newId() })
  await service.control(method, `terminals/${auto}${path}`)
  const members = { transactionRequestId: newId(), originalTransactionId, amount: 400 }
  const { code, data } = await service.call('refund', members)
  expect([code, (await service.control('GET', `transactions/${data.transactionId}`)).data.status]).toEqual([
    '0',
    'SUCCESS',
  ])
  const [entry] = (await service.control('GET', 'requests?limit=1')).data.requests
  expect(entry.notes).toEqual([`pushToTerminal: ${auto} is gone, so the follow-up runs in the cloud`])
})

describe('pairing', () => {
  test('pairing takes a code in lower case, with spaces and dashes', async () => {
    const service = await open()
    const { pairingCode } = await add(service)
    const typed = `${pairingCode.slice(0, 3)}- ${pairingCode.slice(3)}`.toLowerCase()
    expect((await pair(service, typed)).data).toMatchObject({ terminalSn: desk, merchantId: first })
  })

  test('pairing refuses a wrong code and a used one, and changes nothing', async () => {
    const service = await open()
    const { pairingCode } = await add(service)
    const wrong = {
      code: 'SBX_UNREGISTERED',
      msg: 'No terminal shows the pairing code WRONG1',
      field: 'code',
    }
    expect(await pair(service, 'WRONG1')).toMatchObject(wrong)
    await pair(service, pairingCode)
    const used = await pair(service, pairingCode, { merchantId: second })
    expect(used).toMatchObject({
      code: 'SBX_TERM_EXISTS',
      msg: 'The pairing code was used already',
      detail: `${pairingCode} paired ${desk} with the merchant ${first}`,
    })
    expect(await listed(service, desk)).toMatchObject([{ merchantId: first }])
  })

  test('only one of two concurrent requests with the same code wins', async () => {
    const service = await open()
    const { pairingCode } = await add(service)
    const both = await Promise.all(
      [first, second].map((merchantId) => pair(service, pairingCode, { merchantId })),
    )
    expect(both.map(({ code }) => code).sort()).toEqual(['0', 'SBX_TERM_EXISTS'])
    expect(await listed(service, desk)).toHaveLength(1)
  })
})

test('a reset keeps codes, used and unused', async () => {
  const service = await open()
  const { pairingCode } = await add(service)
  const { pairingCode: used } = (await unpair(service, auto)).data
  await pair(service, used, { merchantId: second })
  expect((await service.control('POST', 'reset')).code).toBe('0')
  expect((await screen(service, desk)).pairingCode).toBe(pairingCode)
  expect(await listed(service, auto)).toMatchObject([{ merchantId: second }])
  expect((await pair(service, used)).code).toBe('SBX_TERM_EXISTS')
  expect((await pair(service, pairingCode)).data).toMatchObject({ merchantId: first })
})

test('the page and the streams of the terminal go from the code to idle, and back', async () => {
  const { url, control } = await openTerminalPage()
  const { pairingCode } = await control('POST', 'terminals', { terminalSn: desk, unpaired: true })
  expect((await fetchPlain(`${url}/terminal/${desk}`)).text).toContain(pairingCode)
  const screens = await liveOf(`${url}/_sandbox/terminals/${desk}/events`)
  const parts = await liveOf(`${url}/terminal/${desk}/live`)
  const shows = async (state: string) => {
    while (!(await screens.next()).includes(`"screen":"${state}"`));
    while (!(await parts.next()).includes(`display-${state}`));
  }
  await shows('pairing')
  await control('POST', 'terminals/pair', { code: pairingCode })
  await shows('idle')
  await control('POST', `terminals/${desk}/unpair`, {})
  await shows('pairing')
})
