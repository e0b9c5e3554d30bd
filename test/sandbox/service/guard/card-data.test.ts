import { describe, expect, test } from 'vitest'
import { operations } from '../../../../src/contract/operations.ts'
import { cards } from '../../../../src/domain/fixtures.ts'
import { newId } from '../../../support/service/new-id.ts'
import {
  following,
  openService,
  openSold,
  plainLedgersOf,
  sale,
  temporaryFolder,
} from '../../../support/service/service.ts'
import { folderText } from '../../../support/store/folder-contents.ts'

const pan = '4111111111111111'

/** Sends a raw body; returns the answer and everything that was kept or told of it. */
async function traceOf(body: string, path: string = operations.sale.path) {
  const state = temporaryFolder()
  const reports: string[] = []
  const { send, control, sandbox, close } = await openService({
    state,
    terminals: 'open',
    report: (message) => reports.push(message),
    onRequest: (entry) => reports.push(JSON.stringify(entry)),
  })
  const before = plainLedgersOf(sandbox)
  const answer = await send('POST', path, { headers: { 'Content-Type': 'application/json' }, body })
  if (answer.code !== '0') expect(plainLedgersOf(sandbox)).toEqual(before)
  const log = JSON.stringify((await control('GET', 'requests')).data)
  const running = folderText(state)
  await close()
  const { headers: _, ...answerWithoutHeaders } = answer
  return {
    answer,
    trace: [log, ...reports, running, folderText(state), JSON.stringify(answerWithoutHeaders)].join('\n'),
  }
}

const withAttach = (attach: string) => JSON.stringify(sale(1, { attach }))

describe('api service-2: plaintext card data', () => {
  test.each([
    ['a card number', withAttach(pan), pan],
    ['in a sentence', withAttach(`card ${pan}, thanks`), pan],
    ['grouped by spaces', withAttach('4111 1111 1111 1111'), '4111 1111'],
    ['grouped by dashes', withAttach('4111-1111-1111-1111'), '4111-1111'],
    ['15 digits', withAttach('378282246310005'), '378282246310005'],
    ['15 digits, grouped', withAttach('3782 822463 10005'), '822463'],
    ['14 digits', withAttach('30569309025904'), '30569309025904'],
    ['as a description', JSON.stringify(sale(1, { description: pan })), pan],
    ['in an unknown member', JSON.stringify(sale(1, { note: { deep: [[{ x: pan }]] } })), pan],
    ['as a number', `{"amount":1,"priceCurrency":"USD","note":${pan}}`, pan],
    ['as a number of 19 digits', '{"amount":1,"note":6212345678900000003}', '6212345678900000003'],
    ['beside an id of an object', JSON.stringify(sale(1, { note: [{ transactionId: '1' }, pan] })), pan],
    ['as the amount', `{"amount":${pan},"priceCurrency":"USD"}`, pan],
    ['as the name of a member', `{"amount":1,"${pan}":1}`, pan],
    ['nested in amount', JSON.stringify(sale(1, { amount: { orderAmount: 1, memo: pan } })), pan],
    ['as JSON in a text', withAttach(JSON.stringify({ number: pan })), pan],
    ['with escaped digits', withAttach(pan).replace('4111', '\\u0034\\u0031\\u00311'), '\\u0034'],
    ['with escaped digits in capitals', withAttach(pan).replace('"41', '"\\u00341'), '1111111'],
    ['in a URL', JSON.stringify(sale(1, { notifyUrl: `http://localhost/?card=${pan}` })), pan],
    ['a second value of one name', `{"attach":"x","attach":"${pan}","amount":1}`, pan],
    ['hidden by a later value', `{"attach":"${pan}","attach":"x","amount":1}`, pan],
    ['track 2', withAttach(';4111111111111111=26121011000012345678?'), '1011000012345678'],
    ['track 1', withAttach('%B4111111111111111^DOE/JOHN^2612101?'), 'DOE/JOHN'],
  ])('plaintext card data is refused and not kept: %s', async (_, body, secret) => {
    const { answer, trace } = await traceOf(body)
    expect([answer.status, answer.code]).toEqual([200, 'SBX_CARD_DATA'])
    expect(trace).not.toContain(secret)
    expect(trace).not.toContain(pan)
  })

  test.each([
    ['411111111111', ['pan', 'PAN', 'cardNumber', 'card_number', 'cardNo', 'primaryAccountNumber']],
    ['4111 1111 1111 1112', ['pan']],
    ['123', ['cvv', 'CVV2', 'cvc', 'securityCode', 'cardSecurityCode']],
    ['9876', ['cvv']],
    ['4111111111111112=2612101', ['track2Data', 'track_data', 'trackData', 'magStripe']],
    ['B4111111111111112^DOE/JOHN', ['track1']],
    ['0412ac8f5b2d7e91', ['pinBlock']],
  ])('a value that looks like card data is refused in a member named after it: %s', async (value, names) => {
    for (const name of names)
      for (const body of [
        `{"amount":1,"priceCurrency":"USD","${name}":"${value}"}`,
        `{"amount":1,"card":{"list":[{"${name}" : " ${value} "}]}}`,
        ...(/^\d+$/.test(value) ? [`{"amount":1,"${name}":${value}}`] : []),
      ]) {
        const { answer, trace } = await traceOf(body)
        expect([answer.code, answer.field]).toEqual(['SBX_CARD_DATA', name])
        for (const written of [`"${value}"`, ` ${value} `, `${name}":${value}`, `${name}\\":${value}`])
          expect(trace).not.toContain(written)
      }
  })

  test('a security code is refused and not kept in a member with escapes in its name, and in JSON inside a text', async () => {
    expect((await traceOf('{"amount":1,"c\\u0076v":"123"}')).answer.code).toBe('SBX_CARD_DATA')
    const { answer, trace } = await traceOf(withAttach(JSON.stringify({ cvv: '9876' })))
    expect([answer.code, answer.field]).toEqual(['SBX_CARD_DATA', 'attach'])
    expect(trace).not.toContain('"9876')
  })

  test('a card number is refused and not kept on every operation that takes a body', async () => {
    for (const { method, path } of Object.values(operations)) {
      if (method !== 'POST') continue
      const { answer, trace } = await traceOf(JSON.stringify({ note: pan }), path)
      expect(answer.code).toBe('SBX_CARD_DATA')
      expect(trace).not.toContain(pan)
    }
  })

  test('a card number in a body that is not JSON is not kept', async () => {
    const { answer, trace } = await traceOf(`{"pan":"${pan}"`)
    expect(answer.code).toBe('SBX_BAD_JSON')
    expect(trace).not.toContain(pan)
  })
})

