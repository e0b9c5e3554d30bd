import { describe, expect, onTestFinished, test } from 'vitest'
import type { WhyAnswer } from '../../../src/contract/control/why-answers.ts'
import { checksOf } from '../../../src/contract/evidence/checks.ts'
import type { OperationName } from '../../../src/contract/operations.ts'
import { createSandbox } from '../../../src/library/create-sandbox.ts'
import { newId } from '../../support/service/new-id.ts'
import { following, openService, type Service, sale } from '../../support/service/service.ts'

/** Why the request of a trace id was answered as it was. */
const whyOf = async ({ control }: Service, traceId: string): Promise<WhyAnswer> =>
  (await control('GET', `requests/${traceId}/why`)).data

const refusedStep = ({ steps }: WhyAnswer) => steps.find(({ result }) => result === 'refused')
const decisions = ({ steps }: WhyAnswer) =>
  steps.filter(({ result }) => result === 'decided').map(({ what }) => what)

test('a request that is wrong in everything is refused by one check after the other, in their order', async () => {
  const service = await openService({ publicUrl: 'https://sandbox.example' })
  const path = '/v1/semi-integration/transaction/sale'
  await service.control('PUT', 'allow-list', { addresses: ['10.0.0.1'] })
  const { transactionRequestId } = sale(1000) as { transactionRequestId: string }
  const { data } = await service.control('GET', 'connection')
  const headers: Record<string, string | null> = {
    Authorization: null,
    'X-Timestamp': '1',
    'X-Client-Request-Id': '',
    'X-Sandbox-Outcome': 'nothing',
    'Content-Type': 'text/plain',
    'Content-Encoding': 'gzip',
  }
  let body = 'no JSON'
  const members: Record<string, unknown> = {
    amount: 1000,
    priceCurrency: 'XXX',
    transactionRequestId,
    referenceOrderId: transactionRequestId,
    description: '4111 1111 1111 1111',
    merchantId: 'M-9',
    terminalSn: 'NOBODY',
    timeExpire: '2020-01-01T00:00:00Z',
    notifyUrl: 'https://sandbox.example/hook',
  }
  const write = (more: object) => {
    body = JSON.stringify(Object.assign(members, more))
  }
  const fixes: readonly (() => unknown)[] = [
    () => Object.assign(headers, { Authorization: 'Bearer tbx_sandbox_nobody' }),
    () => Object.assign(headers, { Authorization: `Bearer ${data.apiKey}` }),
    () => service.control('PUT', 'allow-list', { addresses: [] }),
    () => Object.assign(headers, { 'X-Timestamp': String(Date.now()) }),
    () => Object.assign(headers, { 'X-Client-Request-Id': newId() }),
    () => Object.assign(headers, { 'X-Sandbox-Outcome': 'approve' }),
    () => Object.assign(headers, { 'Content-Type': 'application/json' }),
    () => Object.assign(headers, { 'Content-Encoding': null }),
    () => write({}),
    () => write({ description: 'shoes' }),
    () => write({ priceCurrency: 'USD' }),
    () => write({ notifyUrl: undefined }),
    () => write({ merchantId: undefined }),
    () => write({ terminalSn: undefined }),
    () => write({ referenceOrderId: 'ANOTHER-1' }),
  ]
  const order: string[] = []
  for (const fix of [() => undefined, ...fixes]) {
    await fix()
    if (headers['X-Client-Request-Id']) headers['X-Client-Request-Id'] = newId()
    const { traceId } = await service.send('POST', path, { headers, body })
    const answer = await whyOf(service, traceId)
    order.push(refusedStep(answer)?.what ?? '')
    const passed = answer.steps.filter(({ result }) => result === 'passed').map(({ what }) => what)
    const all = checksOf('sale').map(({ what }) => what)
    expect([...passed, order.at(-1)]).toEqual(all.slice(0, passed.length + 1))
  }
  expect(order).toEqual([
    'Authorization has a key',
    'The key is valid',
    'The caller is on the allow-list',
    'X-Timestamp is milliseconds of now',
    'X-Client-Request-Id has its form',
    'X-Sandbox headers that are read name what exists',
    'Content-Type fits the body',
    'The body is not compressed',
    'The body is a JSON object',
    'It holds no card data',
    'Each field has its form',
    'Its URLs lead elsewhere',
    'Application and merchant belong to the key',
    'The terminal belongs to the merchant',
    'transactionRequestId is not the order',
    'timeExpire is 3 minutes to 1 day ahead',
  ])
})

