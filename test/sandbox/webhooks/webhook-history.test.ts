import { describe, expect, test } from 'vitest'
import { notificationId } from '../../../src/sandbox/webhooks/notifications/notification.ts'
import {
  advanceClock,
  crashCopy,
  onNotification,
  openService,
  type Service,
  sale,
  temporaryFolder,
  WallClock,
} from '../../support/service/service.ts'
import {
  fetchDeliveries,
  hmacOf,
  notificationDeliveries,
  sellAttempted,
  sellNotifying,
} from '../../support/webhooks/deliveries.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'
import { openFrozenService } from '../frozen-service.ts'

const second = 1000

/** Ends of a sandbox; whether it stopped cleanly. */
const ends: readonly (readonly [string, boolean])[] = [
  ['a clean stop', true],
  ['a crash', false],
]

const resend = ({ control }: Pick<Service, 'control'>, members: object) =>
  control('POST', 'webhooks/resend', members)

describe('the record of attempts', () => {
  test('every attempt is found with request and response by the id of the notification', async () => {
    const [service, receiver] = [await openFrozenService({ retries: [second, second] }), await openReceiver()]
    let count = 0
    receiver.answer((_, response) => {
      count += 1
      response.writeHead(count < 3 ? 500 : 200, { 'X-Mine': `é${count}`.slice(1) }).end(`answer ${count}`)
    })
    const transactionId = await sellNotifying(service, receiver.url, { attach: '茶' })
    await advanceClock(service, 2 * second)
    const [{ id, body }] = receiver.arrivals as never as [{ id: string; body: string }]
    const [delivery] = await notificationDeliveries(service, id)
    expect(delivery).toMatchObject({ id, transactionId, state: 'delivered', attempts: 3, last: 200 })
    expect(delivery.tries).toHaveLength(3)
    for (const [index, attempt] of delivery.tries.entries())
      expect(attempt).toEqual({
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        url: receiver.url,
        requestHeaders: expect.objectContaining({ 'X-Client-Request-Id': id, 'X-Signature': hmacOf(body) }),
        requestBody: body,
        status: index < 2 ? 500 : 200,
        responseHeaders: expect.objectContaining({ 'x-mine': String(index + 1) }),
        responseBody: `answer ${index + 1}`,
        durationMs: expect.any(Number),
        error: null,
        fault: null,
      })
  })

  test('an id that is unknown, malformed or of another merchant is refused', async () => {
    const [service, receiver] = [await openService(), await openReceiver()]
    await sellNotifying(service, receiver.url)
    const [arrival] = await receiver.got(1)
    const id = String(arrival?.id)
    const unknown = ['x', id.toUpperCase().replace(/^./, 'g'), id.replace(/^.{8}/, '00000000')]
    const ofOthers = ['-8003-', '-8fff-'].map((merchant) => id.replace('-8000-', merchant))
    for (const other of [...unknown, ...ofOthers])
      expect((await service.control('GET', `webhooks/${other}`)).code).toBe('SBX_WEBHOOK_NONE')
  })

  test('the list filters by state, transaction and time, newest last, up to a limit', async () => {
    const [service, receiver] = [await openFrozenService({ retries: [] }), await openReceiver(500)]
    const first = await sellAttempted(service, receiver.url)
    receiver.answer(200)
    await advanceClock(service, 60 * second)
    const since = new Date(service.sandbox.clock.now()).toISOString()
    const second_ = await sellNotifying(service, receiver.url)
    const third = await sellAttempted(service, receiver.url)
    const idsOf = async (query: string) =>
      (await fetchDeliveries(service, query)).map(({ transactionId }) => transactionId)
    expect(await idsOf('')).toEqual([first, second_, third])
    expect(await idsOf('?state=failed')).toEqual([first])
    expect(await idsOf('?state=delivered')).toEqual([second_, third])
    expect(await idsOf(`?transactionId=${third}`)).toEqual([third])
    expect(await idsOf(`?since=${since}`)).toEqual([second_, third])
    expect(await idsOf('?limit=1')).toEqual([third])
    expect(await service.control('GET', 'webhooks?limit=0')).toMatchObject({ code: 'C17', field: 'limit' })
    expect(await idsOf('?limit=100')).toHaveLength((await idsOf('')).length)
  })
})

