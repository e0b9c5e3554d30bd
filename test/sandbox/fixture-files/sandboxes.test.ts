import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { localDateTime } from '../../../src/domain/model/local-time.ts'
import type { FixturesFile } from '../../../src/sandbox/fixture-files/fixtures-schema.ts'
import { catalogueFor } from '../../../src/server/checked-options.ts'
import { startSandbox } from '../../../src/server/server.ts'
import { fileWith } from '../../support/commands/scratch.ts'
import { appOf } from '../../support/service/app.ts'
import { apiKey, crashCopy, openService, sale, temporaryFolder } from '../../support/service/service.ts'

/** The example of the document, as it stands. */
const [, example = ''] =
  /```yaml\n([\s\S]*?)```/.exec(
    readFileSync(new URL('../../../docs/fixtures.md', import.meta.url), 'utf8'),
  ) ?? []

const exampleFile = () => fileWith('fixtures.yaml', example)

const teaKey = 'tea_sandbox_4f1c27a9'

/** A sandbox with these fixtures. */
async function open(given: { fixtures?: string | FixturesFile; state?: string } = {}) {
  const { fixtures, state = temporaryFolder() } = given
  const service = await openService({ state, catalogue: await catalogueFor(fixtures) })
  const { call, control } = service
  const sell = (key: string, amount: number, more: object = {}, headers: object = {}) =>
    call('sale', sale(amount, more), { Authorization: `Bearer ${key}`, ...headers })
  const record = async (key: string, transactionId: string) =>
    (await call('query', { transactionId }, { Authorization: `Bearer ${key}` })).data
  const sold = async (...args: Parameters<typeof sell>) => {
    const answer = await sell(...args)
    expect(answer).toMatchObject({ code: '0' })
    return record(args[0], answer.data.transactionId)
  }
  const app = appOf(service.sandbox)
  return {
    ...{ ...service, state, sell, sold, record, app },
    control: async (...args: Parameters<typeof control>) => (await control(...args)).data,
    page: async (path: string) => (await app.request(path)).text(),
  }
}

const teaHeaders = { Authorization: `Bearer ${teaKey}` }

/** Fixtures that say something of the first merchant. */
const ofMerchant = (members: object): FixturesFile => ({
  applications: [{ appId: 'tbxapp0000000001', merchants: [{ merchantId: 'M1000000001', ...members }] }],
})

const names = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name)

describe('the example of docs/fixtures.md, as it stands', () => {
  test('each merchant has its own time zone, terminal, card and outcome', async () => {
    const sandbox = await open({ fixtures: exampleFile() })
    const tea = await sandbox.sold(teaKey, 1200, { terminalSn: 'TEA-001', priceCurrency: 'JPY' })
    const coffee = await sandbox.sold(apiKey, 1200)
    expect(tea).toMatchObject({
      ...{ transactionStatus: 'S', maskedPan: '356600******0505', paymentMethod: 'JCB' },
      ...{ entryMode: 'CONTACT', authenticationMethod: 'PIN', terminalSn: 'TEA-001' },
    })
    expect(coffee).toMatchObject({ transactionStatus: 'S', maskedPan: '411111******1111' })
    for (const [record, zone, merchantId] of [
      [tea, 'Asia/Tokyo', 'M3000000001'],
      [coffee, 'UTC', 'M1000000001'],
    ]) {
      const { transactions } = sandbox.sandbox.engine.state.ledgers.get(merchantId) ?? {}
      const stored = transactions?.get(record.transactionId)
      expect(record.createTime).toBe(localDateTime(stored?.createdAt ?? 0, zone))
    }
    const [there, here] = [tea, coffee].map(({ createTime }) => Date.parse(`${createTime}Z`))
    expect(Number(there) - Number(here)).toBeGreaterThan(8 * 3_600_000)
  })

  test('the webhooks of the example are signed with the secret of its application', async () => {
    const { sandbox } = await open({ fixtures: exampleFile() })
    const secretsOf = (merchantId: string) => {
      const ledger = sandbox.engine.state.ledgers.get(merchantId)
      return ledger && sandbox.signingOf(ledger).secrets
    }
    expect(secretsOf('M3000000001')).toEqual(['whsec_dGVhLWhvdXNlLXRva3lvLW9ubHktZm9yLXRlc3Rz'])
    expect(secretsOf('M1000000001')).not.toEqual(secretsOf('M3000000001'))
  })

  test('lists, the terminal page and the hosted page show the merged fixtures', async () => {
    const sandbox = await open({ fixtures: exampleFile() })
    const { outcomes } = await sandbox.control('GET', 'outcomes')
    const { cards } = await sandbox.control('GET', 'cards')
    expect([outcomes[0].name, cards[0].name]).toEqual(['approve', 'visa-contactless'])
    expect(outcomes.at(-1)).toMatchObject({ name: 'issuer-maintenance', amount: 7091 })
    expect(cards.at(-1)).toMatchObject({ name: 'tea-card', number: '3566002020360505' })
    expect(await sandbox.page('/terminal/TEA-ATTENDED-001')).toContain('issuer-maintenance')
    const { data } = await sandbox.call('create-session', sale(1000), teaHeaders)
    expect(await sandbox.page(`/checkout/${data.sessionId}`)).toContain('tea-card')
    const paid = await sandbox.app.request(`/checkout/${data.sessionId}/pay`, {
      method: 'POST',
      headers: { Origin: 'http://localhost' },
      body: new URLSearchParams({ choice: 'tea-card' }),
    })
    expect(paid.status).toBe(303)
    const session = await sandbox.control('GET', `sessions/${data.sessionId}`)
    expect(session).toMatchObject({ state: 'paid', merchantId: 'M3000000001' })
  })
})

