import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { webhookHeaders } from '../../../src/contract/signature/signature.ts'
import { type Sender, verifyWebhook } from '../../../src/contract/signature/verify-webhook.ts'

const secret = 'whsec_PaQpZWqG4tpHmiEo/LPJrYrPqcCocEbXdFubX4Pfn3Y='
const other = 'whsec_iG9zMObMJnoHf1xUQCduzZFIv9HYpq07sjROrBuPZlE='
const now = Date.UTC(2026, 10, 20, 12)
const minutes = (count: number) => count * 60_000

/** Has what the styles of writing JSON differ in: slashes, letters that are not ASCII, nesting, marks inside text. */
const value = { url: 'https://a.example/b', text: 'Crème, "x": 茶', list: [1, { deep: null }], none: {} }
const body = JSON.stringify(value)

const mac = (key: string, text: string, encoding: 'hex' | 'base64' | 'base64url' = 'hex') =>
  createHmac('sha256', key).update(text).digest(encoding)

interface SignatureCase {
  readonly signature?: string | undefined
  readonly body?: string
  readonly at?: string | undefined
}

const check = (given: SignatureCase, sender: Sender = {}) =>
  verifyWebhook(
    {
      headers: {
        'x-signature': 'signature' in given ? given.signature : mac(secret, body),
        'x-timestamp': 'at' in given ? given.at : String(now),
      },
      body: given.body ?? body,
    },
    secret,
    now,
    sender,
  )

describe('a valid webhook', () => {
  test.each(['hex', 'base64'] as const)('a signature in %s is valid where webhooks have it', (encoding) => {
    expect(check({ signature: mac(secret, body, encoding) }, { encoding })).toEqual({ valid: true })
  })

  test('a signature by the previous secret is valid, with a note', () => {
    const signatures = { 'x-signature': mac(other, body), 'x-sandbox-previous-signature': mac(secret, body) }
    const headers = { ...signatures, 'x-timestamp': String(now) }
    const note = 'It fits by the previous secret (X-Sandbox-Previous-Signature)'
    expect(verifyWebhook({ headers, body }, secret, now)).toEqual({ valid: true, note })
    expect(verifyWebhook({ headers, body }, other, now)).toEqual({ valid: true })
    expect(verifyWebhook({ headers, body: `${body} ` }, secret, now).valid).toBe(false)
  })

  test('a webhook without a signature is valid where none is sent', () => {
    const none = { signature: undefined }
    const note = expect.stringContaining('no signature')
    expect(check(none, { scheme: 'none' })).toMatchObject({ valid: true, note })
    expect(check({ signature: 'x' }, { scheme: 'none' }).valid).toBe(false)
    expect(check(none, { scheme: 'hmac' }).valid).toBe(false)
  })

  test.each([-5, 5])('a webhook of %d minutes ago is valid', (ago) => {
    expect(check({ at: String(now - minutes(ago)) })).toEqual({ valid: true })
  })
})

