import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { retriesFrom } from '../../../src/contract/control/retries.ts'
import { deadUrl } from '../../support/network/ports.ts'
import { advanceClock, openService, sale, signingSecret } from '../../support/service/service.ts'
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

test('neither the list nor an attempt shows secrets of the URL, nor cookies of the answer', async () => {
  const service = await openService()
  const receiver = await openReceiver((_, response) => response.setHeader('Set-Cookie', 'session=abc').end())
  const secretive = new URL('?token=s3cret&shop=7', receiver.url.replace('//', '//me:pa55@'))
  await sellNotifying(service, secretive.href)
  const [arrival] = await receiver.got(1)
  expect(arrival?.path).toContain('token=s3cret')
  await service.sandbox.courier.idle()
  const ofOne = await notificationDeliveries(service, arrival?.id ?? '')
  const shown = JSON.stringify([await fetchDeliveries(service), ofOne])
  expect(shown).toContain('shop=7')
  for (const webhookSecret of ['s3cret', 'pa55', 'session=abc']) expect(shown).not.toContain(webhookSecret)
})

describe('the request of a webhook', () => {
  test('api events: the body is the record with all thirty members, null where there is no value', async () => {
    const [service, receiver] = [await openService({ dialect: 'spec' }), await openReceiver()]
    const members = { attach: 'é 茶', terminalSn: 'TBX-CANCEL-001' }
    const transactionId = await sellNotifying(service, receiver.url, members)
    const [arrival] = await receiver.got(1)
    const record = (await service.call('query', { transactionId }, { 'User-Agent': 'x' })).data
    expect(Object.keys(arrival?.json)).toHaveLength(30)
    expect(arrival?.json).toEqual(record)
    expect(arrival?.json).toMatchObject({
      ...{ transactionId, transactionStatus: 'C', attach: 'é 茶', description: null, authCode: null },
      ...{ maskedPan: null, batchNo: null, transactionResultCode: null },
    })
  })

  test('assumption webhook-delivery: a webhook has exactly the documented headers', async () => {
    const [service, receiver] = [await openFrozenService(), await openReceiver()]
    await sellNotifying(service, receiver.url)
    const [arrival] = await receiver.got(1)
    const { method, path, headers, body = '' } = arrival ?? {}
    expect([method, path]).toEqual(['POST', '/hook'])
    expect(headers).toEqual({
      host: new URL(receiver.url).host,
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'tillbox-webhook',
      'x-client-request-id': expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      'x-timestamp': String(service.wall.at),
      'x-signature': hmacOf(body),
    })
  })

  test('a terminal event has a flat body', async () => {
    const [service, receiver] = [await openService(), await openReceiver()]
    const { call } = service
    const { data } = await call('sale', sale(1000, { terminalEventNotifyUrl: receiver.url }))
    const arrivals = await receiver.got(4)
    expect(arrivals.map(({ json }) => [json.eventType, json.transactionStatus])).toEqual([
      ['ORDER_RECEIVED', 'P'],
      ['PAYMENT_PRESENTED', 'P'],
      ['PAYMENT_PROCESSING', 'P'],
      ['TRANSACTION_ENDED', 'S'],
    ])
    expect(arrivals[3]?.json).toEqual({
      eventType: 'TRANSACTION_ENDED',
      eventTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      transactionId: data.transactionId,
      transactionRequestId: data.transactionRequestId,
      referenceOrderId: expect.any(String),
      transactionStatus: 'S',
      transactionResultCode: '000',
      terminalSn: 'TBX-AUTO-001',
    })
    expect(new Set(arrivals.map(({ id }) => id)).size).toBe(4)
  })

  test('the webhooks of two merchants have ids of their own', async () => {
    const [service, receiver] = [await openService({ terminals: 'open' }), await openReceiver()]
    for (const merchantId of ['M1000000001', 'M-NEW']) {
      const more = merchantId === 'M-NEW' ? { terminalSn: 'NEW-1', merchantId } : { merchantId }
      await sellNotifying(service, receiver.url, more)
    }
    const arrivals = await receiver.got(2)
    expect(new Set(arrivals.map(({ id }) => id.slice(0, 13))).size).toBe(2)
  })

  test('after a rotation a webhook has both signatures, until the old secret ends by the sandbox clock', async () => {
    const [service, receiver] = [await openFrozenService(), await openReceiver()]
    const { data } = await service.control('POST', 'webhook-secret/rotate', { graceMs: 60 * second })
    await sellNotifying(service, receiver.url)
    await receiver.got(1)
    service.wall.pass(61 * second)
    await sellNotifying(service, receiver.url)
    const [, still] = await receiver.got(2)
    expect(still?.headers).toHaveProperty('x-sandbox-previous-signature')
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 61 * second })
    await sellNotifying(service, receiver.url)
    const [first, , last] = await receiver.got(3)
    expect(data.secret).not.toBe(signingSecret)
    expect(first?.headers['x-signature']).toBe(hmacOf(first?.body ?? '', data.secret))
    expect(first?.headers['x-sandbox-previous-signature']).toBe(hmacOf(first?.body ?? ''))
    expect(last?.headers['x-signature']).toBe(hmacOf(last?.body ?? '', data.secret))
    expect(last?.headers).not.toHaveProperty('x-sandbox-previous-signature')
  })

  test('assumption extras: without them a webhook after a rotation has the new signature alone', async () => {
    const [service, receiver] = [await openFrozenService({ extras: false }), await openReceiver()]
    const { data } = await service.control('POST', 'webhook-secret/rotate', { graceMs: 60 * second })
    await sellNotifying(service, receiver.url)
    const [only] = await receiver.got(1)
    expect(only?.headers['x-signature']).toBe(hmacOf(only?.body ?? '', data.secret))
    expect(Object.keys(only?.headers ?? {}).filter((name) => name.startsWith('x-sandbox'))).toEqual([])
  })

  test('an answer of the service never waits for a receiver', async () => {
    const [service, receiver] = [await openService(), await openReceiver('never')]
    for (let count = 0; count < 20; count++) await sellNotifying(service, receiver.url)
    await receiver.got(1)
    expect((await service.call('sale', sale(1))).code).toBe('0')
    expect(await fetchDeliveries(service, '?state=pending')).toHaveLength(20)
    await receiver.close()
  })
})

