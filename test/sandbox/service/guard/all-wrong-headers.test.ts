import { describe, expect, test } from 'vitest'
import { operations } from '../../../../src/contract/operations.ts'
import { openService, sale } from '../../../support/service/service.ts'

const wrong = {
  Authorization: 'Bearer nobodys-key',
  'X-Timestamp': '1234567890',
  'X-Client-Request-Id': 'a b',
  'Content-Type': 'text/plain',
  'X-Sandbox-Outcome': 'declin',
}

describe('assumption order-of-handling', () => {
  test('the answer is the first failure and names every other one with its remedy', async () => {
    const { call } = await openService()
    const answer = await call('sale', sale(1), wrong)
    expect([answer.status, answer.code, answer.field]).toEqual([401, 'SBX_KEY_UNKNOWN', 'Authorization'])
    const { others } = answer as unknown as { others: { code: string; field: string; remedy: string }[] }
    expect(others.map(({ code, field }) => `${code} ${field}`)).toEqual([
      'SBX_TIME_FORMAT X-Timestamp',
      'SBX_REQ_ID_FORM X-Client-Request-Id',
      'SBX_OUTCOME X-Sandbox-Outcome',
      'SBX_MEDIA_TYPE Content-Type',
    ])
    for (const { remedy } of others) expect(remedy).not.toBe('')
  })

  test('an answer with only one failure, or with --no-extras, or for the Python SDK, names no others', async () => {
    const { call } = await openService()
    expect(await call('sale', sale(1), { 'X-Timestamp': null })).not.toHaveProperty('others')
    const answer = await call('sale', sale(1), { ...wrong, 'User-Agent': 'SunbayNexusSDK-Python/1.0' })
    expect(answer.code).toBe('SBX_KEY_UNKNOWN')
    expect(answer).not.toHaveProperty('others')
    const { call: bare } = await openService({ extras: false })
    expect(await bare('sale', sale(1), wrong)).not.toHaveProperty('others')
  })

  test('the request log names all failures too', async () => {
    const { call, control } = await openService()
    const { traceId } = await call('sale', sale(1), wrong)
    const { refusal } = (await control('GET', `requests/${traceId}`)).data
    const others = ['X-Timestamp', 'X-Client-Request-Id', 'X-Sandbox-Outcome', 'Content-Type']
    expect(refusal.others.map(({ field }: { field: string }) => field)).toEqual(others)
  })
})

describe('the body of a request that was refused for its headers', () => {
  const number = '4111111111111111'

  test.each([
    ['an unknown key', { Authorization: 'Bearer nobodys-key' }],
    ['no timestamp', { 'X-Timestamp': null }],
    ['another type', { 'Content-Type': 'text/plain' }],
  ])('the request log has the body of a request with %s', async (_, given) => {
    const { call, control } = await openService()
    const request = sale(1234)
    const { traceId } = await call('sale', request, given)
    expect(JSON.parse((await control('GET', `requests/${traceId}`)).data.request.body)).toEqual(request)
  })

  const bodies: [string, string, string | Uint8Array][] = [
    ['a member', 'application/json', JSON.stringify(sale(1, { attach: number }))],
    ['what is cut off', 'application/json', `{"pan": "${number}`],
    ['a security code', 'application/json', '{"cvv": "123"}'],
    ['a form', 'application/x-www-form-urlencoded', `card=${number}`],
    ['a form with a security code', 'application/x-www-form-urlencoded', 'name=a&cvv=123'],
    ['text', 'text/plain', `the card ${number.replace(/(....)/g, '$1 ')}`],
    ['what is not text', 'application/json', Buffer.from(JSON.stringify({ pan: number }), 'utf16le')],
  ]
  test.each(bodies)('card data in %s is not kept', async (_, type, body) => {
    const { send, sandbox, control } = await openService()
    for (const given of [{ 'X-Timestamp': 'yesterday' }, { Authorization: 'Bearer nobodys-key' }]) {
      const headers = { 'Content-Type': type, ...given }
      const { traceId, code } = await send('POST', operations.sale.path, { headers, body } as never)
      expect(code).not.toBe('0')
      const logged = JSON.stringify([sandbox.log.list(), (await control('GET', `requests/${traceId}`)).data])
      expect(logged.replaceAll(/[^0-9]/g, '')).not.toContain(number)
      expect(logged).not.toMatch(/cvv/)
    }
  })

  test('an encoded body is not kept, because it cannot be searched for card data', async () => {
    const { call, control } = await openService()
    const { traceId } = await call('sale', sale(1), { 'X-Timestamp': 'x', 'Content-Encoding': 'gzip' })
    expect((await control('GET', `requests/${traceId}`)).data.request.body).toBe('')
  })
})
