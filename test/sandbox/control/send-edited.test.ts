import { describe, expect, test } from 'vitest'
import { signatureHeaders } from '../../../src/contract/signature/signature.ts'
import { notificationId } from '../../../src/sandbox/webhooks/notifications/notification.ts'
import type { AnyJson } from '../../support/any-json.ts'
import { openService, sale } from '../../support/service/service.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

describe('a notification with an edited body', () => {
  async function open() {
    const receiver = await openReceiver()
    const service = await openService({ notifyUrl: receiver.url })
    await service.call('sale', sale(1000))
    const [original] = await receiver.got(1)
    if (original === undefined) throw new Error('nothing was delivered')
    await service.sandbox.courier.idle()
    const send = (members: object, id = original.id): Promise<AnyJson> =>
      service.control('POST', `webhooks/${id}/send`, members)
    return { service, receiver, original, send }
  }

  test('an edited body goes byte for byte, with a new signature and the same id, and is not kept', async () => {
    const { service, receiver, original, send } = await open()
    for (const body of ['{ "amount": 1.00,\n\t"x": "ä" }', 'not JSON', '']) {
      const { data } = await send({ body })
      const [sent] = receiver.arrivals.slice(-1)
      expect(sent?.body).toBe(body)
      expect(sent?.id).toBe(original.id)
      expect(sent?.headers['x-signature']).not.toBe(original.headers['x-signature'])
      const secret = (await service.control('GET', 'webhook-secret')).data.secret
      const signing = { scheme: 'hmac', encoding: 'hex', secrets: [secret] } as const
      const signature = sent?.headers['x-signature']
      expect(signatureHeaders(signing, { id: '', at: 0, body })).toEqual({ 'X-Signature': signature })
      expect(data).toMatchObject({ status: 200, requestBody: body, fault: null })
    }
    const { deliveries } = (await service.control('GET', `webhooks/${original.id}`)).data
    expect(deliveries[0].tries).toHaveLength(1)
  })

  test('edited headers are sent with a new time and signature, or unchanged', async () => {
    const { receiver, original, send } = await open()
    const ids = { 'X-Client-Request-Id': 'mine', 'x-timestamp': '7' }
    const headers = { ...ids, 'X-Signature': 'old', 'X-Shop': 'a b' }
    await send({ body: '{}', headers })
    expect(receiver.arrivals[1]?.headers).toMatchObject({ 'x-client-request-id': 'mine', 'x-shop': 'a b' })
    expect(receiver.arrivals[1]?.headers['x-timestamp']).toMatch(/^\d{13}$/)
    expect(receiver.arrivals[1]?.headers['x-signature']).toMatch(/^[\da-f]{64}$/)
    await send({ body: original.body, headers, sign: false })
    expect(receiver.arrivals[2]?.headers).toMatchObject({ 'x-timestamp': '7', 'x-signature': 'old' })
    expect(receiver.arrivals[2]?.body).toBe(original.body)
  })

  test('an edited notification can be sent to another URL, and one that cannot be sent is refused', async () => {
    const { receiver, send } = await open()
    const other = await openReceiver()
    await send({ body: '{}', to: other.url })
    expect(other.arrivals).toHaveLength(1)
    for (const [members, field, detail] of [
      [{}, 'body', /.*/],
      [{ body: '{}', sign: false }, 'headers', /is required/],
      [{ body: '{}', headers: { 'a b': 'x' } }, 'headers', /'a b' cannot be the name/],
      [{ body: '{}', headers: { a: 'x\r\nb: y' } }, 'headers', /The value of a has/],
      [{ body: '{}', headers: { a: 'x', A: 'y' } }, 'headers', /A is given twice/],
      [{ body: '{}', headers: { 'Content-Length': '1' } }, 'headers', /Content-Length is made by/],
      [{ body: '{}', headers: { 'transfer-encoding': 'chunked' } }, 'headers', /cannot be set/],
      [{ body: '{}', to: 'nowhere' }, 'to', /http or https/],
      [{ body: '{}', to: 'http://10.1.2.3/' }, 'to', /not on this machine/],
    ] as const) {
      const answer = await send(members)
      expect(answer, JSON.stringify(members)).toMatchObject({ code: 'C17', field })
      expect(`${answer.msg} ${answer.detail}`).toMatch(detail)
    }
    expect((await send({ body: '{}' }, crypto.randomUUID())).code).toBe('SBX_WEBHOOK_NONE')
    expect(receiver.arrivals).toHaveLength(1)
    expect(other.arrivals).toHaveLength(1)
  })

  test('a notification without a URL of its own needs one', async () => {
    const [service, receiver] = [await openService(), await openReceiver()]
    const { transactionId } = (await service.call('sale', sale(2000))).data
    const [ledger] = service.sandbox.engine.state.ledgers.values()
    const id = notificationId(ledger?.settings.merchantId ?? '', { transactionId, event: null })
    const send = (members: object) => service.control('POST', `webhooks/${id}/send`, members)
    expect(await send({ body: 'x' })).toMatchObject({ code: 'C17', field: 'to' })
    expect((await send({ body: 'x', to: receiver.url })).data.status).toBe(200)
    expect(receiver.arrivals[0]).toMatchObject({ id, body: 'x' })
  })
})
