import { createHmac } from 'node:crypto'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { type Signing, webhookHeaders } from '../../../src/contract/signature/signature.ts'
import { openService, sale, signingSecret } from '../../support/service/service.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const [secret, old] = ['whsec_PaQpZWqG4tpHmiEo/LPJrYrPqcCocEbXdFubX4Pfn3Y=', 'whsec_b2xkIHNlY3JldA==']
const id = '01234567-89ab-8def-8123-456789abcdef'
const at = 1_700_000_000_999

const bodies: [string, string][] = [
  ['plain', '{"amount":1000}'],
  ['empty', ''],
  ['not ASCII', '{"description":"Crème brûlée – 茶 ☕ 👩‍🍳 \\ud800"}'],
  ['with line ends', '{\r\n  "a": 1\n}\n'],
  ['long', JSON.stringify({ attach: 'é'.repeat(40_000) })],
]

const headersOf = (signing: Partial<Signing>, body: string) =>
  webhookHeaders({ scheme: 'hmac', encoding: 'hex', secrets: [secret], ...signing }, { id, at, body })

/** The signature as the API documents it: of the raw bytes, by the text of the secret. */
const macOf = (key: string, body: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', Buffer.from(key)).update(Buffer.from(body)).digest(encoding)

describe('the headers of a webhook', () => {
  const usual = {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'tillbox-webhook',
    'X-Client-Request-Id': id,
    'X-Timestamp': String(at),
  }

  test.each(bodies)('assumption webhook-signature: it is lower-case hex or base64: %s', (_, body) => {
    const signature = macOf(secret, body, 'hex')
    expect(signature).toMatch(/^[0-9a-f]{64}$/)
    expect(headersOf({}, body)).toEqual({ ...usual, 'X-Signature': signature })
    expect(headersOf({ encoding: 'base64' }, body)['X-Signature']).toBe(macOf(secret, body, 'base64'))
  })

  test('the scheme none sends no header with a signature', () => {
    expect(headersOf({ scheme: 'none' }, '{}')).toEqual(usual)
  })

  test('the scheme standard sends the headers of Standard Webhooks', () => {
    expect(headersOf({ scheme: 'standard' }, '{}')).toEqual({
      ...usual,
      'webhook-id': id,
      'webhook-timestamp': '1700000000',
      'webhook-signature': new Webhook(secret).sign(id, new Date(at), '{}'),
    })
  })

  test.each(['hex', 'base64'] as const)('after a rotation a webhook has both signatures: %s', (encoding) => {
    const body = '{"a":"é"}'
    expect(headersOf({ encoding, secrets: [secret, old] }, body)).toMatchObject({
      'X-Signature': macOf(secret, body, encoding),
      'X-Sandbox-Previous-Signature': macOf(old, body, encoding),
    })
  })
})

/** What we sign is checked with the package that receivers use. */
describe('the package standardwebhooks', () => {
  const signed = (body: string, { secrets = [secret], ago = 0 } = {}) =>
    webhookHeaders({ scheme: 'standard', encoding: 'hex', secrets }, { id, at: Date.now() - ago, body })

  test.each(bodies.filter(([, body]) => body !== ''))('the package accepts a body that is %s', (_, body) => {
    expect(new Webhook(secret).verify(body, signed(body))).toEqual(JSON.parse(body))
  })

  test('the package accepts both secrets after a rotation', () => {
    const headers = signed('{}', { secrets: [secret, old] })
    for (const key of [secret, old]) expect(new Webhook(key).verify('{}', headers)).toEqual({})
  })

  test('the package refuses another body, another secret, and an old timestamp', () => {
    for (const [key, body, headers] of [
      [secret, '{ }', signed('{}')],
      [old, '{}', signed('{}')],
      [secret, '{}', signed('{}', { ago: 3_600_000 })],
    ] as const)
      expect(() => new Webhook(key).verify(body, headers)).toThrow(WebhookVerificationError)
  })

  test('a sandbox with --signature standard sends webhooks that the package accepts, and with a fault ones that it refuses', async () => {
    const { call, control } = await openService({ signature: 'standard' })
    const receiver = await openReceiver()
    const check = (index: number) => {
      const { body, headers } = receiver.arrivals[index] ?? { body: '', headers: {} }
      return new Webhook(signingSecret).verify(body, headers as Record<string, string>)
    }
    const { data } = await call('sale', sale(1000, { notifyUrl: receiver.url, attach: '茶' }))
    await receiver.got(1)
    expect(check(0)).toMatchObject({ transactionId: data.transactionId, attach: '茶' })
    for (const [index, kind] of ['bad-signature', 'stale'].entries()) {
      await control('POST', 'faults', { kind })
      await call('sale', sale(1000, { notifyUrl: receiver.url }))
      await receiver.got(index + 2)
      expect(() => check(index + 1)).toThrow(WebhookVerificationError)
    }
  })
})
