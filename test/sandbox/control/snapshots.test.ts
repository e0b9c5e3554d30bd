import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { builtIn } from '../../../src/domain/fixtures.ts'
import { receive } from '../../../src/sandbox/control/state/portable-state.ts'
import { Feed } from '../../../src/sandbox/webhooks/notifications/feed.ts'
import { webhookSecrets } from '../../../src/sandbox/webhooks/secrets.ts'
import { catalogueOfSpace } from '../../../src/server/spaces/open-space.ts'
import { Acknowledged } from '../../support/load/acknowledged.ts'
import { startLoad } from '../../support/load/mixed-load.ts'
import { Random } from '../../support/load/random.ts'
import { times } from '../../support/runner/counts.ts'
import { appOf } from '../../support/service/app.ts'
import { askIn } from '../../support/service/ask.ts'
import { newId } from '../../support/service/new-id.ts'
import {
  type Answer,
  advanceClock,
  apiKey,
  crashCopy,
  encodeLine,
  following,
  missedSince,
  openService,
  plainLedgersOf,
  type Service,
  sale,
  temporaryFolder,
  transactionsIn,
  WallClock,
} from '../../support/service/service.ts'
import { fetchDeliveries } from '../../support/webhooks/deliveries.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

/** What a restore brings back, as plain data. */
const restorable = ({ sandbox }: Service): object => ({
  ledgers: plainLedgersOf(sandbox),
  deliveries: [...sandbox.engine.state.ledgers.values()].map(({ outbox }) =>
    structuredClone([...outbox.deliveries.values()]),
  ),
  requests: [...sandbox.engine.state.requests.values()],
  clock: sandbox.clock.state,
  faults: sandbox.faults.rulesWithCounts,
})

const sell = async ({ call }: Service, more: object = {}): Promise<string> =>
  (await call('sale', sale(1000, more))).data.transactionId

const save = ({ control }: Service, name: string, members = {}) =>
  control('PUT', `snapshots/${name}`, members)
const restore = ({ control }: Service, name: string) => control('POST', `snapshots/${name}/restore`)
const diff = async ({ control }: Service, name: string, to?: string) =>
  (await control('GET', `snapshots/${name}/diff${to === undefined ? '' : `?to=${to}`}`)).data

/** Nothing is on its way any more. */
async function quiet({ sandbox, control }: Service): Promise<void> {
  await control('POST', 'clock', { action: 'advance', milliseconds: 1 })
  await control('POST', 'clock', { action: 'freeze' })
  await sandbox.courier.idle()
  await sandbox.engine.written()
}

/** The export as a text. */
async function exported({ sandbox }: Service, query = ''): Promise<string> {
  const response = await appOf(sandbox).request(`/_sandbox/export${query}`)
  expect(response.status).toBe(200)
  return response.text()
}

const importText = ({ send }: Service, text: string, query = '') =>
  send('POST', `/_sandbox/import${query}`, { body: text })