describe('data that is not card data', () => {
  test('a masked number, and words about cards, are accepted in attach', async () => {
    for (const attach of ['411111******1111', 'pan, cvv and track2 are never sent'])
      expect((await traceOf(withAttach(attach))).answer.code).toBe('0')
  })

  test.each(['referenceOrderId', 'transactionRequestId', 'terminalSn'])(
    'digits that look like a card number are accepted as %s and kept in the request log',
    async (member) => {
      const { answer, trace } = await traceOf(JSON.stringify(sale(1, { [member]: pan })))
      expect(answer.code).toBe('0')
      expect(trace).toContain(`\\"${member}\\":\\"${pan}\\"`)
    },
  )

  test('an id that looks like a card number is accepted in a query and inside JSON in a text', async () => {
    const { call, control } = await openService()
    const request = sale(1, { transactionRequestId: pan, attach: JSON.stringify({ referenceOrderId: pan }) })
    expect((await call('sale', request)).code).toBe('0')
    expect((await call('query', { transactionRequestId: pan })).data.attach).toContain(pan)
    expect((await call('abort', { originalTransactionRequestId: pan })).code).toBe('SBX_NOT_ALLOWED')
    const { requests } = (await control('GET', 'requests')).data
    const story = await control('GET', `requests/${requests[1].traceId}`)
    expect(story.data.url).toContain(`transactionRequestId=${pan}`)
  })

  test.each([
    ['a parcel', { track: '1Z999AA10123456784' }],
    ['a frying pan', { pan: 'cast iron, 28 cm' }],
    ['a number that is too short for a card', { cardNumber: '12345' }],
    ['a code of five digits', { cvv: '98765', securityCode: 'A-17' }],
    ['words', { track1: 'Blue Monday', pinBlock: 'B 12' }],
  ])('%s is accepted under a name for card data, as a member and in attach', async (_, members) => {
    expect((await traceOf(withAttach(JSON.stringify(members)))).answer.code).toBe('0')
    expect((await traceOf(JSON.stringify(sale(1, members)))).answer.code).toBe('0')
  })

  test('the ids that the sandbox makes are accepted', async () => {
    const { call, data, traceId } = await openSold()
    const attach = `${data.transactionId} ${traceId} ${Date.now()}`
    expect((await call('refund', following(data.transactionId, { amount: 1, attach }))).code).toBe('0')
  })

  test.each([
    '{"amount":1,"priceCurrency":"USD","cvv":null,',
    '{"amount":1,"priceCurrency":"USD","cvv": null ,',
  ])('a security code that is null counts as left out: %s…', async (start) => {
    const { answer } = await traceOf(`${start}"transactionRequestId":"${newId()}"}`)
    expect(answer.code).toBe('0')
  })
})

test('maskedPan: only the first six and the last four digits of a card are ever kept', async () => {
  const state = temporaryFolder()
  const { call, control, close } = await openService({ state })
  const shown: string[] = []
  for (const { name, number } of cards) {
    await control('PATCH', 'terminals/TBX-AUTO-001', { card: name })
    const { data } = await call('sale', sale(1000))
    const record = (await call('query', { transactionId: data.transactionId })).data
    const stars = number && number.slice(0, 6) + '*'.repeat(number.length - 10) + number.slice(-4)
    expect(record.maskedPan).toBe(stars ?? null)
    shown.push(JSON.stringify(record), JSON.stringify((await control('GET', 'terminals')).data))
    shown.push(JSON.stringify((await control('GET', `transactions/${data.transactionId}`)).data))
  }
  shown.push(folderText(state))
  await close()
  shown.push(folderText(state))
  for (const { number } of cards) if (number) expect(shown.join('\n')).not.toContain(number)
})