test('two sandboxes in one process do not see each other’s fixtures', async () => {
  const outcome = { name: 'own', code: '091', message: 'Own', status: 'FAIL', amount: 4711 } as const
  const own: FixturesFile = { outcomes: [outcome, { name: 'do-not-honor', amount: null }] }
  const [one, other] = [await open({ fixtures: own }), await open()]
  const codes = async (amount: number) => [
    (await one.sold(apiKey, amount)).transactionResultCode,
    (await other.sold(apiKey, amount)).transactionResultCode,
  ]
  expect(await codes(4711)).toEqual(['091', '000'])
  expect(await codes(9823)).toEqual(['000', '005'])
  const unknown = await other.sell(apiKey, 5, {}, { 'X-Sandbox-Outcome': 'own' })
  expect(unknown).toMatchObject({ code: 'SBX_OUTCOME' })
  expect(names((await other.control('GET', 'outcomes')).outcomes)).not.toContain('own')
})

test('decline is do-not-honor wherever an outcome is named, unless the fixtures have one of that name', async () => {
  const outcome = { name: 'decline', code: '091', message: 'Own', status: 'FAIL' } as const
  const header = { 'X-Sandbox-Outcome': 'decline' }
  for (const [name, sandbox] of [
    ['do-not-honor', await open()],
    ['decline', await open({ fixtures: { outcomes: [outcome] } })],
  ] as const) {
    const named = { outcome: 'decline' }
    const { data } = await sandbox.sell(apiKey, 1000, {}, header)
    const story = await sandbox.control('GET', `transactions/${data.transactionId}`)
    expect(story).toMatchObject({ rule: 'header', outcome: name })
    expect((await sandbox.control('PATCH', 'terminals/TBX-AUTO-001', named)).outcome).toBe(name)
    const { queue } = await sandbox.control('POST', 'terminals/TBX-AUTO-001/queue', named)
    expect(queue).toMatchObject([{ outcome: name }])
  }
})