describe('a notification without a URL', () => {
  test('resending it is refused with the reason, and it can be sent to a URL', async () => {
    const service = await openService()
    const notifiedIds: string[] = []
    onNotification(service.sandbox, ({ id }) => notifiedIds.push(id))
    const transactionId = await sellNotifying(service, null)
    await expect.poll(() => notifiedIds).toHaveLength(5)
    const [order = '', , , result = ''] = notifiedIds
    const show = (id: string) => service.control('GET', `webhooks/${id}`)
    expect(await show(result)).toMatchObject({
      code: 'SBX_NO_NOTIFYURL',
      detail: `the request of transaction ${transactionId} named no notifyUrl, and the sandbox was started without --notify-url`,
      remedy: expect.stringContaining('tillbox webhook resend'),
    })
    const reason = `the request of transaction ${transactionId} named no terminalEventNotifyUrl`
    expect((await show(order)).detail).toBe(reason)
    expect(await resend(service, { ids: [result] })).toMatchObject({ code: 'C17', field: 'to' })
    const receiver = await openReceiver()
    await resend(service, { ids: [result], to: receiver.url })
    await receiver.got(1)
    await service.sandbox.courier.idle()
    expect((await show(result)).data.deliveries).toMatchObject([{ state: 'delivered', url: receiver.url }])
  })

  test('an event that has not happened yet has no webhook', async () => {
    const service = await openService()
    const terminalSn = 'TBX-ATTENDED-001'
    const transactionId = await sellNotifying(service, null, { terminalSn })
    const id = notificationId('M1000000001', { transactionId, event: null })
    expect((await service.control('GET', `webhooks/${id}`)).code).toBe('SBX_WEBHOOK_NONE')
    expect((await resend(service, { ids: [id], to: 'http://127.0.0.1:9/' })).code).toBe('SBX_WEBHOOK_NONE')
  })
})

