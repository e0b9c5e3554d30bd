import { describe, expect, test } from 'vitest'
import {
  bearerPattern,
  clientRequestIdPattern,
  limits,
  sendingHeaders,
  timestampPattern,
  uuidPattern,
} from '../../src/contract/headers.ts'

describe('api authentication-1: Bearer, exactly one space, the key', () => {
  test.each(['a', 'tbx_sandbox_4d08', 'A-Z.a~z+0/9_', 'abc=', 'abc=='])('Bearer %s is well formed', (key) => {
    expect(bearerPattern.exec(`Bearer ${key}`)?.[1]).toBe(key)
  })

  test.each(['bearer abc', 'BEARER abc'])('%s is well formed in any case', (header) => {
    expect(bearerPattern.exec(header)?.[1]).toBe('abc')
  })

  test.each([
    'Bearer  abc',
    'Bearer abc ',
    ' Bearer abc',
    'Bearer',
    'Bearer ',
    'Bearerabc',
    'Bearer =',
    'Bearer a=b',
    'Bearer a b',
    'Bearer ä',
    'Basic Bearer abc',
  ])('%j is a malformed Authorization header', (header) => expect(bearerPattern.test(header)).toBe(false))
})

describe('api authentication-3: X-Client-Request-Id', () => {
  test.each(['a', '!', '~', 'CID_1700000000000_1', 'x'.repeat(64)])('%j is a valid request id', (id) => {
    expect(clientRequestIdPattern.test(id)).toBe(true)
  })

  test.each(['', ' ', 'a b', 'a ', ' a', 'ä', 'a\n', '\x7f', 'x'.repeat(65)])(
    '%j is not a valid request id',
    (id) => {
      expect(clientRequestIdPattern.test(id)).toBe(false)
    },
  )

  const uuid = '0123abcd-4567-89ab-cdef-0123456789ab'

  test.each([uuid, uuid.toUpperCase(), uuid.replaceAll('-', '')])('%s is a UUID', (id) => {
    expect(uuidPattern.test(id)).toBe(true)
  })

  test('a text that differs from a UUID by one character is not a UUID', () => {
    for (const id of [uuid, uuid.replaceAll('-', '')]) {
      const others = [...id].flatMap((_, at) =>
        ['', 'g', '-', '00'].map((other) => `${id.slice(0, at)}${other}${id.slice(at + 1)}`),
      )
      const wrong = [...others, `0${id}`, `${id}0`, ` ${id}`, `${id} `].filter((other) => other !== id)
      expect(wrong.filter((other) => uuidPattern.test(other))).toEqual([])
    }
  })
})

describe('api authentication-3: X-Timestamp', () => {
  test.each(['1700000000000', '0000000000000'])('%s has 13 digits', (time) => {
    expect(timestampPattern.test(time)).toBe(true)
  })

  test.each([
    '1700000000',
    '17000000000000',
    '170000000000a',
    ' 1700000000000',
    '1700000000000 ',
    '-700000000000',
  ])('%j does not have 13 digits', (time) => expect(timestampPattern.test(time)).toBe(false))
})

test('an HTTP client makes the length, the host and the headers of its connection itself', () => {
  const own = ['content-length', 'host', 'connection', 'transfer-encoding', 'content-type', 'x-timestamp']
  expect(own.filter((name) => sendingHeaders.has(name))).toEqual(own.slice(0, 4))
})

test('api limits: 10 minutes, 10 minutes and 180 days are documented, and the others are assumptions', () => {
  const [minute, day] = [60_000, 86_400_000]
  expect(limits).toEqual({
    timestampDeviation: 10 * minute,
    clientRequestIdWindow: 10 * minute,
    refundPeriod: 180 * day,
    body: 1_048_576,
    text: 128,
    url: 512,
    closeListSpan: 30 * day,
    amount: 10 ** 12,
    sessionExpiry: 30 * minute,
    shortestExpiry: 3 * minute,
    longestExpiry: day,
    authValidity: 30 * day,
    captureTip: 100,
    captureExcess: 15,
  })
})
