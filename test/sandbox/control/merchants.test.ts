import { describe, expect, test } from 'vitest'
import { readFixtures } from '../../../src/sandbox/fixture-files/read-fixtures.ts'
import { fileWith } from '../../support/commands/scratch.ts'
import { openService, type Service, sale } from '../../support/service/service.ts'

const codeWith = async ({ call }: Service, key: string, members = {}): Promise<string> =>
  (await call('sale', sale(1000, members), { Authorization: `Bearer ${key}` })).code

const merchantsOf = async ({ control }: Service) => (await control('GET', 'merchants')).data.merchants

const added = { merchantId: 'M3', name: 'Third Shop' }

describe('assumption added-merchants', () => {
  test('a reset keeps a merchant with its terminals, and forgets its payments', async () => {
    const service = await openService()
    const { apiKey, terminals } = (await service.control('POST', 'merchants', added)).data
    await codeWith(service, apiKey)
    await service.control('POST', 'reset', {})
    expect((await merchantsOf(service)).at(-1)).toMatchObject({ ...added, terminals })
    expect(service.sandbox.engine.state.ledgers.get('M3')?.transactions.size).toBe(0)
    expect(await codeWith(service, apiKey)).toBe('0')
  })

  test('a merchant stays when fixtures change, even with its application or id', async () => {
    const plain = await openService()
    const { apiKey, appId } = (await plain.control('POST', 'merchants', added)).data
    await plain.close()
    const webhookSecret = `whsec_${Buffer.alloc(32).toString('base64')}`
    const keys = [{ key: 'a-key-of-the-file' }]
    const merchants = [{ merchantId: 'M9', terminals: [{ terminalSn: 'DESK-9' }] }]
    const fixtures = { applications: [{ appId, webhookSecret, keys, merchants }] }
    const file = fileWith('shop.json', JSON.stringify(fixtures))
    const withFile = await openService({ state: plain.folder, catalogue: await readFixtures(file) })
    expect(await codeWith(withFile, apiKey, { merchantId: 'M3' })).toBe('0')
    expect(await codeWith(withFile, apiKey, { merchantId: 'M9' })).toBe('0')
    await withFile.close()
    const again = await openService({ state: plain.folder })
    expect(await codeWith(again, apiKey)).toBe('0')
    const ids = (await merchantsOf(again)).map(({ merchantId }: { merchantId: string }) => merchantId)
    expect(ids.sort()).toEqual(['M1000000001', 'M2000000001', 'M3', 'M9'])
  })

  test('assumption fixtures: a payment that waits at a terminal goes on as corrected fixtures say, after a restart', async () => {
    const before = await openService()
    const { transactionId } = (await before.call('sale', sale(1000, { terminalSn: 'TBX-OFFLINE-001' }))).data
    await before.close()
    const terminals = [{ terminalSn: 'TBX-OFFLINE-001', online: true }]
    const merchants = [{ merchantId: 'M1000000001', terminals }]
    const fixtures = { applications: [{ appId: 'tbxapp0000000001', merchants }] }
    const file = fileWith('shop.json', JSON.stringify(fixtures))
    const after = await openService({ state: before.folder, catalogue: await readFixtures(file) })
    const record = async () => (await after.call('query', { transactionId })).data
    await expect.poll(record).toMatchObject({ transactionStatus: 'S' })
  })

  test('webhooks of a merchant are signed with its own secret, and its secrets are hidden in the request log', async () => {
    const service = await openService()
    const { apiKey, webhookSecret } = (await service.control('POST', 'merchants', added)).data
    const ledger = service.sandbox.engine.state.ledgers.get('M3')
    expect(ledger && service.sandbox.signingOf(ledger).secrets).toEqual([webhookSecret])
    await codeWith(service, apiKey, { attach: `${apiKey} ${webhookSecret}` })
    const { log } = service.sandbox
    const shown = JSON.stringify(
      await Promise.all(log.list().map(({ traceId }) => service.control('GET', `requests/${traceId}`))),
    )
    expect(shown).toContain('/_sandbox/merchants')
    for (const secret of [apiKey, webhookSecret]) expect(shown).not.toContain(secret)
  })

  test('a merchant that cannot be stored is not added, and has no key', async () => {
    const service = await openService()
    const { sandbox } = service
    const run = sandbox.engine.run.bind(sandbox.engine)
    sandbox.engine.run = () => Promise.reject(new Error('the disk is full'))
    expect((await service.control('POST', 'merchants', added)).code).not.toBe('0')
    sandbox.engine.run = run
    expect(sandbox.directory.applications).toHaveLength(2)
    expect(Object.keys(sandbox.settings.data.keys)).toEqual([])
    expect((await service.control('POST', 'merchants', added)).code).toBe('0')
  })

  test.each([
    [{ merchantId: '' }, 'merchantId'],
    [{ merchantId: 'with space' }, 'merchantId'],
    [{ merchantId: '__proto__' }, 'merchantId'],
    [{ merchantId: 'M3', terminals: ['../x'] }, 'terminals.0'],
    [{ merchantId: 'M3', terminals: ['TBX-AUTO-001'] }, 'terminalSn'],
    [{ merchantId: 'M3', terminals: ['DESK-1', 'DESK-1'] }, 'terminals'],
    [{ merchantId: 'M3', appId: 'nobody' }, 'appId'],
  ])('the merchant %j is refused, and nothing is added', async (members, field) => {
    const service = await openService()
    const answer = await service.control('POST', 'merchants', members)
    expect([answer.code === '0', answer.field]).toEqual([false, field])
    expect(await merchantsOf(service)).toHaveLength(2)
    expect(service.sandbox.directory.applications).toHaveLength(2)
  })
})