describe('a refusal by a rule names its check', () => {
  const day = 86_400_000

  /** A service with a transaction of each kind, by name. */
  async function openAll() {
    const service = await openService()
    const open = async (name: OperationName, members: object) =>
      (await service.call(name, members)).data.transactionId as string
    const ids = {
      paid: await open('sale', sale(1000)),
      auth: await open('auth', sale(1000)),
      declined: await open('sale', sale(9823)),
      online: await open(
        'direct-payment',
        sale(1000, { paymentMethod: 'GOOGLE_PAY', cardEncryptedData: '{}' }),
      ),
      refunded: await open('sale', sale(1000)),
      captured: await open('auth', sale(1000)),
      waiting: await open('sale', sale(1000, { terminalSn: 'TBX-OFFLINE-001' })),
    }
    await open('refund', following(ids.refunded, { amount: 1000 }))
    await open('post-auth', following(ids.captured, { amount: 1000 }))
    return { service, ids }
  }
  type Ids = Awaited<ReturnType<typeof openAll>>['ids']
  type Row = [check: string, operation: OperationName, members: (ids: Ids) => object, advance?: number]
  const gone = { originalTransactionId: '1' }

  test.each<Row>([
    ['The amounts add up', 'sale', () => sale(0)],
    ['The amounts add up', 'auth', () => sale(1000, { priceCurrency: undefined })],
    [
      'It does not both set and ask for a tip',
      'sale',
      () => sale(1000, { tipAmount: 1, tipConfig: { onScreenTip: true } }),
    ],
    ['No cashback is asked for', 'auth', () => sale(1000, { cashbackAmount: 5 })],
    ['The terminal takes the payment', 'sale', () => sale(1000, { terminalSn: 'TBX-BUSY-001' })],
    ['The original exists', 'void', () => ({ transactionRequestId: newId() })],
    ['The original exists', 'refund', () => ({ ...following('1', { amount: 1 }), ...gone })],
    ['The original was paid in person', 'refund', ({ online }) => following(online, { amount: 1 })],
    ['The original was paid online', 'online-refund', ({ paid }) => following(paid, { amount: 1 })],
    ['The operation acts on its type', 'post-auth', ({ paid }) => following(paid, { amount: 1 })],
    ['The original is SUCCESS, not voided', 'refund', ({ declined }) => following(declined, { amount: 1 })],
    ['Something is left to refund', 'refund', ({ refunded }) => following(refunded, { amount: 1 })],
    [
      "The currency is the original's",
      'refund',
      ({ paid }) => following(paid, { amount: 1, priceCurrency: 'EUR' }),
    ],
    [
      'At most what is left of each part is refunded',
      'refund',
      ({ paid }) => following(paid, { amount: 1001 }),
    ],
    [
      'The payment is at most 180 days old',
      'refund',
      ({ paid }) => following(paid, { amount: 1 }),
      181 * day,
    ],
    ['The balance of the merchant covers it', 'refund', () => sale(99_000_000)],
    [
      'It names no order',
      'refund',
      ({ paid }) => following(paid, { amount: 1, referenceOrderId: 'ORDER-123' }),
    ],
    [
      'It names an order',
      'refund',
      () => ({ transactionRequestId: newId(), amount: 1, priceCurrency: 'USD' }),
    ],
    ['It runs on a terminal', 'refund', () => sale(1, { pushToTerminal: false })],
    ['It was not captured', 'post-auth', ({ captured }) => following(captured, { amount: 1 })],
    ['It was not captured', 'void', ({ captured }) => following(captured)],
    ['The authorisation is valid', 'post-auth', ({ auth }) => following(auth, { amount: 1 }), 31 * day],
    [
      'The authorised total fits',
      'incremental-auth',
      ({ auth }) => following(auth, { amount: 1_000_000_000_000 }),
    ],
    [
      'The capture has an order amount',
      'post-auth',
      ({ auth }) => following(auth, { amount: 0, tipAmount: 1 }),
    ],
    ['The capture is within its limits', 'post-auth', ({ auth }) => following(auth, { amount: 1001 })],
    ['It was not refunded', 'void', ({ refunded }) => following(refunded)],
    [
      'It was not refunded',
      'tip-adjust',
      ({ refunded: id }) => ({ originalTransactionId: id, tipAmount: 1 }),
    ],
    ['It is of the same day', 'void', ({ paid }) => following(paid), day],
    [
      "The terminal is the original's",
      'abort',
      ({ waiting: id }) => ({ originalTransactionId: id, terminalSn: 'TBX-AUTO-001' }),
    ],
    ['The original was paid in person', 'void', ({ online }) => following(online)],
    ['It is not paid yet', 'abort', ({ paid }) => ({ originalTransactionId: paid })],
    [
      'The tip is within its limits',
      'tip-adjust',
      ({ paid }) => ({ originalTransactionId: paid, tipAmount: 1_000_000_000_000 }),
    ],
    [
      'The payload is of the wallet',
      'direct-payment',
      () => sale(1000, { paymentMethod: 'GOOGLE_PAY', cardEncryptedData: 'no JSON' }),
    ],
    ['No cashback is asked for', 'create-session', () => sale(1000, { cashbackAmount: 5 })],
    [
      'The products add up to the amount',
      'create-session',
      () => sale(1000, { productList: [{ name: 'Shoe', amount: 1, num: 1 }] }),
    ],
    ['The session exists', 'expire-session', () => ({ sessionId: 'nobody' })],
    ['The session exists', 'expire-session', () => ({})],
    ['A batch is open', 'batch-close', () => ({ transactionRequestId: newId(), terminalSn: 'TBX-SLOW-001' })],
    ['The transaction exists', 'query', () => ({ transactionId: '1' })],
    ['The transaction exists', 'query', () => ({})],
    ['The period is whole', 'batch-close-list', () => ({ startTime: '2026-01-01T00:00:00Z' })],
    ['The next page exists', 'merchant-terminals', () => ({ nextToken: 'x' })],
    ['Each field has its form', 'void', ({ paid }) => following(paid, { referenceOrderId: 'ORDER-123' })],
  ])('%s: %s', async (what, name, members, advance = 0) => {
    const { service, ids } = await openAll()
    if (advance > 0) await service.control('POST', 'clock', { action: 'advance', milliseconds: advance })
    const { traceId, code } = await service.call(name, members(ids))
    expect(code).not.toBe('0')
    const answer = await whyOf(service, traceId)
    expect(refusedStep(answer)?.what).toBe(what)
    const names = refusedStep(answer)?.claims ?? []
    expect(names.length).toBeGreaterThan(0)
    expect(names).toEqual([...new Set(names)])
    expect(answer.remedy).not.toBeNull()
  })

  test('an id that was used before, and a closed batch', async () => {
    const { service, ids } = await openAll()
    const again = sale(1000)
    await service.call('sale', again)
    const { traceId } = await service.call('sale', again)
    expect(refusedStep(await whyOf(service, traceId))?.what).toBe('transactionRequestId is new')
    await service.call('batch-close', { transactionRequestId: newId() })
    const late = await service.call('void', following(ids.paid))
    expect(refusedStep(await whyOf(service, late.traceId))?.what).toBe('Its batch is open')
    const id = newId()
    await service.call('sale', sale(1), { 'X-Client-Request-Id': id })
    const twice = await service.call('sale', sale(1), { 'X-Client-Request-Id': id })
    expect(refusedStep(await whyOf(service, twice.traceId))?.what).toBe('X-Client-Request-Id is new')
  })
})

