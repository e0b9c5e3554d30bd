import { describe, expect, test } from 'vitest'
import { plainMerchant } from '../../../src/domain/fixtures.ts'
import { receiptOf } from '../../../src/sandbox/records/receipt.ts'
import { saleOf, Till } from '../../support/domain/ledger.ts'
import { openService, type Service, sale, storyOf } from '../../support/service/service.ts'
import { paidOnline } from '../../support/service/shop.ts'
import { openAtNoon } from '../frozen-service.ts'

const terminalSn = 'TBX-ATTENDED-001'

const sell = async ({ call }: Pick<Service, 'call'>, amount = 1000, more: object = {}) =>
  (await call('sale', sale(amount, { terminalSn, ...more }))).data.transactionId as string

const screenOf = async ({ control }: Pick<Service, 'control'>) =>
  (await control('GET', `terminals/${terminalSn}/screen`)).data

const act = ({ control }: Pick<Service, 'control'>, what: string, members: object = {}) =>
  control('POST', `terminals/${terminalSn}/${what}`, members)

const suggestions = [{ feeMode: 'RATE', values: [10, 25], names: ['ok', 'wow'] }]
const tipConfig = { onScreenTip: true, suggestions }
const signatureConfig = { useHostConfig: false, entryLocation: 'ON_SCREEN' }

test('the screens card, tip, PIN, signature and result follow each other', async () => {
  const service = await openAtNoon()
  expect(await screenOf(service)).toMatchObject({ screen: 'idle', transaction: null, acts: [], waiting: 0 })
  const id = await sell(service, 1000, { tipConfig, signatureConfig })
  expect(await screenOf(service)).toMatchObject({
    screen: 'present-card',
    transaction: { transactionId: id, transactionAmount: 1000, currency: 'USD', card: null },
    acts: ['present', 'cancel'],
  })
  const afterCard = await act(service, 'present', { card: 'visa-chip-pin', transactionId: id })
  const tips = [
    { label: 'ok', tipAmount: 100 },
    { label: 'wow', tipAmount: 250 },
  ]
  expect(afterCard.data).toMatchObject({ screen: 'tip', tips })
  const afterTip = await act(service, 'tip', { tipAmount: 250 })
  expect(afterTip.data).toMatchObject({ screen: 'pin', pinTriesLeft: 3 })
  expect((await act(service, 'pin')).data).toMatchObject({
    screen: 'signature',
    transaction: { status: 'PROCESSING', transactionAmount: 1250, expiresAt: null },
    acts: ['sign', 'cancel'],
  })
  const transaction = { transactionId: id, status: 'SUCCESS', resultCode: '000' }
  expect((await act(service, 'sign')).data).toMatchObject({ screen: 'result', transaction })
  const { timeline, record } = await storyOf(service, id)
  const moments =
    'opened taken-up card-presented tip-chosen pin-entered host-asked signature-asked signed approved'
  expect(timeline.map(({ what }) => what).join(' ')).toBe(moments)
  expect(record).toMatchObject({ entryMode: 'CONTACT', authenticationMethod: 'SIGNATURE', tipAmount: 250 })
  await service.control('POST', 'clock', { action: 'advance', milliseconds: 8000 })
  expect(await screenOf(service)).toMatchObject({ screen: 'idle', last: { transactionId: id } })
})

test('an added terminal takes payments as its settings say', async () => {
  const service = await openService({ terminals: 'open' })
  const given = { terminalSn: 'TBX-DESK-2', mode: 'attended', contactlessLimit: 5000 }
  const add = (members: object) => service.control('POST', 'terminals', members)
  const added = { ...given, tipPercent: null }
  expect((await add(added)).data).toMatchObject({ ...given, screen: 'idle' })
  expect((await add(added)).code).toBe('SBX_TERM_EXISTS')
  await service.call('sale', sale(100, { merchantId: 'M-OTHER', terminalSn: 'TBX-ELSEWHERE' }))
  const detail = 'TBX-ELSEWHERE belongs to the merchant M-OTHER'
  expect(await add({ terminalSn: 'TBX-ELSEWHERE' })).toMatchObject({ code: 'SBX_OTHER_OWNER', detail })
  for (const terminalSn of ['a b', '..', ''])
    expect(await add({ terminalSn })).toMatchObject({ code: 'C17', field: 'terminalSn' })
  const id = await sell(service, 1000, { terminalSn: 'TBX-DESK-2', tipConfig })
  await service.control('POST', 'terminals/TBX-DESK-2/present', { card: 'visa-chip-pin', entry: 'swipe' })
  expect((await service.control('GET', 'terminals/TBX-DESK-2/screen')).data.screen).toBe('tip')
  await service.control('POST', 'terminals/TBX-DESK-2/tip', { tipAmount: 0 })
  expect((await service.control('POST', 'terminals/TBX-DESK-2/sign')).data.screen).toBe('result')
  const facts = { entryMode: 'SWIPE', authenticationMethod: 'SIGNATURE' }
  expect((await storyOf(service, id)).record).toMatchObject(facts)
})

