import { describe, expect, test } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import { applications, outcomes } from '../../../src/domain/fixtures.ts'
import { appOf } from '../../support/service/app.ts'
import {
  advanceClock,
  apiKey,
  crashCopy,
  following,
  openService,
  type Service,
  sale,
  storyOf,
  temporaryFolder,
  WallClock,
} from '../../support/service/service.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'
import { openAtNoon } from '../frozen-service.ts'

const minute = 60_000
const start = Date.UTC(2026, 10, 20, 12)

const idOf = async ({ call }: Service, more: object = {}, outcome: string | null = null, amount = 1000) =>
  (await call('sale', sale(amount, more), { 'X-Sandbox-Outcome': outcome })).data.transactionId as string
const statusOf = async (service: Service, id: string) => (await storyOf(service, id)).status

describe('health, connection and state', () => {
  test('health shows the status and the version', async () => {
    const { data } = await (await openService()).control('GET', 'health')
    expect(data).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      pid: process.pid,
      uptimeMs: expect.any(Number),
    })
  })

  test('connection has what a client needs, and a client works with it', async () => {
    const state = temporaryFolder()
    const { control, call } = await openService({ state })
    const { data } = await control('GET', 'connection')
    const known = { apiKey, appId: 'tbxapp0000000001', merchantId: 'M1000000001', pid: process.pid, state }
    expect(data).toMatchObject(known)
    const own = applications[0]?.merchants.flatMap((each) => each.terminals) ?? []
    expect(data.terminals).toEqual(own.map(({ terminalSn }) => terminalSn))
    const { appId, merchantId, terminals } = data
    const request = sale(1, { appId, merchantId, terminalSn: terminals[0] })
    expect((await call('sale', request, { Authorization: `Bearer ${data.apiKey}` })).code).toBe('0')
  })

  test('state counts transactions by status, merchants and open batches in which something counts', async () => {
    const service = await openService()
    const voided = await idOf(service, { priceCurrency: 'EUR' })
    await service.call('void', following(voided, { pushToTerminal: false }))
    for (const terminalSn of ['TBX-AUTO-001', 'TBX-AUTO-001', 'TBX-OFFLINE-001', 'TBX-CANCEL-001'])
      await idOf(service, { terminalSn })
    const { data } = await service.control('GET', 'state')
    const byStatus = { SUCCESS: 4, INITIAL: 1, CLOSED: 1 }
    expect(data).toMatchObject({ merchants: 2, transactions: 6, byStatus, openBatches: 1 })
  })

  test('outcomes lists the table of outcomes', async () => {
    expect((await (await openService()).control('GET', 'outcomes')).data.outcomes).toEqual(outcomes)
  })
})

test('a transaction shows everything that happened, in order, and its follow-ups', async () => {
  const service = await openAtNoon()
  const id = await idOf(service)
  await advanceClock(service, minute)
  const request = following(id, { amount: 300 })
  const refund = (await service.call('refund', request)).data.transactionId
  const story = await storyOf(service, id)
  expect(story).toMatchObject({
    merchantId: 'M1000000001',
    status: 'SUCCESS',
    screen: 'done',
    outcome: 'approve',
    rule: 'default',
    refundedAmount: 300,
    relatedTransactionStatus: 'PART_REFUNDED',
    transactionBatchStatus: 'U',
    children: [refund],
    originalTransactionId: null,
  })
  expect(story.record.transactionId).toBe(id)
  const moments = story.timeline.map(({ what, at }: { what: string; at: number }) => `${what} ${at - start}`)
  const approved = ['opened 0', 'taken-up 0', 'card-presented 0', 'host-asked 0', 'approved 0']
  expect(moments).toEqual([...approved, `refund ${minute}`])
  expect(story.timeline.at(-1)?.time).toBe('2026-11-20T12:01:00')
  expect((await storyOf(service, refund)).originalTransactionId).toBe(id)
})