describe('an invalid webhook', () => {
  test.each<[string, SignatureCase, RegExp]>([
    ['no signature', { signature: undefined }, /X-Signature is missing/],
    ['an empty signature', { signature: '' }, /X-Signature is missing/],
    ['no timestamp', { at: undefined }, /X-Timestamp is missing/],
    ['a timestamp that is none', { at: 'noon' }, /cannot read the time in the header X-Timestamp/],
    ['upper-case hex', { signature: mac(secret, body).toUpperCase() }, /correct, but in another encoding/],
    ['base64 where hex is', { signature: mac(secret, body, 'base64') }, /correct, but in another encoding/],
    ['an empty body', { body: '' }, /the body is empty/],
    ['prefixed hex', { signature: `sha256=${mac(secret, body)}` }, /correct, but in another encoding/],
    ['base64url', { signature: mac(secret, body, 'base64url') }, /correct, but in another encoding/],
    ['a newline added', { body: `${body}\n` }, /newline/],
    ['a line end of Windows added', { body: `${body}\r\n` }, /newline/],
    ['a newline removed', { signature: mac(secret, `${body}\n`) }, /newline/],
    ['another body', { body: body.replace('1', '2') }, /fits neither/],
    ['a body that is not JSON', { body: 'amount=1' }, /fits neither/],
    ['a signature of another length', { signature: 'abc' }, /fits neither/],
    ['a signature that is not ASCII', { signature: 'é' }, /fits neither/],
    ['a timestamp that is too old', { at: String(now - minutes(5) - 1000) }, /5 min 1 s old/],
    ['a timestamp of the future', { at: String(now + minutes(5) + 1000) }, /5 min 1 s ahead of this machine/],
    ['a timestamp in seconds', { at: String(now / 1000) }, /the header X-Timestamp is in seconds/],
    ['an empty timestamp', { at: '' }, /X-Timestamp is missing/],
    ['a timestamp in another notation', { at: '1e300' }, /cannot read the time in the header X-Timestamp/],
  ])('an invalid webhook gets its reason and a remedy: %s', (_, given, why) => {
    const verdict = check(given)
    expect(verdict.valid).toBe(false)
    expect(verdict.why).toMatch(why)
    expect(verdict.remedy).toMatch(/\w/)
  })

  test('a signature by the secret before the last rotation names that secret', () => {
    const signature = mac(other, body)
    expect(check({ signature }, { previous: other }).why).toMatch(/the secret before the last rotation/)
    expect(check({ signature }).why).toMatch(/fits neither/)
  })

  test('a signature in hex where base64 is sent gets its reason and a remedy', () => {
    const verdict = check({}, { encoding: 'base64' })
    expect(verdict).toMatchObject({
      valid: false,
      why: expect.stringContaining('correct, but in another encoding'),
    })
    expect(verdict.remedy).toContain('base64')
  })

  /** Python's json.dumps writes a space after each mark. */
  const spaced = body
    .replace('{"url"', '{"url"')
    .replace(/":/g, '": ')
    .replace(/,(?=["\d[{])/g, ', ')
  test.each<[string, string]>([
    ['with two spaces', JSON.stringify(value, null, 2)],
    ['with four spaces', JSON.stringify(value, null, 4)],
    ['with slashes escaped', body.replaceAll('/', '\\/')],
    ['with spaces after marks', spaced.replace('\\": ', '\\":')],
  ])('a body that was parsed and written again is recognised: %s', (_, again) => {
    expect(JSON.parse(again)).toEqual(value)
    expect(check({ body: again }).why).toMatch(/parsed and written again/)
    expect(check({ signature: mac(secret, again) }).why).toMatch(/parsed and written again/)
  })
})

describe('Standard Webhooks', () => {
  const id = '01234567-89ab-8def-8123-456789abcdef'
  const sent = (secrets: readonly string[], text = body, at = now) => {
    const made = webhookHeaders({ scheme: 'standard', encoding: 'hex', secrets }, { id, at, body: text })
    return Object.fromEntries(Object.entries(made).map(([name, each]) => [name.toLowerCase(), each]))
  }
  const withTime = (time?: string) => ({ ...sent([secret]), 'webhook-timestamp': time })
  const verdictOn = (headers: Record<string, string | undefined>, text = body) =>
    verifyWebhook({ headers, body: text }, secret, now)

  test('Standard Webhooks: one signature is valid, and so is one of two', () => {
    expect(verdictOn(sent([secret]))).toEqual({ valid: true })
    const note = expect.stringContaining('previous secret')
    expect(verdictOn(sent([other, secret]))).toMatchObject({ valid: true, note })
  })

  test.each<[string, Record<string, string | undefined>, string, RegExp]>([
    ['no id', { ...sent([secret]), 'webhook-id': undefined }, body, /webhook-id is missing/],
    ['no time', withTime(), body, /webhook-timestamp is missing/],
    ['no time at all', withTime('x'), body, /cannot read the time in the header webhook-timestamp/],
    ['milliseconds', withTime(String(now)), body, /webhook-timestamp is in milliseconds/],
    ['another id', { ...sent([secret]), 'webhook-id': 'x' }, body, /fits neither/],
    ['stale', sent([secret], body, now - minutes(6)), body, /more than 5 min$/],
    ['of the future', sent([secret], body, now + minutes(6)), body, /more than 5 min$/],
    ['another secret', sent([other]), body, /fits neither/],
    ['written again', sent([secret]), JSON.stringify(value, null, 2), /parsed and written again/],
    ['a newline more', sent([secret]), `${body}\n`, /newline/],
  ])('an invalid webhook of Standard Webhooks gets its reason: %s', (_, headers, text, why) => {
    const verdict = verdictOn(headers, text)
    expect(verdict.valid).toBe(false)
    expect(verdict.why).toMatch(why)
  })

  test('where webhooks are signed so, the missing signature is webhook-signature', () => {
    const verdict = check({ signature: undefined }, { scheme: 'standard' })
    expect(verdict.why).toBe('the header webhook-signature is missing')
  })
})

test('of a secret that does not begin with whsec_ the verdict says so', () => {
  const signed = { headers: { 'x-signature': mac(secret, body), 'x-timestamp': String(now) }, body }
  expect(verifyWebhook(signed, 'precious', now).why).toContain('does not begin with whsec_')
  expect(verifyWebhook(signed, other, now).why).not.toContain('whsec_')
})
