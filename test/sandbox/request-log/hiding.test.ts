import { describe, expect, test } from 'vitest'
import { hideHeaders, hideInAddress, safeHeaders } from '../../../src/sandbox/http/hide-addresses.ts'
import { createSecretHider } from '../../../src/sandbox/request-log/hide-secrets.ts'
import { openService } from '../../support/service/service.ts'

test.each([
  ['http://127.0.0.1:3000/hook?shop=1#top', 'http://127.0.0.1:3000/hook?shop=1#top'],
  ['http://a:b@127.0.0.1/hook', 'http://…@127.0.0.1/hook'],
  ['http://a:b@c@h/hook', 'http://…@h/hook'],
  ['http:\\\\a:b@h/', 'http:\\\\…@h/'],
  ['http://x/?token=t&api_key=k&shop=1', 'http://x/?token=…&api_key=…&shop=1'],
  ['http://x/?Token=t', 'http://x/?Token=…'],
  ['http://x/?%74oken=t', 'http://x/?%74oken=…'],
  ['http://x/?apiKey=t&PASSWORD=p&pwd=p&secret=s', 'http://x/?apiKey=…&PASSWORD=…&pwd=…&secret=…'],
  ['http://x/?sig=s&X-Amz-Signature=s&key=k', 'http://x/?sig=…&X-Amz-Signature=…&key=…'],
  ['http://x/?token=a;b?c&shop=1', 'http://x/?token=…&shop=1'],
  ['http://x/?shop=1;token=a', 'http://x/?shop=1;token=…'],
  ['http://x/#access_token=t&state=s', 'http://x/#access_token=…&state=s'],
  ['http://x/?to=http%3A%2F%2Fa%3Ab%40h%2F%3Ftoken%3Dt', 'http://x/?to=http://…@h/?token=…'],
  ['http://x/?to=http%3A%2F%2Fh%2F%3Fshop%3D1', 'http://x/?to=http%3A%2F%2Fh%2F%3Fshop%3D1'],
  ['http://x/?nextToken=1', 'http://x/?nextToken=1'],
  ['/v1/query?token=t', '/v1/query?token=…'],
  ['not an address', 'not an address'],
])('the URL %s is shown as %s', (address, shown) => expect(hideInAddress(address)).toBe(shown))

const names = {
  secret: [
    ...['Authorization', 'Proxy-Authorization', 'Authentication', 'X-Auth', 'X-Auth-Key', 'Cookie'],
    ...['set-cookie', 'Api-Key', 'ApiKey', 'x-api-key', 'X-Sandbox-Token', 'X-Passwd', 'x-secret', 'Referer'],
  ],
  shown: ['Content-Type', 'X-Signature', 'X-Sandbox-Previous-Signature', 'webhook-id', 'X-Timestamp'],
}

test('requests and webhooks hide the same headers', () => {
  const all = [...names.secret, ...names.shown].map((name): [string, string] => [name, 'hush'])
  const ofRequest = hideHeaders(all.flat())
  const ofWebhook = safeHeaders(Object.fromEntries(all))
  expect(ofWebhook.flat()).toEqual(ofRequest)
  expect(ofWebhook.filter(([, value]) => value === 'hush').map(([name]) => name)).toEqual(names.shown)
})

describe('secrets in a body', () => {
  const hide = async (text: string) => createSecretHider((await openService()).sandbox)(text)

  test.each([
    ['{"notifyUrl":"http://u:p@h/?token=t&a=1","x":1.0}', '{"notifyUrl":"http://…@h/?token=…&a=1","x":1.0}'],
    ['{"notifyUrl":"http:\\/\\/u:p@h\\/\\u003ftoken=t"}', '{"notifyUrl":"http://…@h/?token=…"}'],
    ['{"a":{"returnUrl": "https://h/?b= c&Token=t"}}', '{"a":{"returnUrl": "https://h/?b= c&Token=…"}}'],
    ['{"attach":"see http://u:p@h/, http://h/?key=k"}', '{"attach":"see http://…@h/, http://h/?key=…"}'],
    ['{"attach":"\\"b\\" http:\\/\\/h","x":"\\u00e9"}', '{"attach":"\\"b\\" http:\\/\\/h","x":"\\u00e9"}'],
    ['{"notifyUrl":"http://h/?token=cut of', '{"notifyUrl":"http://h/?token=… of'],
    ['no JSON http://u:p@h/', 'no JSON http://…@h/'],
    ['{"description":"mail me@example.com; token=1"}', '{"description":"mail me@example.com; token=1"}'],
  ])('the body %s is shown as %s', async (body, shown) => expect(await hide(body)).toBe(shown))

  test('a long body that is costly to search is still searched in little time', async () => {
    const long = 64 * 1024
    const made = [
      `"http://h/${'?a=%3Fa=;'.repeat(long / 9)}"`,
      `http:${'/'.repeat(long)}`,
      `"${'\\"'.repeat(long / 2)}`,
      `"${'\\"'.repeat(long / 2 - 1)}\\`, // cut off in an escape
    ]
    for (const text of [...made, 'a:'.repeat(long / 2), `://${'://'.repeat(long / 3)}`])
      expect((await hide(text)).length).toBeGreaterThan(0)
  })
})