describe('resent notifications', () => {
  test('a resend has the same id and body, a new timestamp, and a signature with the current secret', async () => {
    const [service, receiver] = [await openFrozenService(), await openReceiver()]
    await sellNotifying(service, receiver.url)
    const [first] = await receiver.got(1)
    await service.sandbox.courier.idle()
    service.wall.pass(7)
    const { data } = await service.control('POST', 'webhook-secret/rotate', { graceMs: 0 })
    expect((await resend(service, { ids: [first?.id] })).data).toEqual({ resent: [first?.id] })
    const [, again] = await receiver.got(2)
    expect([again?.id, again?.body]).toEqual([first?.id, first?.body])
    expect(Number(again?.headers['x-timestamp'])).toBe(Number(first?.headers['x-timestamp']) + 7)
    expect(again?.headers['x-signature']).toBe(hmacOf(again?.body ?? '', data.secret))
    await service.sandbox.courier.idle()
    const [{ state, tries }] = await notificationDeliveries(service, first?.id ?? '')
    expect([state, tries.length]).toEqual(['delivered', 2])
  })

  test.each(ends)('attempts before and after a resend all count, also after %s', async (_, clean) => {
    const wall = new WallClock(Date.UTC(2026, 10, 20, 12))
    const service = await openService({ wall: wall.read, retries: [second, second] })
    await service.control('POST', 'clock', { action: 'freeze' })
    const receiver = await openReceiver(500)
    const transactionId = await sellAttempted(service, receiver.url)
    await advanceClock(service, 2 * second)
    await service.sandbox.courier.idle()
    const [{ id, ...before } = { id: '' }] = await fetchDeliveries(service)
    expect(before).toMatchObject({ state: 'failed', attempts: 3, totalAttempts: 3 })
    await resend(service, { ids: [id] })
    await receiver.got(4)
    await service.sandbox.courier.idle()
    const counted = { state: 'pending', attempts: 1, totalAttempts: 4 }
    expect(await fetchDeliveries(service)).toMatchObject([counted])
    expect(await notificationDeliveries(service, id)).toMatchObject([{ ...counted, tries: { length: 4 } }])
    const { data } = await service.control('GET', `transactions/${transactionId}`)
    expect(data.deliveries).toMatchObject([counted])
    await service.sandbox.engine.written()
    const copy = clean ? service.folder : crashCopy(service.folder)
    await service.close()
    const again = await openService({ state: copy, wall: wall.read, retries: [second, second] })
    expect(await fetchDeliveries(again)).toMatchObject([counted])
    receiver.answer(200)
    await resend(again, { ids: [id] })
    await receiver.got(5)
    await again.sandbox.courier.idle()
    const delivered = [{ state: 'delivered', attempts: 1, totalAttempts: 5 }]
    expect(await fetchDeliveries(again)).toMatchObject(delivered)
  })

  test('a resend to another URL has the original body, whatever has happened since', async () => {
    const service = await openFrozenService()
    const notifications: { id: string; body: string }[] = []
    onNotification(service.sandbox, (each) => notifications.push(each))
    const more = { tipAmount: 50, terminalEventNotifyUrl: null }
    const originalTransactionId = await sellNotifying(service, null, more)
    await expect.poll(() => notifications).toHaveLength(5)
    const terminal = notifications.filter(({ body }) => body.includes('eventType'))
    await advanceClock(service, 3600 * second)
    await service.call('refund', { transactionRequestId: 'R-THEN', originalTransactionId, amount: 1 })
    const receiver = await openReceiver()
    await resend(service, { ids: terminal.map(({ id }) => id), to: receiver.url })
    await receiver.got(terminal.length)
    const idAndBody = ({ id, body }: { id: string; body: string }) => ({ id, body })
    expect(receiver.arrivals.map(idAndBody)).toEqual(terminal.map(idAndBody))
    await service.sandbox.courier.idle()
    const other = await openReceiver()
    await resend(service, { all: true, to: other.url })
    await other.got(terminal.length)
    expect(other.arrivals.map(({ body }) => body)).toEqual(terminal.map(({ body }) => body))
  })

  test.each<[string, object, string]>([
    ['nothing is chosen', {}, 'C17'],
    ['ids and a filter', { ids: ['x'], all: true }, 'C17'],
    ['a target that is not a URL', { all: true, to: 'ftp://127.0.0.1/' }, 'C17'],
    ['an id that is unknown', { ids: ['x'] }, 'SBX_WEBHOOK_NONE'],
  ])('a resend is refused: %s', async (_, members, code) => {
    const service = await openService()
    const answer = await resend(service, members)
    expect([answer.code, answer.remedy === '']).toEqual([code, false])
  })
})

describe('an edited notification', () => {
  test('an edited notification is sent once and at once, signed, marked as a test, and not kept', async () => {
    const [service, receiver] = [await openService(), await openReceiver(500)]
    const transactionId = await sellNotifying(service, null)
    const set = { transactionStatus: 'F', transactionResultCode: '051', test: false }
    const { data } = await service.control('POST', 'webhooks/send', { transactionId, set, to: receiver.url })
    const [{ json, headers, body, id }] = receiver.arrivals as [(typeof receiver.arrivals)[0]]
    expect(json).toMatchObject({ transactionId, transactionStatus: 'F', transactionResultCode: '051' })
    expect(json.test).toBe(true)
    expect(Object.keys(json)).toHaveLength(31)
    expect(headers['x-signature']).toBe(hmacOf(body))
    expect(data).toMatchObject({ status: 500, requestBody: body, error: null, fault: null })
    expect(data).not.toHaveProperty('merchantId')
    expect(await fetchDeliveries(service)).toEqual([])
    expect((await service.control('GET', `webhooks/${id}`)).code).toBe('SBX_WEBHOOK_NONE')
    expect((await service.call('query', { transactionId })).data.transactionStatus).toBe('S')
  })

  test('an edited terminal event is sent, and an unknown transaction or one without a URL is refused', async () => {
    const { control, call } = await openService()
    const receiver = await openReceiver()
    const { transactionId } = (await call('sale', sale(1))).data
    await control('POST', 'webhooks/send', { transactionId, type: 'terminal', to: receiver.url })
    expect(receiver.arrivals[0]?.json).toMatchObject({ eventType: 'TRANSACTION_ENDED', test: true })
    const send = async (members: object) => (await control('POST', 'webhooks/send', members)).code
    expect(await send({ transactionId: '7', to: receiver.url })).toBe('SBX_TXN_UNKNOWN')
    for (const to of [undefined, 'nowhere']) expect(await send({ transactionId, to })).toBe('C17')
  })
})

