import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Signing, webhookHeaders } from '../../src/signature/signature.ts'

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

/** HMAC as RFC 2104 writes it, over the bytes, from the hash alone. */
function hmacByHand(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const digest = (data: Uint8Array) => createHash('sha256').update(data).digest()
  const block = new Uint8Array(64)
  block.set(key.length > 64 ? digest(key) : key)
  const inner = digest(Buffer.concat([block.map((byte) => byte ^ 0x36), bytes]))
  return digest(Buffer.concat([block.map((byte) => byte ^ 0x5c), inner]))
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

test('the HMAC of this test agrees with RFC 4231, test case 2', () => {
  expect(hexOf(hmacByHand(bytesOf('Jefe'), bytesOf('what do ya want for nothing?')))).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})

describe.each(bodies)('a body that is %s', (_, body) => {
  const expected = hmacByHand(bytesOf(secret), bytesOf(body))

  test('assumption webhook-signature: X-Signature is lower-case hex, made of the raw bytes and the text of the secret', () => {
    const signature = headersOf({}, body)['X-Signature']
    expect(signature).toBe(hexOf(expected))
    expect(signature).toMatch(/^[0-9a-f]{64}$/)
  })

  test('X-Signature is base64 where that encoding is set', () => {
    expect(headersOf({ encoding: 'base64' }, body)['X-Signature']).toBe(base64Of(expected))
  })

  test('Standard Webhooks signs id, seconds and body with the key that the secret encodes', () => {
    const headers = headersOf({ scheme: 'standard' }, body)
    const key = Uint8Array.from(atob(secret.slice('whsec_'.length)), (char) => char.charCodeAt(0))
    const signature = base64Of(hmacByHand(key, bytesOf(`${id}.1700000000.${body}`)))
    expect(headers).toEqual({
      'Content-Type': 'application/json; charset=utf-8',
      'X-Client-Request-Id': id,
      'X-Timestamp': String(at),
      'webhook-id': id,
      'webhook-timestamp': '1700000000',
      'webhook-signature': `v1,${signature}`,
    })
  })
})

describe('the headers of a webhook', () => {
  test('the scheme hmac sends exactly the documented headers', () => {
    expect(headersOf({}, '{}')).toEqual({
      'Content-Type': 'application/json; charset=utf-8',
      'X-Client-Request-Id': id,
      'X-Timestamp': String(at),
      'X-Signature': createHmac('sha256', secret).update('{}').digest('hex'),
    })
  })

  test('the scheme none sends no header with a signature', () => {
    expect(Object.keys(headersOf({ scheme: 'none' }, '{}'))).toEqual([
      'Content-Type',
      'X-Client-Request-Id',
      'X-Timestamp',
    ])
  })
})

describe('a webhook after a rotation, while the old secret is valid', () => {
  const body = '{"a":"é"}'

  test.each(['hex', 'base64'] as const)(
    'a webhook after a rotation has both signatures, in %s',
    (encoding) => {
      const headers = headersOf({ encoding, secrets: [secret, old] }, body)
      const made = (key: string) => Buffer.from(hmacByHand(bytesOf(key), bytesOf(body))).toString(encoding)
      expect([headers['X-Signature'], headers['X-Sandbox-Previous-Signature']]).toEqual([
        made(secret),
        made(old),
      ])
    },
  )

  test('Standard Webhooks sends both signatures in one header, the new one first', () => {
    const one = (key: string) =>
      headersOf({ scheme: 'standard', secrets: [key] }, body)['webhook-signature'] as string
    const both = headersOf({ scheme: 'standard', secrets: [secret, old] }, body)
    expect(both['webhook-signature']).toBe(`${one(secret)} ${one(old)}`)
    expect(one(secret)).not.toBe(one(old))
  })
})

describe('the receiver that docs/webhooks.md shows', () => {
  const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? []
  const isGenuine = async (headers: Record<string, string>, body: Buffer): Promise<boolean> => {
    const shown = await import(`data:text/javascript,${encodeURIComponent(code)}`)
    return shown.isGenuine(headers, body, secret)
  }

  test.each(bodies)('the receiver accepts a body that is %s, and refuses another one', async (_, body) => {
    const signature = headersOf({}, body)['X-Signature'] ?? ''
    expect(await isGenuine({ 'x-signature': signature }, Buffer.from(body))).toBe(true)
    expect(await isGenuine({ 'x-signature': signature }, Buffer.from(`${body} `))).toBe(false)
    expect(await isGenuine({ 'x-signature': signature.slice(1) }, Buffer.from(body))).toBe(false)
    expect(await isGenuine({}, Buffer.from(body))).toBe(false)
  })
})
