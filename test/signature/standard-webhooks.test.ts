import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { type Signing, webhookHeaders } from '../../src/signature/signature.ts'
import { openService, sale, signingSecret } from '../support/service/service.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

/** What we sign is checked with the package that receivers use. */

const id = '01234567-89ab-8def-8123-456789abcdef'

const signed = (body: string, signing: Partial<Signing> = {}) =>
  webhookHeaders(
    { scheme: 'standard', encoding: 'hex', secrets: [signingSecret], ...signing },
    { id, at: Date.now(), body },
  )

describe('the package standardwebhooks', () => {
  test.each([
    ['a plain body', '{"amount":1000}'],
    ['one that is not ASCII', '{"description":"Crème brûlée – 茶 ☕ 👩‍🍳"}'],
    ['one with line ends', '{\r\n  "a": 1\n}\n'],
    ['a long one', JSON.stringify({ attach: 'é'.repeat(40_000) })],
  ])('the package accepts the signature of %s', (_, body) => {
    expect(new Webhook(signingSecret).verify(body, signed(body))).toEqual(JSON.parse(body))
  })

  test('the package accepts both secrets after a rotation', () => {
    const made = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const headers = signed('{}', { secrets: [made, signingSecret] })
    for (const key of [made, signingSecret]) expect(new Webhook(key).verify('{}', headers)).toEqual({})
  })

  test('the package makes the same signature, byte for byte', () => {
    const at = new Date()
    const { 'webhook-signature': ours } = webhookHeaders(
      { scheme: 'standard', encoding: 'hex', secrets: [signingSecret] },
      { id, at: at.getTime(), body: '{"a":1}' },
    )
    expect(new Webhook(signingSecret).sign(id, at, '{"a":1}')).toBe(ours)
  })
})

test('the package refuses another body, another secret, and an old timestamp', () => {
  const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
  const old = webhookHeaders(
    { scheme: 'standard', encoding: 'hex', secrets: [signingSecret] },
    { id, at: Date.now() - 3_600_000, body: '{}' },
  )
  for (const [key, body, headers] of [
    [signingSecret, '{ }', signed('{}')],
    [other, '{}', signed('{}')],
    [signingSecret, '{}', old],
  ] as const)
    expect(() => new Webhook(key).verify(body, headers)).toThrow(WebhookVerificationError)
})

describe('a sandbox with --signature standard', () => {
  test('the sandbox sends webhooks that the package accepts, and with a fault ones that it refuses', async () => {
    const { call, control } = await openService({ signature: 'standard' })
    const receiver = await openReceiver()
    const check = (index: number) => {
      const { body, headers } = receiver.arrivals[index] ?? { body: '', headers: {} }
      return new Webhook(signingSecret).verify(body, headers as Record<string, string>)
    }
    const { data } = await call('sale', sale(1000, { notifyUrl: receiver.url, attach: '茶' }))
    await receiver.got(1)
    expect(check(0)).toMatchObject({ transactionId: data.transactionId, attach: '茶' })
    for (const [index, fault] of [{ badSignature: 1 }, { stale: 1 }].entries()) {
      await control('PUT', 'webhook-faults', fault)
      await call('sale', sale(1000, { notifyUrl: receiver.url }))
      await receiver.got(index + 2)
      expect(() => check(index + 1)).toThrow(WebhookVerificationError)
    }
  })
})