describe('an accepted request', () => {
  test.each([
    ['which its amount triggers', sale(9823), {}, 'trigger-amounts'],
    [
      'which its request asked for (X-Sandbox-Outcome)',
      sale(1),
      { 'X-Sandbox-Outcome': 'stolen-card' },
      'outcome-order',
    ],
    ['which its terminal is set to', sale(1, { terminalSn: 'TBX-DECLINE-001' }), {}, 'fixtures'],
    ['as no rule applied', sale(1), {}, 'outcome-order'],
  ])('says what decided its outcome: %s', async (words, members, headers, claim) => {
    const service = await openService()
    const { traceId, data } = await service.call('sale', members, headers)
    const answer = await whyOf(service, traceId)
    const step = answer.steps.find(({ what }) => what.startsWith('The outcome is'))
    expect(step?.what).toContain(words)
    expect(step?.claims).toContain(claim)
    expect(answer.steps.filter(({ result }) => result === 'passed')).toHaveLength(checksOf('sale').length)
    const ofTransaction = (await service.control('GET', `why?about=${data.transactionId}`)).data as WhyAnswer
    expect(decisions(ofTransaction)).toEqual(decisions(answer))
  })

  test('the changes of its status follow, and what was done to it since', async () => {
    const service = await openService()
    const { data } = await service.call('auth', sale(1000))
    await service.call('post-auth', following(data.transactionId, { amount: 1000 }))
    const answer = (await service.control('GET', `why?about=${data.transactionId}`)).data as WhyAnswer
    expect(decisions(answer)).toEqual([
      'The outcome is approve, as no rule applied',
      'INITIAL: request accepted',
      'PROCESSING: taken up by the terminal or cloud',
      'SUCCESS: approved by host',
      'A follow-up marked it CAPTURE',
      'It is in no batch',
    ])
    expect(answer.summary).toBe(`AUTH ${data.transactionId} is SUCCESS.`)
  })

  test.each([
    ['TBX-TIP20-001', 'A tip of 2.00 USD was chosen', 'TBX-TIP20-001 is set to choose 20 %'],
    ['TBX-CANCEL-001', 'CLOSED: cancel', 'TBX-CANCEL-001 is set to cancel'],
  ])('%s: %s, because %s', async (terminalSn, what, detail) => {
    const service = await openService()
    const members = { terminalSn, tipConfig: { onScreenTip: true } }
    const { traceId } = await service.call('sale', sale(1000, members))
    const { steps } = await whyOf(service, traceId)
    expect(steps).toContainEqual(expect.objectContaining({ what, detail, result: 'decided' }))
  })

  test('what people did at a terminal and on a page is said', async () => {
    const service = await openService()
    const open = async (name: OperationName, more: object = {}) =>
      (await service.call(name, sale(1000, more))).data
    const atDesk = { terminalSn: 'TBX-ATTENDED-001', tipConfig: { onScreenTip: true } }
    const { transactionId: id } = await open('sale', atDesk)
    await service.control('POST', 'terminals/TBX-ATTENDED-001/present', { card: 'visa-contactless' })
    await service.control('POST', 'terminals/TBX-ATTENDED-001/tip', { tipAmount: 150 })
    const { transactionId: left } = await open('sale', atDesk)
    await service.control('POST', 'terminals/TBX-ATTENDED-001/cancel')
    const { transactionId: paid } = await open('sale')
    await service.call('tip-adjust', { originalTransactionId: paid, tipAmount: 75 })
    const page = await open('create-session')
    await service.control('POST', `sessions/${page.sessionId}/cancel`)
    const why = async (about: string) =>
      ((await service.control('GET', `why?about=${about}`)).data as WhyAnswer).steps
    const known = (what: string, detail: string | null) => expect.objectContaining({ what, detail })
    expect(await why(id)).toContainEqual(known('A tip of 1.50 USD was chosen', null))
    expect(await why(left)).toContainEqual(known('CLOSED: cancel', 'at TBX-ATTENDED-001'))
    expect(await why(paid)).toContainEqual(known('The tip was set to 0.75 USD', null))
    const shown = await service.call('query', { transactionRequestId: page.transactionRequestId })
    expect(await why(shown.data.transactionId)).toContainEqual(known('CLOSED: cancel', 'on its page'))
  })

  test('a replay and a fault are said, and so is what was noted', async () => {
    const service = await openService({ duplicates: 'replay' })
    const members = sale(1000, { tipAmuont: 5 })
    await service.call('sale', members)
    const { traceId } = await service.call('sale', members, { 'X-Sandbox-Fault': 'latency=1ms' })
    const answer = await whyOf(service, traceId)
    expect(decisions(answer)).toEqual(
      expect.arrayContaining(['It was answered as the first time', 'A fault changed the answer on its way']),
    )
    expect(answer.steps.find(({ result }) => result === 'noted')?.what).toContain('tipAmuont')
  })
})