describe('a snapshot', () => {
  test('a restore brings back transactions, batches, terminals, queues, outbox, request ids, clock and faults', async () => {
    const service = await openService({ retries: [] })
    const { control, call } = service
    await control('POST', 'clock', { action: 'set', time: '2026-12-24T18:00:00Z' })
    await control('POST', 'clock', { action: 'freeze' })
    await control('PATCH', 'terminals/TBX-AUTO-001', { tipPercent: 15 })
    await control('POST', 'terminals/TBX-AUTO-001/queue', { outcome: 'insufficient-funds', times: 2 })
    await control('POST', 'faults', { kind: 'http-503', operation: 'void', times: 3 })
    const waiting = await sell(service, { terminalSn: 'TBX-ATTENDED-001' })
    const paid = await sell(service, { terminalSn: 'TBX-TIP20-001' })
    const before = restorable(service)
    expect((await save(service, 'base')).data).toMatchObject({ name: 'base', transactions: 2 })

    await call('refund', following(paid, { amount: 300 }))
    await control('POST', 'clock', { action: 'advance', milliseconds: 3_600_000 })
    await control('POST', 'clock', { action: 'resume' })
    await control('DELETE', 'faults')
    await control('PATCH', 'terminals/TBX-AUTO-001', { tipPercent: 20 })
    await call('abort', { originalTransactionId: waiting })
    await call('batch-close', { transactionRequestId: newId(), terminalSn: 'TBX-TIP20-001' })
    await sell(service)
    expect(restorable(service)).not.toEqual(before)

    expect((await restore(service, 'base')).data).toMatchObject({ name: 'base', transactions: 2 })
    expect(restorable(service)).toEqual(before)
    expect((await diff(service, 'base')).same).toBe(true)
  })

  test('a restore after any operations gives the exact state, repeatedly and after a restart', async () => {
    const seed = Date.now() % 2 ** 31
    const random = new Random(seed)
    const state = temporaryFolder()
    const options = { state, retries: [] }
    const service = await openService(options)
    const ask = askIn(service.sandbox)
    const load = (most: number) => {
      const acknowledged = new Acknowledged()
      return startLoad({ ask, random: random.fork(), acknowledged, notifyUrl: null, connections: 4, most })
        .done
    }
    await load(times(30, 400))
    await quiet(service)
    const before = restorable(service)
    expect((await save(service, 'base')).code).toBe('0')
    for (let round = 0; round < times(2, 10); round++) {
      await load(times(20, 200))
      expect((await restore(service, 'base')).code).toBe('0')
      expect(restorable(service), `seed ${seed}`).toEqual(before)
    }
    const killed = await openService({ ...options, state: crashCopy(state) })
    expect(restorable(killed), `killed, seed ${seed}`).toEqual(before)
    await service.close()
    expect(restorable(await openService(options)), `stopped, seed ${seed}`).toEqual(before)
  })

  test('payments acknowledged after a restore stay, and ids are not given twice', async () => {
    const wall = new WallClock()
    const service = await openService({ wall: wall.read })
    const first = await sell(service)
    await save(service, 'base')
    const forgotten = await sell(service)
    await restore(service, 'base')
    const later = await sell(service)
    expect(Number(later)).toBeGreaterThan(Number(forgotten))
    const killed = await openService({ state: crashCopy(service.folder), wall: wall.read })
    expect(transactionsIn(killed.sandbox).map(({ id }) => id)).toEqual([first, later])
    expect((await killed.call('query', { transactionId: forgotten })).code).toBe('SBX_TXN_UNKNOWN')
  })

  test('a restore keeps the current keys, secrets and allow-list', async () => {
    const service = await openService()
    const { control, sandbox } = service
    await save(service, 'base')
    await control('POST', 'keys/regenerate', { graceMs: 0 })
    await control('POST', 'webhook-secret/rotate', {})
    await control('PUT', 'allow-list', { addresses: ['127.0.0.1'] })
    const { keys, secrets, allowLists } = structuredClone(sandbox.settings.data)
    expect((await restore(service, 'base')).code).toBe('0')
    expect(sandbox.settings.data).toMatchObject({ keys, secrets, allowLists })
  })

  test('the file of a snapshot is a state file without secrets, for its owner alone', async () => {
    const service = await openService()
    await service.control('POST', 'webhook-secret/rotate', {})
    await sell(service)
    await save(service, 'base')
    const path = join(service.folder, 'snapshots', 'base.json')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(service.folder, 'snapshots')).mode & 0o777).toBe(0o700)
    const text = readFileSync(path, 'utf8')
    expect(text).not.toMatch(/whsec_|tbx_sandbox_/)
    expect(JSON.parse(text)[0]).toMatchObject({ format: 3, name: 'base' })
  })

  test('a name in use is refused unless it is to be replaced, and the list shows every snapshot', async () => {
    const service = await openService()
    await save(service, 'b-1.x_Y')
    await sell(service)
    expect(await save(service, 'b-1.x_Y')).toMatchObject({ code: 'SBX_SNAP_EXISTS', field: 'name' })
    expect((await save(service, 'b-1.x_Y', { replace: true })).data.transactions).toBe(1)
    await save(service, 'a')
    const { data } = await service.control('GET', 'snapshots')
    expect(data.snapshots.map(({ name }: { name: string }) => name)).toEqual(['a', 'b-1.x_Y'])
    expect((await service.control('DELETE', 'snapshots/a')).data.snapshots).toHaveLength(1)
    expect(await service.control('DELETE', 'snapshots/a')).toMatchObject({ code: 'SBX_SNAP_NONE' })
  })

  test('a name that differs from another only in case is refused: some file systems have one file for both', async () => {
    const service = await openService()
    await save(service, 'Base')
    for (const replace of [false, true])
      expect(await save(service, 'base', { replace })).toMatchObject({
        ...{ code: 'SBX_SNAP_EXISTS', field: 'name', detail: 'snapshot Base differs from base only in case' },
      })
    expect((await save(service, 'Base', { replace: true })).code).toBe('0')
  })

  test.each(['..', '-x', '..%2F..%2Fetc', '%00'])('the name %s is refused, nothing is made', async (name) => {
    const service = await openService()
    const refused = ['SBX_SNAP_NAME', 'SBX_NO_PATH', 'SBX_METHOD']
    for (const { code } of [await save(service, name), await restore(service, name)])
      expect(refused).toContain(code)
    expect(readdirSync(service.folder)).not.toContain('snapshots')
  })

  test('a damaged, cut off or newer snapshot is refused and listed with the reason', async () => {
    const service = await openService()
    await sell(service)
    await save(service, 'base')
    await sell(service)
    const before = restorable(service)
    const path = join(service.folder, 'snapshots', 'base.json')
    const text = readFileSync(path, 'utf8')
    const [start = '', first = '', ...rest] = text.trimEnd().split('\n')
    const { crc: _, ...header } = JSON.parse(first.slice(0, -1))
    const withHeader = (more: object) =>
      [start, `${encodeLine({ ...header, ...more }).trimEnd()},`, ...rest, ''].join('\n')
    for (const [wrong, why] of [
      [text.replace('"amount"', '"amonut"').replace('1000', '1001'), 'checksum'],
      [text.slice(0, text.lastIndexOf('{"end"')), 'its end is missing'],
      [withHeader({ format: 9, version: '9.9.9' }), 'tillbox 9.9.9 wrote it in format 9'],
      [withHeader({ fee: 1 }), 'fee'],
      [withHeader({ transactions: 7 }), 'it has 1 transactions'],
      ['', 'not a snapshot'],
      ['{"a":1}\n', 'not a snapshot'],
    ] as const) {
      writeFileSync(path, wrong)
      const answer = await restore(service, 'base')
      expect(answer.code, why).toBe('SBX_SNAP_READ')
      expect(answer.detail).toContain(why)
      expect(restorable(service)).toEqual(before)
    }
    writeFileSync(path, withHeader({ format: 9, version: '9.9.9' }))
    expect((await restore(service, 'base')).remedy).toContain('Use tillbox 9.9.9')
    const { data } = await service.control('GET', 'snapshots')
    expect(data.snapshots[0]).toMatchObject({ name: 'base', problem: expect.stringContaining('9.9.9') })
  })

  test('each payment during a save and a restore is answered, and is in the state whole or not at all', async () => {
    const service = await openService()
    const some = () => Promise.all(Array.from({ length: 20 }, () => service.call('sale', sale(100))))
    const [saved, ...sold] = await Promise.all([save(service, 'base'), some(), some()])
    const { transactions } = saved.data
    let isRestoring = true
    const restored = restore(service, 'base').finally(() => {
      isRestoring = false
    })
    const answered = await some()
    while (isRestoring) answered.push(await service.call('sale', sale(100)))
    answered.push(...(await some()))
    expect((await restored).data).toMatchObject({ transactions })
    expect([...sold.flat(), ...answered].every(({ code }) => code === '0')).toBe(true)
    const query = ({ data: { transactionId } }: Answer) => service.call('query', { transactionId })
    const codes = (await Promise.all(answered.map(query))).map(({ code }) => code)
    const kept = codes.filter((code) => code === '0').length
    expect(codes.filter((code) => code === 'SBX_TXN_UNKNOWN')).toHaveLength(answered.length - kept)
    const total = { totalCount: transactions + kept, netAmount: 100 * (transactions + kept) }
    expect((await service.call('batch-query', {})).data.batchList).toMatchObject([total])
    const after = plainLedgersOf(service.sandbox)
    expect(plainLedgersOf((await openService({ state: crashCopy(service.folder) })).sandbox)).toEqual(after)
  })
})