describe.each(ends)('a restart after %s', (_, clean) => {
  test.each([
    ['relaxed', 3],
    ['strict', 1],
  ] as const)('with order %s, waiting deliveries alone are sent, in order', async (webhookOrder, tried) => {
    const wall = new WallClock(Date.UTC(2026, 10, 20, 12))
    const service = await openService({ wall: wall.read, webhookOrder })
    await service.control('POST', 'clock', { action: 'freeze' })
    const [good, bad] = [await openReceiver(), await openReceiver(503)]
    for (let count = 0; count < 3; count++) {
      await sellNotifying(service, good.url)
      await sellNotifying(service, bad.url)
    }
    await service.sandbox.courier.idle()
    await service.sandbox.engine.written()
    const before = await fetchDeliveries(service)
    const stories = await notificationDeliveries(service, good.arrivals[0]?.id ?? '')
    const copy = clean ? service.folder : crashCopy(service.folder)
    await service.close()
    const again = await openService({ state: copy, wall: wall.read, webhookOrder })
    expect(await fetchDeliveries(again)).toEqual(before)
    expect(await notificationDeliveries(again, good.arrivals[0]?.id ?? '')).toEqual(stories)
    bad.answer(200)
    await advanceClock(again, 5 * second)
    await again.sandbox.courier.idle()
    expect([good.arrivals.length, bad.arrivals.length]).toEqual([3, tried + 3])
    const waitingIds = before.flatMap(({ url, id }) => (url === bad.url ? [id] : []))
    expect(bad.arrivals.slice(tried).map(({ id }) => id)).toEqual(waitingIds)
    expect(await fetchDeliveries(again, '?state=delivered')).toHaveLength(6)
  })
})

test('a delivery under way at a stop is cut off, and goes out at the next start with the same id', async () => {
  const state = temporaryFolder()
  const [service, receiver] = [await openService({ state }), await openReceiver('never')]
  for (let count = 0; count < 20; count++) await sellNotifying(service, `${receiver.url}/${count}`)
  await receiver.got(20)
  await service.close()
  receiver.answer(200)
  const again = await openService({ state })
  await receiver.got(40)
  await again.sandbox.courier.idle()
  const ids = receiver.arrivals.map(({ id }) => id)
  expect(new Set(ids.slice(20))).toEqual(new Set(ids.slice(0, 20)))
  const [{ attempts, tries }] = await notificationDeliveries(again, receiver.arrivals[0]?.id ?? '')
  expect(attempts).toBe(1)
  expect(tries).toMatchObject([
    { status: null, error: expect.stringContaining('the sandbox was stopped') },
    { status: 200, error: null },
  ])
})

test('after a reset nothing is left to deliver, and later ids are new', async () => {
  const [service, receiver] = [await openFrozenService(), await openReceiver(500)]
  await sellAttempted(service, receiver.url)
  await service.control('POST', 'reset')
  expect(await fetchDeliveries(service)).toEqual([])
  receiver.answer(200)
  await advanceClock(service, 86_400 * second)
  expect(receiver.arrivals).toHaveLength(1)
  await sellNotifying(service, receiver.url)
  const arrivals = await receiver.got(2)
  await service.sandbox.courier.idle()
  expect(arrivals[1]?.id).not.toBe(arrivals[0]?.id)
  const [{ attempts, tries }] = await notificationDeliveries(service, arrivals[1]?.id ?? '')
  expect([attempts, tries.length]).toEqual([1, 1])
})
