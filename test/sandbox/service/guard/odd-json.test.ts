import { describe, expect, test } from 'vitest'
import { membersIn } from '../../../../src/cli/request/json-input.ts'
import { operations } from '../../../../src/contract/operations.ts'
import { lastNotes, openService, plainLedgersOf, sale } from '../../../support/service/service.ts'

const json = { 'Content-Type': 'application/json' }

/** Changes of the text of a sale of 1000, and what is said of them. */
const odd: readonly (readonly [string, string, string])[] = [
  ['"amount":1000,"amount":1', 'amount', 'is there twice'],
  ['"amount":10.00', 'amount', 'is written as 10.00; write the integer 10'],
  ['"amount":1e3', 'amount', 'is written as 1e3; write the integer 1000'],
]

/** As above, where an integer is read that was not written. */
const lost: typeof odd = [
  ['"amount":0.9999999999999999999', 'amount', 'is 0.9999999999999999999, which is read as 1'],
  ['"amount":1000.00000000000000001', 'amount', 'is 1000.00000000000000001, which is read as 1000'],
  ['"amount":1000,"more":9007199254740993', 'more', 'is 9007199254740993, which is read as 9007199254740992'],
]

const rates = { tipConfig: { suggestions: { feeMode: 'RATE', names: ['a'], values: [15] } } }
const withAmount = (amount: string) => JSON.stringify(sale(1000, rates)).replace('"amount":1000', amount)

describe('assumption field-reading', () => {
  test.each(odd)('a body with %s is noted; strict refuses it', async (amount, field, reason) => {
    const request = { headers: json, body: withAmount(amount) }
    const { send, sandbox } = await openService()
    const noted = await send('POST', operations.sale.path, request)
    expect(noted.code).toBe('0')
    expect(lastNotes(sandbox)).toContain(`${field}: ${reason}`)
    expect(noted.headers.get('x-sandbox-note')).toContain(`${field}: ${reason}`)
    const strict = await openService({ strict: true })
    const before = plainLedgersOf(strict.sandbox)
    const refused = await strict.send('POST', operations.sale.path, request)
    const said = expect.stringContaining(reason)
    expect([refused.code, refused.field, refused.detail]).toEqual(['C17', field, said])
    expect(plainLedgersOf(strict.sandbox)).toEqual(before)
  })

  test('a member that is in a URL twice is noted and the first one counts; with --strict it is refused', async () => {
    const field = 'transactionRequestId'
    const path = `${operations.query.path}?${field}=first&${field}=second`
    const lenient = await openService()
    const body = JSON.stringify(sale(1000, { [field]: 'first' }))
    await lenient.send('POST', operations.sale.path, { headers: json, body })
    const answer = await lenient.send('GET', path)
    expect(answer.data[field]).toBe('first')
    expect(lastNotes(lenient.sandbox)).toContain(
      `${field}: is in the URL twice, and readers differ in which one they take`,
    )
    const strict = await openService({ strict: true })
    expect(await strict.send('GET', path)).toMatchObject({ code: 'C17', field })
  })

  test('a note on a deep member is short enough for the headers of an answer', async () => {
    const { send } = await openService()
    const name = 'a-name-of-a-member'.repeat(10)
    const deep = `${`{"${name}":`.repeat(90)}1.0${'}'.repeat(90)}`
    const body = `${JSON.stringify(sale(1000)).slice(0, -1)},"more":${deep}}`
    const answer = await send('POST', operations.sale.path, { headers: json, body })
    expect(answer.code).toBe('0')
    expect(answer.headers.get('x-sandbox-note')?.length).toBeLessThanOrEqual(4_096)
  })

  test.each([100, 60_000])(
    'a body of more than 100 levels is a wrong parameter: %d in a member',
    async (levels) => {
      const { send } = await openService()
      const body = `${JSON.stringify(sale(1000)).slice(0, -1)},"more":${'['.repeat(levels)}${']'.repeat(levels)}}`
      const answer = await send('POST', operations.sale.path, { headers: json, body })
      expect(answer).toMatchObject({
        code: 'C17',
        field: 'body',
        detail: expect.stringContaining('100 levels'),
      })
    },
  )

  test('a rate of a tip screen may be written with decimals', async () => {
    const { send } = await openService({ strict: true })
    const body = JSON.stringify(sale(1000, rates)).replace('[15]', '[15.0]')
    expect((await send('POST', operations.sale.path, { headers: json, body })).code).toBe('0')
  })

  test('the control interface refuses a member that is there twice', async () => {
    const { send } = await openService()
    const body = '{"online":true,"online":false}'
    const answer = await send('PATCH', '/_sandbox/terminals/TBX-AUTO-001', { headers: json, body })
    expect([answer.code, answer.field, answer.detail]).toEqual([
      ...['C17', 'online', expect.stringContaining('is there twice')],
    ])
  })

  test.each(lost)('a body with %s is refused, and nothing is stored', async (amount, field, detail) => {
    const { send, sandbox } = await openService()
    const before = plainLedgersOf(sandbox)
    const refused = await send('POST', operations.sale.path, { headers: json, body: withAmount(amount) })
    expect([refused.status, refused.code, refused.field, refused.detail]).toEqual([200, 'C17', field, detail])
    expect(plainLedgersOf(sandbox)).toEqual(before)
  })

  test('a lost integer is refused behind any number of other oddities', async () => {
    const { send } = await openService()
    const body = withAmount(`"more":[${'1.0,'.repeat(20)}1],"amount":1000.00000000000000001`)
    const refused = await send('POST', operations.sale.path, { headers: json, body })
    expect([refused.code, refused.field]).toEqual(['C17', 'amount'])
  })

  test('the control interface refuses a member that is in a URL twice', async () => {
    const { control } = await openService()
    const answer = await control('GET', 'transactions?limit=1&limit=2')
    expect([answer.code, answer.field]).toEqual(['C17', 'limit'])
  })

  test.each([...odd, ...lost])('--input refuses %s', (amount, field, reason) => {
    expect(() => membersIn(withAmount(amount), 'sale.json')).toThrow(`sale.json: ${field} ${reason}`)
  })
})