describe('the surroundings of a restored state', () => {
  test('an attempt under way before a restore does not count in the restored state', async () => {
    const answers: (() => void)[] = []
    const receiver = await openReceiver((_, response) => answers.push(() => response.writeHead(200).end()))
    const service = await openService({ retries: [] })
    const { sandbox } = service
    await sell(service, { notifyUrl: receiver.url })
    await receiver.got(1)
    await save(service, 'base')
    await restore(service, 'base')
    answers.shift()?.()
    await receiver.got(2) // it waited when it was saved, so it is sent
    expect(await fetchDeliveries(service)).toMatchObject([{ state: 'pending', attempts: 0 }])
    answers.shift()?.()
    await sandbox.courier.idle()
    await sandbox.engine.written()
    expect(await fetchDeliveries(service)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })

  test('delivery numbers go on after a restore, so that none is used for another delivery', async () => {
    const [service, receiver] = [await openService({ retries: [] }), await openReceiver()]
    await save(service, 'base')
    await sell(service, { notifyUrl: receiver.url })
    await restore(service, 'base')
    await sell(service, { notifyUrl: receiver.url })
    const ledgers = [...service.sandbox.engine.state.ledgers.values()]
    expect(ledgers.flatMap(({ outbox }) => [...outbox.deliveries.keys()])).toEqual([2])
  })

  test('readers get no restored notification again, and get those that follow', async () => {
    const service = await openService()
    const readIds: string[] = []
    const { sandbox, control } = service
    const ended = new AbortController()
    onTestFinished(() => ended.abort())
    const feed = new Feed(sandbox, undefined, ({ transactionId }) => transactionId)
    void (async () => {
      for await (const slice of feed.slices(ended.signal)) readIds.push(...slice)
    })()
    const first = await sell(service)
    await save(service, 'base')
    await expect.poll(() => feed.remaining).toBe(0)
    await control('POST', 'reset')
    const other = await sell(service) // as many notifications as the snapshot has
    await expect.poll(() => readIds).toContain(other)
    await restore(service, 'base')
    const later = await sell(service)
    await expect.poll(() => readIds).toContain(later)
    expect([...new Set(readIds)]).toEqual([first, other, later])
    const lastId = sandbox.announcer.index.latestId(sandbox.engine.state)
    expect((await missedSince(sandbox, '0')).length).toBeGreaterThan(0)
    expect(await missedSince(sandbox, lastId)).toEqual([])
  })

  test('--forward-to goes on after the restored state, over a restart too', async () => {
    const receiver = await openReceiver()
    const state = temporaryFolder()
    const options = { state, forwardTo: receiver.url }
    const service = await openService(options)
    const sellTo = async (each: Service) => {
      const id = await sell(each)
      await each.sandbox.courier.idle()
      return id
    }
    await sellTo(service)
    await save(service, 'base')
    await sellTo(service)
    await restore(service, 'base')
    await service.close()
    const before = receiver.arrivals.length
    const later = await sellTo(await openService(options))
    const arrivedIds = receiver.arrivals.slice(before).map(({ json }) => json.transactionId)
    expect(new Set(arrivedIds)).toEqual(new Set([later]))
  })

  test('open pages are updated after a restore', async () => {
    const service = await openService()
    await save(service, 'base')
    const woken = vi.fn()
    for (const topic of ['transactions', 'terminals', 'webhooks', 'faults'] as const)
      service.sandbox.changes.next([topic], woken)
    await restore(service, 'base')
    expect(woken).toHaveBeenCalledTimes(4)
  })

  test('steps that fell due happen once the clock is back', async () => {
    const wall = new WallClock()
    const service = await openService({ wall: wall.read })
    const transactionId = await sell(service, { terminalSn: 'TBX-ATTENDED-001' })
    const status = async () => (await service.call('query', { transactionId })).data.transactionStatus
    const pass = () => advanceClock(service, 86_400_000)
    await save(service, 'base')
    await pass()
    expect(await status()).toBe('C')
    await restore(service, 'base')
    expect(await status()).not.toBe('C')
    await pass()
    expect(await status()).toBe('C')
  })
})

describe('the difference between two states', () => {
  test('a diff names changes in transactions, batches, terminals, webhooks, clock and faults', async () => {
    const service = await openService({ retries: [] })
    const { control, call } = service
    const paid = await sell(service, { notifyUrl: 'http://127.0.0.1:9/' })
    await service.sandbox.courier.idle()
    await control('POST', 'clock', { action: 'freeze' })
    await save(service, 'base')
    expect(await diff(service, 'base')).toMatchObject({ same: true, transactions: [], webhooks: [] })
    const refunded = (await call('refund', following(paid, { amount: 300 }))).data.transactionId
    await control('PATCH', 'terminals/TBX-AUTO-001', { tipPercent: 20 })
    await control('POST', 'faults', { kind: 'http-503' })
    await control('POST', 'clock', { action: 'advance', milliseconds: 1_000 })
    const difference = await diff(service, 'base')
    expect(difference.same).toBe(false)
    const changes = expect.arrayContaining([
      { member: 'relatedTransactionStatus', from: null, to: 'PART_REFUNDED' },
      { member: 'refunded', from: 0, to: 300 },
    ])
    expect(difference.transactions).toMatchObject([
      { transactionId: paid, change: 'changed', changes },
      { transactionId: refunded, change: 'added', type: 'REFUND', amount: 300, currency: 'USD' },
    ])
    expect(difference.batches).toMatchObject([
      { change: 'changed', changes: expect.arrayContaining([{ member: 'count', from: 1, to: 2 }]) },
    ])
    expect(difference.terminals).toMatchObject([
      { terminalSn: 'TBX-AUTO-001', changes: [{ member: 'tipPercent', from: null, to: 20 }] },
    ])
    expect(difference.settings.map(({ member }: { member: string }) => member)).toEqual(['clock', 'faults'])
    await save(service, 'later')
    expect((await diff(service, 'base', 'later')).transactions).toEqual(difference.transactions)
    expect((await diff(service, 'later', 'base')).transactions[1]).toMatchObject({ change: 'removed' })
    expect((await service.control('GET', 'snapshots/base/diff?to=none')).code).toBe('SBX_SNAP_NONE')
  })

  test('a diff names terminals that belong to no merchant', async () => {
    const service = await openService()
    await save(service, 'base')
    await service.control('POST', 'terminals', { terminalSn: 'NEW-1', unpaired: true })
    const added = { terminalSn: 'NEW-1', merchantId: null, change: 'added' }
    expect(await diff(service, 'base')).toMatchObject({ same: false, terminals: [added] })
  })
})

test.each([
  ['a URL with a scheme in capitals', { notifyUrl: 'HTTP://127.0.0.1:1/hook' }],
  ['the highest percentage', { tipConfig: { suggestions: { feeMode: 'RATE', values: [1_000] } } }],
  ['the highest amount', { tipConfig: { suggestions: { feeMode: 'AMOUNT', values: [1e12] } } }],
])('a snapshot with a sale of %s can be restored', async (_, members) => {
  const service = await openService({ retries: [] })
  expect((await service.call('sale', sale(1000, members))).code).toBe('0')
  await service.control('PUT', 'snapshots/base', {})
  expect((await service.control('POST', 'snapshots/base/restore', {})).code).toBe('0')
})

describe('merchants that were added', () => {
  test('assumption restore: a merchant that is added again uses no number of a delivery twice', async () => {
    const service = await openService({ retries: [] })
    await service.control('PUT', 'snapshots/base', {})
    const attemptsOfNew = async () => {
      const { apiKey } = (await service.control('POST', 'merchants', { merchantId: 'M3' })).data
      const request = sale(1000, { merchantId: 'M3', notifyUrl: 'http://127.0.0.1:1/' })
      expect((await service.call('sale', request, { Authorization: `Bearer ${apiKey}` })).code).toBe('0')
      await service.sandbox.courier.idle()
      const { deliveries } = (await service.control('GET', 'webhooks')).data
      const { data } = await service.control('GET', `webhooks/${deliveries[0].id}`)
      return data.deliveries[0].tries.length
    }
    expect(await attemptsOfNew()).toBe(1)
    for (const _ of [1, 2]) {
      expect((await restore(service, 'base')).code).toBe('0')
      expect(await attemptsOfNew()).toBe(1)
    }
  })

  test('a merchant added since the snapshot is gone, and can be added again under its key', async () => {
    const service = await openService()
    await service.control('PUT', 'snapshots/base', {})
    const members = { merchantId: 'M3', terminals: ['DESK-1'] }
    const added = (await service.control('POST', 'merchants', members)).data
    await service.control('POST', 'snapshots/base/restore', {})
    const { merchants } = (await service.control('GET', 'merchants')).data
    expect(merchants).toHaveLength(2)
    const ofOther = { merchantId: 'M3', appId: 'tbxapp0000000001' }
    expect(await service.control('POST', 'merchants', ofOther)).toMatchObject({ code: 'SBX_OTHER_OWNER' })
    const again = (await service.control('POST', 'merchants', { merchantId: 'M3' })).data
    expect([again.apiKey, again.appId]).toEqual([added.apiKey, added.appId])
    expect(service.sandbox.directory.applications).toHaveLength(3)
    expect(await saleWith(service, added.apiKey)).toBe('0')
  })

  test('a merchant of the snapshot comes back with name, terminals and payments, under its key', async () => {
    const service = await openService()
    const shop = { merchantId: 'M3', name: 'Third Shop' }
    const { apiKey: key, terminals } = (await service.control('POST', 'merchants', shop)).data
    expect(await saleWith(service, key)).toBe('0')
    await service.control('PUT', 'snapshots/base', {})
    await service.control('DELETE', `terminals/${terminals[1]}`)
    expect((await service.control('POST', 'snapshots/base/restore', {})).code).toBe('0')
    const { merchants } = (await service.control('GET', 'merchants')).data
    expect(merchants.at(-1)).toMatchObject({ name: 'Third Shop', terminals })
    expect(service.sandbox.engine.state.ledgers.get('M3')?.transactions.size).toBe(1)
    expect(await saleWith(service, key)).toBe('0')
  })
})

/** Code of a sale for the merchant of the key. */
const saleWith = async (service: Service, key: string): Promise<string> =>
  (await service.call('sale', sale(1), { Authorization: `Bearer ${key}` })).code

describe('an export', () => {
  test('an export carries the whole state to another sandbox, without secrets', async () => {
    const one = await openService({ retries: [] })
    await one.control('POST', 'webhook-secret/rotate', {})
    await one.control('POST', 'clock', { action: 'freeze' })
    await sell(one, { terminalSn: 'TBX-ATTENDED-001' })
    await sell(one, { notifyUrl: 'http://127.0.0.1:9/' })
    await one.sandbox.courier.idle()
    const text = await exported(one)
    expect(text).not.toMatch(/whsec_|tbx_sandbox_/)
    const other = await openService({ retries: [] })
    const { secrets } = other.sandbox.settings.data
    expect((await importText(other, text)).data).toMatchObject({ name: null, transactions: 2, replaced: 0 })
    expect(restorable(other)).toEqual(restorable(one))
    expect(other.sandbox.settings.data.secrets).toEqual(secrets)
  })

  test('an export with secrets brings keys, secrets and allow-lists', async () => {
    const one = await openService()
    const { apiKey: key } = (await one.control('POST', 'keys/regenerate', {})).data
    await one.control('POST', 'webhook-secret/rotate', {})
    const text = await exported(one, '?secrets=true')
    const other = await openService()
    expect((await importText(other, text)).code).toBe('0')
    expect(other.sandbox.settings.data.secrets).toEqual(one.sandbox.settings.data.secrets)
    const headers = { Authorization: `Bearer ${key}` }
    expect((await other.call('sale', sale(1), headers)).code).toBe('0')
    expect((await other.call('sale', sale(1), { Authorization: `Bearer ${apiKey}` })).code).toBe('0') // in its grace
  })

  test('an export with secrets brings those of its start, and leaves the built-in ones out', async () => {
    const catalogue = catalogueOfSpace(builtIn, { secret: 'of a space' })
    const one = await openService({ catalogue, apiKey: 'tbx_sandbox_mine' })
    const { applications } = one.sandbox.directory
    const other = await openService()
    expect((await importText(other, await exported(one, '?secrets=true'))).code).toBe('0')
    const { directory, settings } = other.sandbox
    for (const [index, application] of directory.applications.entries()) {
      const { keys, webhookSecret } = applications[index] ?? {}
      expect(directory.currentKey(application)).toBe(index === 0 ? 'tbx_sandbox_mine' : keys?.[0]?.key)
      expect(webhookSecrets(settings.data, application).current).toBe(webhookSecret)
    }
    expect(await saleWith(other, 'tbx_sandbox_mine')).toBe('0')
    expect(await exported(await openService(), '?secrets=true')).not.toMatch(/whsec_|tbx_sandbox_/)
  })

  test('an export brings an added merchant, and with secrets its application too', async () => {
    const one = await openService()
    const { apiKey: key } = (await one.control('POST', 'merchants', { merchantId: 'M3' })).data
    const other = await openService()
    await other.control('POST', 'merchants', { merchantId: 'M4' })
    expect((await importText(other, await exported(one, '?secrets=true'))).code).toBe('0')
    expect(await saleWith(other, key)).toBe('0')
    expect(other.sandbox.directory.applications).toEqual(one.sandbox.directory.applications)
  })

  test('a merchant imported without secrets is there and can get an application again', async () => {
    const one = await openService()
    const added = (await one.control('POST', 'merchants', { merchantId: 'M3', name: 'Third Shop' })).data
    expect(await saleWith(one, added.apiKey)).toBe('0')
    const first = await openService()
    expect((await importText(first, await exported(one))).code).toBe('0')
    await first.close()
    const other = await openService({ state: first.folder })
    expect(await saleWith(other, added.apiKey)).toBe('SBX_KEY_UNKNOWN')
    expect((await other.control('GET', 'transactions?merchant=M3')).data.transactions).toHaveLength(1)
    const { terminals: given, appId } = added
    const listed = (await other.control('GET', 'merchants')).data.merchants.at(-1)
    expect(listed).toMatchObject({ merchantId: 'M3', name: 'Third Shop', appId, terminals: given })
    expect(await other.control('GET', 'webhook-secret?merchantId=M3')).toMatchObject({
      ...{ code: 'SBX_UNREGISTERED', field: 'merchantId' },
      remedy: expect.stringContaining('tillbox merchant add M3'),
    })
    const members = { merchantId: 'M3', appId: 'tbxapp0000000001' }
    expect(await other.control('POST', 'merchants', members)).toMatchObject({ code: 'SBX_OTHER_OWNER' })
    const renamed = await other.control('POST', 'merchants', { merchantId: 'M3', name: 'Other' })
    expect(renamed).toMatchObject({ code: 'C17', field: 'name' })
    const again = (await other.control('POST', 'merchants', { merchantId: 'M3', terminals: ['DESK-9'] })).data
    const terminals = [...given, 'DESK-9']
    expect(again).toMatchObject({ name: 'Third Shop', appId, terminals })
    expect(again.apiKey).not.toBe(added.apiKey)
    expect(await saleWith(other, again.apiKey)).toBe('0')
    const twice = await other.control('POST', 'merchants', { merchantId: 'M3' })
    expect(twice.code).toBe('SBX_MERCH_EXISTS')
  })

  test('an import into a sandbox with transactions is refused, unless it is to replace them', async () => {
    const service = await openService()
    await sell(service)
    const text = await exported(service)
    expect(await importText(service, text)).toMatchObject({ code: 'SBX_NOT_EMPTY' })
    expect((await importText(service, text, '?replace=true')).data).toMatchObject({ replaced: 1 })
  })

  test('any other file is refused with the reason, and nothing changes or stays behind', async () => {
    const service = await openService()
    const text = await exported(service)
    for (const wrong of ['{"hello":1}', 'PK\u0003\u0004', text.slice(0, -5), `${text}${text}`]) {
      const { code, detail } = await importText(service, wrong, '?replace=true')
      expect(code).toBe('SBX_SNAP_READ')
      expect(detail).toMatch(/^the file is/)
    }
    expect(existsSync(join(service.folder, 'snapshots'))).toBe(false)
  })

  test('an import may have the line ends of Windows, and a byte order mark', async () => {
    const text = `\uFEFF${await exported(await openService())}`
    expect(await importText(await openService(), text.replaceAll('\n', '\r\n'))).toMatchObject({ code: '0' })
  })

  test('an import that is too long is refused', async () => {
    const chunks = [Buffer.alloc(6), Buffer.alloc(5)]
    expect(await receive(Readable.from(chunks), 11)).toEqual(chunks)
    const [message, detail] = ['The body is too large', 'it has more than 10 bytes']
    const tooLong = { code: 'SBX_TOO_LARGE', message, detail }
    await expect(receive(Readable.from(chunks), 10)).rejects.toMatchObject(tooLong)
  })
})