test('only status 200 acknowledges a webhook', async () => {
  const [service, receiver] = [await openFrozenService({ retries: [] }), await openReceiver()]
  const others = [201, 202, 204, 302, 307, 400, 500, 503]
  for (const status of [200, ...others]) {
    const headers = { Location: `${receiver.url}/elsewhere` }
    receiver.answer((_, response) => response.writeHead(status, headers).end())
    await sellAttempted(service, receiver.url)
  }
  const states = (await fetchDeliveries(service)).map(({ state, last }) => `${state} ${last}`)
  expect(states).toEqual(['delivered 200', ...others.map((status) => `failed ${status}`)])
  expect(receiver.arrivals.map(({ path }) => path)).toEqual(Array(9).fill('/hook'))
})

describe('assumption webhook-delivery', () => {
  test('retries follow the sandbox clock: 5 s, 30 s, 2 min, 10 min, 1 h, 6 h, then the delivery is given up', async () => {
    const [service, receiver] = [await openFrozenService(), await openReceiver(500)]
    await sellAttempted(service, receiver.url)
    for (const [index, delay] of [5, 30, 120, 600, 3600, 21_600].entries()) {
      service.wall.pass(1)
      await advanceClock(service, delay * second - 1)
      expect(receiver.arrivals).toHaveLength(index + 1)
      const failed = { state: 'pending', attempts: index + 1, last: 500 }
      expect(await fetchDeliveries(service)).toMatchObject([failed])
      await advanceClock(service, 1)
      expect(receiver.arrivals).toHaveLength(index + 2)
    }
    expect(await fetchDeliveries(service)).toMatchObject([{ state: 'failed', attempts: 7, nextAt: null }])
    await advanceClock(service, 86_400 * second)
    expect(receiver.arrivals).toHaveLength(7)
    expect(new Set(receiver.arrivals.map(({ id }) => id)).size).toBe(1)
    expect(new Set(receiver.arrivals.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.arrivals.map(({ headers }) => headers['x-timestamp'])).size).toBe(7)
  })

  test('retries happen as time passes, without a change of the clock', async () => {
    const service = await openService({ retries: retriesFrom('20ms,20ms') as number[] })
    const receiver = await openReceiver(500)
    await sellNotifying(service, receiver.url)
    await receiver.got(3)
    await expect.poll(() => fetchDeliveries(service)).toMatchObject([{ state: 'failed' }])
  })

  test('the failure is recorded while nothing listens, and the webhook arrives once something does', async () => {
    const [service, url] = [await openFrozenService(), await deadUrl()]
    await sellAttempted(service, url)
    const failed = { state: 'pending', last: 'nothing listens there' }
    expect(await fetchDeliveries(service)).toMatchObject([failed])
    const receiver = await openReceiver(200, Number(new URL(url).port))
    await advanceClock(service, 5 * second)
    await receiver.got(1)
    await service.sandbox.courier.idle()
    expect(await fetchDeliveries(service)).toMatchObject([{ state: 'delivered', last: 200, attempts: 2 }])
  })
})