describe('fixtures and a state folder', () => {
  test('a wrong file stops the start before the state folder is made', async () => {
    const state = join(temporaryFolder(), 'state')
    const wrong = { cards: [{ name: 'mine', paymentMethod: 'VISA', number: '4111111111111112' }] }
    await expect(startSandbox({ state, fixtures: wrong })).rejects.toThrow('cards[0].number')
    expect(existsSync(state)).toBe(false)
  })

  test.each([
    ['after a stop', (state: string, close: () => Promise<void>) => close().then(() => state)],
    ['after a crash', async (state: string) => crashCopy(state)],
  ])('transactions of removed cards, outcomes, terminals and merchants are shown %s', async (_, end) => {
    const first = await open({ fixtures: exampleFile() })
    const paid = await first.sold(teaKey, 1200, { terminalSn: 'TEA-001' })
    const declined = await first.sold(teaKey, 7091, { terminalSn: 'TEA-001' })
    const { data: waiting } = await first.sell(teaKey, 300, { terminalSn: 'TEA-ATTENDED-001' })
    const state = await end(first.state, first.close)
    const again = await open({ state })
    for (const { transactionId } of [paid, declined]) {
      const { record, timeline } = await again.control('GET', `transactions/${transactionId}`)
      const card = { maskedPan: '356600******0505', paymentMethod: 'JCB', entryMode: 'CONTACT' }
      expect(record).toMatchObject(card)
      expect(JSON.stringify(timeline)).toContain('tea-card')
      expect(await again.page(`/transactions/${transactionId}`)).toContain(transactionId)
      expect(await again.page(`/transactions/${transactionId}?tab=receipt`)).toContain('Merchant copy')
    }
    expect(await again.page('/')).toContain(paid.transactionId)
    await again.control('GET', 'webhooks')
    const left = await again.control('GET', `transactions/${waiting.transactionId}`)
    expect(left.record.transactionStatus).toMatch(/^[IPSC]$/)
    await again.close()
    const back = await open({ state, fixtures: exampleFile() })
    const screen = await back.control('GET', 'terminals/TEA-ATTENDED-001/screen')
    expect(screen).toMatchObject({ mode: 'attended' })
    expect(await back.record(teaKey, paid.transactionId)).toEqual(paid)
  })

  test('a payment by a removed card stays in its batch when the journal is read', async () => {
    const card = { name: 'own-ebt', category: 'EBT', paymentMethod: 'SNAP', cardNetworkType: 'EBT' } as const
    const own = { cards: [{ ...card, number: '5076800000000001' }] }
    const first = await open({ fixtures: own })
    await first.control('PATCH', 'terminals/TBX-SLOW-001', { card: 'own-ebt', pace: 0 })
    await first.sold(apiKey, 1000, { terminalSn: 'TBX-AUTO-001' })
    const paid = await first.sold(apiKey, 500, { terminalSn: 'TBX-SLOW-001' })
    const batchesIn = async ({ call }: typeof first) => (await call('batch-query', {})).data.batchList
    const before = await batchesIn(first)
    expect(before).toMatchObject([{ channelCode: 'SBX-CARD' }, { channelCode: 'SBX-EBT', netAmount: 500 }])
    const again = await open({ state: crashCopy(first.state) })
    expect(await batchesIn(again)).toEqual(before)
    expect(await again.record(apiKey, paid.transactionId)).toEqual(paid)
  })

  /** The status of a payment after that time. */
  const statusAfter = async (
    { control }: Awaited<ReturnType<typeof open>>,
    id: string,
    milliseconds: number,
  ) => {
    await control('POST', 'clock', { action: 'advance', milliseconds })
    return (await control('GET', `transactions/${id}`)).record.transactionStatus
  }

  test('a payment that waits at a removed terminal still expires', async () => {
    const first = await open({ fixtures: exampleFile() })
    const { data } = await first.sell(teaKey, 300, { terminalSn: 'TEA-ATTENDED-001' })
    await first.close()
    const again = await open({ state: first.state, fixtures: { cards: [] } })
    expect(await statusAfter(again, data.transactionId, 25 * 3_600_000)).toBe('C')
  })

  test('a waiting payment still expires when its terminal has become attended', async () => {
    const paced = (terminal: object) => ofMerchant({ terminals: [terminal] })
    const slow = { terminalSn: 'TBX-AUTO-001', pace: 60_000 }
    const first = await open({ fixtures: paced(slow) })
    const { data } = await first.sell(apiKey, 300, { terminalSn: 'TBX-AUTO-001' })
    await first.close()
    const again = await open({ state: first.state, fixtures: paced({ ...slow, mode: 'attended' }) })
    expect(await statusAfter(again, data.transactionId, 120_000)).toBe('P')
    expect(await statusAfter(again, data.transactionId, 25 * 3_600_000)).toBe('C')
  })

  test('a terminal follows its fixtures until it is changed, and then keeps the change even after a reset', async () => {
    const own = (outcome: string) =>
      ofMerchant({ terminals: ['TBX-AUTO-001', 'DESK-9'].map((terminalSn) => ({ terminalSn, outcome })) })
    const outcomeAt = async (sandbox: Awaited<ReturnType<typeof open>>, terminalSn: string) =>
      (await sandbox.sold(apiKey, 5, { terminalSn })).transactionResultCode
    const first = await open({ fixtures: own('insufficient-funds') })
    await first.control('PATCH', 'terminals/DESK-9', { outcome: 'expired-card' })
    await first.control('POST', 'reset')
    expect([await outcomeAt(first, 'TBX-AUTO-001'), await outcomeAt(first, 'DESK-9')]).toEqual(['051', '054'])
    await first.close()
    const again = await open({ state: first.state, fixtures: own('do-not-honor') })
    expect([await outcomeAt(again, 'TBX-AUTO-001'), await outcomeAt(again, 'DESK-9')]).toEqual(['005', '054'])
  })
})