describe('clock', () => {
  const act = ({ control }: Service, action: string, more: object = {}) =>
    control('POST', 'clock', { action, ...more })

  test('clock changes run one after the other, even while an advance waits for webhooks', async () => {
    const receiver = await openReceiver((_, response) => setTimeout(() => response.end(), 100))
    const service = await openService({ wall: new WallClock(start).read, notifyUrl: receiver.url })
    await service.call('sale', sale(1000, { terminalSn: 'TBX-LATE-001' }))
    const hour = 3_600_000
    const both = await Promise.all([1, 2].map(() => act(service, 'advance', { milliseconds: hour })))
    expect(both.map(({ data }) => data.offsetMs)).toEqual([hour, 2 * hour])
    await service.call('sale', sale(1000, { terminalSn: 'TBX-LATE-001' }))
    await Promise.all([act(service, 'advance', { milliseconds: hour }), act(service, 'reset')])
    expect((await service.control('GET', 'clock')).data.offsetMs).toBe(0)
    expect(service.sandbox.settings.data.clock.offset).toBe(0)
  })

  test('an advance during which time passes ends with the clock that is stored', async () => {
    const wall = new WallClock(start)
    const receiver = await openReceiver((_, response) => {
      wall.pass(3_000)
      response.end()
    })
    const service = await openService({ wall: wall.read, notifyUrl: receiver.url })
    await service.call('sale', sale(1000, { terminalSn: 'TBX-LATE-001' }))
    await act(service, 'advance', { milliseconds: 120_000 })
    expect(receiver.arrivals).toHaveLength(1)
    expect(service.sandbox.clock.state).toEqual(service.sandbox.settings.data.clock)
  })

  test('the clock is frozen, set, resumed and reset', async () => {
    const wall = new WallClock(start)
    const service = await openService({ wall: wall.read })
    const now = async () => (await service.control('GET', 'clock')).data.now
    expect((await act(service, 'freeze')).data.frozen).toBe(true)
    wall.pass(minute)
    expect(await now()).toBe('2026-11-20T12:00:00.000Z')
    await act(service, 'set', { time: '2027-01-01T00:00:00Z' })
    wall.pass(minute)
    expect(await now()).toBe('2027-01-01T00:00:00.000Z')
    expect((await act(service, 'resume')).data.frozen).toBe(false)
    wall.pass(minute)
    expect(await now()).toBe('2027-01-01T00:01:00.000Z')
    expect((await act(service, 'reset')).data).toMatchObject({ offsetMs: 0, frozen: false })
  })

  test('advance runs what falls due, in order, and returns when it is done', async () => {
    const service = await openAtNoon()
    const timeExpire = new Date(start + 4 * minute).toISOString()
    const expiring = await idOf(service, { terminalSn: 'TBX-OFFLINE-001', timeExpire })
    const late = await idOf(service, {}, 'late-approval')
    const failing = await idOf(service, { terminalSn: 'TBX-TIP20-001' }, 'host-timeout')
    const untouched = await idOf(service, { terminalSn: 'TBX-OFFLINE-001' })
    await advanceClock(service, 59_999)
    expect(await statusOf(service, late)).toBe('PROCESSING')
    const { data } = await advanceClock(service, 10 * minute)
    expect(data.now).toBe('2026-11-20T12:10:59.999Z')
    const stories = [late, failing, expiring].map((id) => storyOf(service, id))
    const ends = (await Promise.all(stories)).map(({ status, record }) => [status, record.completeTime])
    expect(ends).toEqual([
      ['SUCCESS', '2026-11-20T12:01:00'],
      ['FAIL', '2026-11-20T12:01:00'],
      ['CLOSED', '2026-11-20T12:04:00'],
    ])
    expect(await statusOf(service, untouched)).toBe('INITIAL')
  })

  test.each([0, 1])('advance by %i ms waits for the webhooks that are under way', async (milliseconds) => {
    const service = await openService()
    let release = () => {}
    const receiver = await openReceiver((_, response) => {
      release = () => response.writeHead(200).end()
    })
    await idOf(service, { notifyUrl: receiver.url })
    await receiver.got(1)
    let moved = false
    const moving = advanceClock(service, milliseconds).then(() => {
      moved = true
    })
    expect((await service.control('GET', 'webhooks')).data.deliveries).toMatchObject([{ state: 'pending' }])
    expect(moved).toBe(false)
    release()
    await moving
    expect((await service.control('GET', 'webhooks')).data.deliveries).toMatchObject([{ state: 'delivered' }])
  })

  test('every change of an advance is on disk when it returns', async () => {
    const wall = new WallClock(start)
    const service = await openService({ wall: wall.read })
    const late = await idOf(service, {}, 'late-approval')
    await advanceClock(service, minute)
    const crashed = await openService({ state: crashCopy(service.folder), wall: wall.read })
    expect(await statusOf(crashed, late)).toBe('SUCCESS')
  })

  test.each([
    ['advance', {}, 'milliseconds'],
    ['advance', { milliseconds: 8e15 }, 'milliseconds'],
    ['set', {}, 'time'],
    ['set', { time: 'Nov 21 2026' }, 'time'],
    ['set', { time: '2026-11-31T12:00:00Z' }, 'time'],
    ['set', { time: '+275760-09-13T00:00:00.000Z' }, 'time'],
    ['set', { time: '1999-12-31T23:59:59.999Z' }, 'time'],
  ])('%s with %o is refused', async (action, more, field) => {
    const service = await openAtNoon()
    expect(await act(service, action, more)).toMatchObject({ code: 'C17', field })
    expect((await service.control('GET', 'clock')).data.offsetMs).toBe(0)
  })
})