test('what is no request of the payment API, and what nothing is called', async () => {
  const service = await openService()
  const { traceId } = await service.control('DELETE', 'snapshots/nobody')
  const answer = await whyOf(service, traceId)
  expect(answer.steps.map(({ what }) => what)).toEqual(['There is no snapshot nobody'])
  expect(answer.claims.map(({ name }) => name)).toEqual(['restore', 'envelope'])
  expect(await service.control('GET', 'why?about=nobody')).toMatchObject({ code: 'C17', field: 'about' })
  expect(await service.control('GET', 'requests/nobody/why')).toMatchObject({ code: 'SBX_REQ_NONE' })
})

test('a webhook that was sent to the payment API is refused for what it is', async () => {
  const service = await createSandbox()
  onTestFinished(() => service.close())
  const { traceId } = (await fetch(`${service.url}/v1/transaction/query`, {
    headers: { 'User-Agent': 'tillbox-webhook' },
  }).then((answer) => answer.json())) as { traceId: string }
  const answer = (await fetch(`${service.url}/_sandbox/requests/${traceId}/why`).then((each) =>
    each.json(),
  )) as { data: WhyAnswer }
  expect(answer.data.steps.map(({ what }) => what)).toEqual(['A webhook was sent to a sandbox'])
  expect(refusedStep(answer.data)?.claims).toContain('webhook-targets')
})

test('a refund is one of its original, however long its body is', async () => {
  const service = await openService()
  const paid = await service.call('sale', sale(1000))
  const long = { remark: 'x'.repeat(70_000), ...following(paid.data.transactionId, { amount: 9999 }) }
  const { traceId, code } = await service.call('refund', long)
  const answer = await whyOf(service, traceId)
  expect([code, refusedStep(answer)?.what]).toEqual([
    'SBX_OVER_REFUND',
    'At most what is left of each part is refunded',
  ])
  expect(answer.steps.map(({ what }) => what)).toContain('The original exists')
})

test('two checks with one code rest on claims of their own', async () => {
  const service = await openService()
  const path = '/v1/semi-integration/transaction/sale'
  const refused = async (headers: Record<string, string>) => {
    const { traceId } = await service.send('POST', path, { headers, body: JSON.stringify(sale(1000)) })
    return refusedStep(await whyOf(service, traceId))?.claims
  }
  expect(await refused({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })).toEqual([
    'body-limit',
  ])
  expect(await refused({ 'Content-Type': 'text/plain' })).toEqual(['header-content-type', 'header-forms'])
})