describe('the order of webhooks', () => {
  test('deliveries in line do not wait for a clock that was set back', async () => {
    const service = await openFrozenService()
    const responses: ServerResponse[] = []
    const receiver = await openReceiver((_, response) => responses.push(response))
    for (let count = 0; count < 2; count++) await sellNotifying(service, receiver.url)
    await receiver.got(1)
    await service.control('POST', 'clock', { action: 'set', time: '2026-11-19T12:00:00Z' })
    receiver.answer(200)
    responses[0]?.end()
    await receiver.got(2)
    await service.sandbox.courier.idle()
    expect(await fetchDeliveries(service, '?state=delivered')).toHaveLength(2)
  })

  test('a dead URL and one that never answers delay no other', async () => {
    const service = await openService()
    const [silent, good] = [await openReceiver('never'), await openReceiver()]
    const dead = await deadUrl()
    for (let count = 0; count < 10; count++)
      for (const url of [dead, silent.url, good.url]) await sellNotifying(service, url)
    await good.got(10)
    expect(silent.arrivals).toHaveLength(1)
    await silent.close()
  })
})

test.each([
  ['sign', 'SIGNATURE'],
  ['cancel', 'NOT_AUTHENTICATED'],
])(
  'assumption terminal-screens: after %s on the signature screen, notification and query say %s',
  async (act, method) => {
    const [service, receiver] = [await openFrozenService({ dialect: 'spec' }), await openReceiver()]
    const recordNow = async () => (await service.call('query', { transactionId: id })).data
    const terminal = 'terminals/TBX-ATTENDED-001'
    const id = await sellNotifying(service, receiver.url, { terminalSn: 'TBX-ATTENDED-001' })
    await service.control('POST', `${terminal}/present`, { card: 'mastercard-chip-signature' })
    await service.sandbox.courier.idle()
    expect(receiver.arrivals).toHaveLength(0)
    expect(await recordNow()).toMatchObject({
      transactionStatus: 'P',
      authenticationMethod: 'NOT_AUTHENTICATED',
    })
    expect((await service.control('POST', `${terminal}/${act}`, {})).data.screen).toBe('result')
    const [first] = await receiver.got(1)
    expect(first?.json).toMatchObject({ transactionStatus: 'S', authenticationMethod: method })
    expect(await recordNow()).toEqual(first?.json)
  },
)