describe('reset', () => {
  test('a reset forgets transactions, request ids and batches, and keeps clock, keys, allow-list and terminals', async () => {
    const service = await openAtNoon()
    const request = sale(1000)
    const headers = { 'X-Client-Request-Id': '01234567-89ab-4def-8123-456789abcdef' }
    await service.call('sale', request, headers)
    await service.control('PATCH', 'terminals/TBX-AUTO-001', { tipPercent: 50 })
    await service.control('PUT', 'allow-list', { addresses: ['127.0.0.1'] })
    await advanceClock(service, minute)
    expect((await service.control('POST', 'reset')).data).toEqual({ status: 'reset' })
    const state = (await service.control('GET', 'state')).data
    expect(state).toMatchObject({ transactions: 0, byStatus: {}, openBatches: 0 })
    expect((await service.control('GET', 'allow-list')).data.addresses).toEqual(['127.0.0.1'])
    expect((await service.control('GET', 'clock')).data.offsetMs).toBe(minute)
    const answer = await service.call('sale', request, headers)
    expect(answer.code).toBe('0')
    expect((await storyOf(service, answer.data.transactionId)).record.tipAmount).toBe(500)
  })

  test('a reset keeps the settings of terminals, and forgets their lines, queues and receipts', async () => {
    const service = await openService({ wall: new WallClock(start).read, terminals: 'open' })
    const added = { terminalSn: 'DESK-2', mode: 'attended', contactlessLimit: 500 }
    await service.control('POST', 'terminals', added)
    await service.control('PATCH', 'terminals/TBX-AUTO-001', { online: false, busy: 'reject' })
    await service.call('sale', sale(1000, { terminalSn: 'FIRST-SIGHT' }))
    await service.control('PATCH', 'terminals/FIRST-SIGHT', { mode: 'attended' })
    for (const _ of [1, 2]) await service.call('sale', sale(1000, { terminalSn: 'DESK-2' }))
    await service.control('POST', 'terminals/DESK-2/queue', { outcome: 'lost-card', times: 2 })
    await service.control('POST', 'reset')
    const { terminals } = (await service.control('GET', 'terminals')).data
    const one = (serial: string) =>
      terminals.find(({ terminalSn }: { terminalSn: string }) => terminalSn === serial)
    expect(one('DESK-2')).toMatchObject({ ...added, screen: 'idle', line: [], queue: [] })
    expect(one('TBX-AUTO-001')).toMatchObject({ online: false, busy: 'reject' })
    expect(one('FIRST-SIGHT')).toMatchObject({ mode: 'attended', line: [] })
    expect((await service.control('GET', 'terminals/DESK-2/screen')).data.last).toBeNull()
    const waits = (await service.call('sale', sale(1000, { terminalSn: 'DESK-2' }))).data.transactionId
    await advanceClock(service, minute)
    expect(await storyOf(service, waits)).toMatchObject({ status: 'PROCESSING', screen: 'present-card' })
  })

  test('a reset and a restore can save the state before, and everything cannot', async () => {
    const service = await openAtNoon()
    const reset = async (members: object) => service.control('POST', 'reset', members)
    expect((await reset({ keep: true })).data).toEqual({ status: 'reset', kept: null })
    await service.call('sale', sale(1000))
    expect(await reset({ keep: true, everything: true })).toMatchObject({ code: 'C17', field: 'keep' })
    const { kept } = (await reset({ keep: true })).data
    const restored = await service.control('POST', `snapshots/${kept}/restore`, { keep: true })
    const facts = { name: kept, transactions: 1, replaced: 0, kept: expect.any(String) }
    expect(restored.data).toMatchObject(facts)
    expect((await service.control('GET', 'state')).data.transactions).toBe(1)
  })

  test('a reset leaves nothing due from before', async () => {
    const service = await openAtNoon()
    await idOf(service, {}, 'late-approval')
    const due = () => service.sandbox.engine.ahead(10)
    expect(due()).toHaveLength(1)
    await service.control('POST', 'reset')
    expect(due()).toEqual([])
  })
})