test('exactly one wins when an abort and a tap come at once, over 48 rounds', async () => {
  const service = await openService()
  const won = new Set<string>()
  for (let round = 0; round < 48; round++) {
    const id = await sell(service, 1000 + round)
    const abort = () => service.call('abort', { originalTransactionId: id, terminalSn, description: 'x' })
    const tap = () => act(service, 'present', { card: 'visa-contactless', transactionId: id })
    const [first, second] = round % 2 === 0 ? [abort, tap] : [tap, abort]
    const begun = first()
    for (let step = 0; step < round % 24; step++) await Promise.resolve()
    const answers = [await second(), await begun]
    if (round % 2 !== 0) answers.reverse()
    const { status } = await storyOf(service, id)
    expect(answers.filter(({ code }) => code === '0')).toHaveLength(1)
    expect(status).toBe(answers[0]?.code === '0' ? 'SUCCESS' : 'CLOSED')
    won.add(status)
  }
  expect([...won].sort()).toEqual(['CLOSED', 'SUCCESS'])
})

describe('the receipt', () => {
  const texts = (lines: { text?: string; label?: string; value?: string }[]) =>
    lines.map(({ text, label, value }) => text ?? (label && `${label}: ${value}`))

  test('the receipt has both copies, only the last four digits, and a line to sign for the merchant', async () => {
    const service = await openService()
    const id = await sell(service, 1000, { tipConfig })
    await act(service, 'present', { card: 'mastercard-chip-signature' })
    await act(service, 'tip', { tipAmount: 200 })
    await act(service, 'cancel')
    const { data } = await service.control('GET', `transactions/${id}/receipt`)
    const [merchant, customer] = [texts(data.merchant), texts(data.customer)]
    const lines = ['Tillbox Coffee', 'SALE', 'Number: **** 5100', 'Amount: 10.00', 'Tip: 2.00']
    for (const copy of [merchant, customer])
      expect(copy).toEqual(expect.arrayContaining([...lines, 'Total USD: 12.00', 'APPROVED 000', id]))
    expect(merchant).toContain('Signature: ....................')
    expect(customer).not.toContain('Signature: ....................')
    expect(JSON.stringify(data)).not.toContain('51051051')
  })

  test.each([
    ['UTC', '12:00:00 UTC'],
    ['Asia/Kolkata', '17:30:00 +05:30'],
    ['America/New_York', '07:00:00 -05:00'],
  ])('the time on the receipt says its zone, in %s', (timeZone, value) => {
    const till = new Till(undefined, timeZone)
    const { merchant, customer } = receiptOf(till.ledger, till.open(saleOf(1000)), plainMerchant('M1'))
    for (const copy of [merchant, customer])
      expect(copy).toContainEqual({ kind: 'pair', label: 'Time', value })
  })

  test('a payment that is not over has no receipt', async () => {
    const service = await openService()
    const id = await sell(service)
    expect((await service.control('GET', `transactions/${id}/receipt`)).code).toBe('SBX_NOT_ALLOWED')
  })

  test('an online payment has no receipt, and the refusal does not tell to wait for one', async () => {
    const service = await openService()
    const id = await paidOnline(service)
    expect(await service.control('GET', `transactions/${id}/receipt`)).toMatchObject({
      code: 'SBX_NOT_ALLOWED',
      detail: `${id} was made online, and only a terminal prints receipts`,
      remedy: `Show it: \`tillbox query ${id}\``,
    })
  })
})

describe('the list of terminals and their screens', () => {
  const listed = async ({ control }: Pick<Service, 'control'>) =>
    (await control('GET', 'terminals')).data.terminals.find(
      (each: { terminalSn: string }) => each.terminalSn === terminalSn,
    )

  /** Screen, line to the host and count of those that wait: the list, the terminal, and what setting it answers. */
  async function expectAll(service: Service, screen: string, online: boolean, waiting: number) {
    const shown = { screen, online, waiting }
    expect(await listed(service)).toMatchObject(shown)
    expect(await screenOf(service)).toMatchObject(shown)
    expect((await service.control('PATCH', `terminals/${terminalSn}`, {})).data).toMatchObject(shown)
    const queue = { outcome: 'approve', times: 0 }
    expect((await service.control('POST', `terminals/${terminalSn}/queue`, queue)).data).toMatchObject(shown)
  }

  test('list and screen agree at rest, with a line, offline with a line, and on the result', async () => {
    const service = await openAtNoon()
    const set = (online: boolean) => service.control('PATCH', `terminals/${terminalSn}`, { online })
    await expectAll(service, 'idle', true, 0)
    await set(false)
    await expectAll(service, 'offline', false, 0)
    await sell(service)
    await expectAll(service, 'offline', false, 1)
    await sell(service)
    await expectAll(service, 'offline', false, 2)
    await set(true)
    await expectAll(service, 'present-card', true, 1)
    await act(service, 'present', { card: 'visa-contactless' })
    await expectAll(service, 'present-card', true, 0)
    await set(false)
    await expectAll(service, 'offline', false, 1)
    await set(true)
    await act(service, 'cancel')
    await expectAll(service, 'result', true, 0)
  })

  test('TBX-OFFLINE-001 is listed as offline from the first, and every other terminal as online', async () => {
    const { terminals } = (await (await openAtNoon()).control('GET', 'terminals')).data
    for (const each of terminals) {
      const isOffline = each.terminalSn === 'TBX-OFFLINE-001'
      expect(each).toMatchObject({ online: !isOffline, screen: isOffline ? 'offline' : 'idle' })
    }
  })
})