describe('Host and Origin', () => {
  const get = async (headers: Record<string, string | null>) => {
    const { send } = await openService()
    return (await send('GET', '/_sandbox/health', { headers })).code
  }
  const change = async (headers: Record<string, string | null>) => {
    const { send, sandbox } = await openService()
    const before = sandbox.clock.state
    const { status, code } = await send('POST', '/_sandbox/clock', { headers, body: '{"action":"freeze"}' })
    if (code !== '0') expect(sandbox.clock.state).toEqual(before)
    return [status, code]
  }

  test('a Host of a container names the options that make it one of the sandbox', async () => {
    const { send } = await openService()
    const headers = { Host: 'host.docker.internal:8455' }
    const { code, remedy } = await send('GET', '/_sandbox/health', { headers })
    expect(code).toBe('SBX_HOST')
    expect(remedy).toContain('--public-url http://host.docker.internal:8455 --token generate')
  })

  test.each([
    'http://evil.example',
    'https://evil.example:8080',
    'null',
    'http://localhost:9999',
    'http://localhost.evil.example',
    'file://',
  ])('a change with the Origin %s is refused', async (origin) => {
    expect(await change({ Host: 'localhost:8080', Origin: origin })).toEqual([403, 'SBX_HOST'])
  })

  test('a change from the sandbox’s own pages, or from no page, is accepted', async () => {
    const own = { Host: 'localhost:8080', Origin: 'http://localhost:8080' }
    expect(await change(own)).toEqual([200, '0'])
    expect(await change({ Host: 'localhost:8080' })).toEqual([200, '0'])
  })

  /** A browser sends neither Origin with a plain GET nor anything else that tells a link from a script. */
  const link = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }

  test.each([
    ['cross-site', false],
    ['same-site', false],
    ['anything', false],
    ['same-origin', true],
    ['none', true],
  ])('Sec-Fetch-Site %s is accepted: %s; a refusal is for a link too', async (site, isAccepted) => {
    for (const more of isAccepted ? [{}] : [{}, link]) {
      const headers = { Host: 'localhost:8080', 'Sec-Fetch-Site': site, ...more }
      expect(await get(headers)).toBe(isAccepted ? '0' : 'SBX_HOST')
      expect(await change(headers)).toEqual(isAccepted ? [200, '0'] : [403, 'SBX_HOST'])
    }
  })

  test('no answer opens the control interface to other origins', async () => {
    const { send } = await openService()
    const headers = { Host: 'localhost:8080', Origin: 'http://localhost:8080' }
    const answer = await send('GET', '/_sandbox/connection', { headers })
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull()
  })

  test.each([
    [80, false, '192.0.2.1', true],
    [80, false, '192.0.2.1:80', true],
    [443, true, '192.0.2.1', true],
    [443, true, '[2001:db8::1]', true],
    [80, true, '192.0.2.1', false],
    [8080, false, '192.0.2.1', false],
    [80, false, '192.0.2.2', false],
    [80, false, '192.0.2.1.evil.example', false],
  ])('at port %i, with TLS %s, the Host %s is the sandbox’s: %s', async (localPort, encrypted, host, own) => {
    const { sandbox } = await openService()
    const bound = host.startsWith('[') ? host : '192.0.2.1'
    const socket = { remoteAddress: '127.0.0.1', localAddress: '192.0.2.1', localPort, encrypted }
    const incoming = { socket, headers: { host } }
    const request = new Request(`http://${host}/_sandbox/health`, { headers: { host } })
    const response = await appOf(sandbox, bound).fetch(request, { incoming } as never)
    expect(response.status).toBe(own ? 200 : 403)
  })

  test('the API accepts only loopback names while it is bound to loopback, and any name elsewhere', async () => {
    const { call, sandbox } = await openService()
    const refused = await call('sale', sale(1), { Host: 'payments.test' })
    expect([refused.status, refused.code, refused.field]).toEqual([403, 'SBX_HOST', 'Host'])
    const open = appOf(sandbox, '127.0.0.1', true)
    const response = await open.request(operations.query.path, { headers: { Host: 'payments.test' } })
    expect(response.status).toBe(401)
  })
})
