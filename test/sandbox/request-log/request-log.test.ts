import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { flagMembers, operationFlags } from '../../../src/cli/operation/operation-flags.ts'
import type { RequestStory, RequestSummary } from '../../../src/contract/control/request-log-answers.ts'
import { errorTable } from '../../../src/contract/errors.ts'
import { type OperationName, operationNames, operations } from '../../../src/contract/operations.ts'
import { addressed, curlCommand, tillboxCommand } from '../../../src/contract/presentation/copy-as.ts'
import { hideMembers } from '../../../src/contract/presentation/hide-members.ts'
import { type LoggedRequest, RequestLog } from '../../../src/sandbox/request-log/request-log.ts'
import { fetchPlain } from '../../support/pages/shop-front.ts'
import { newId } from '../../support/service/new-id.ts'
import { openRawSandbox } from '../../support/service/raw.ts'
import {
  apiHeaders,
  apiKey,
  following,
  openService,
  openSold,
  type Service,
  sale,
} from '../../support/service/service.ts'

const list = async ({ control }: Service, query = ''): Promise<RequestSummary[]> =>
  (await control('GET', `requests${query}`)).data.requests
const show = async ({ control }: Service, traceId: string): Promise<RequestStory> =>
  (await control('GET', `requests/${traceId}`)).data
/** Everything that the log keeps, and everything it shows. */
const allOf = async (service: Service): Promise<string> => {
  const shown = await Promise.all(service.sandbox.log.list().map(({ traceId }) => show(service, traceId)))
  return JSON.stringify([service.sandbox.log.list(), await list(service), shown])
}

describe('the list of requests', () => {
  test('the list holds the last 1000 requests, oldest first', async () => {
    const service = await openService()
    const first = await service.call('sale', sale(1))
    for (let count = 0; count < 1000; count++) await service.call('query', { transactionId: 'some-id' })
    const requests = await list(service)
    expect(requests).toHaveLength(1000)
    expect(requests.map(({ traceId }) => traceId)).not.toContain(first.traceId)
    const query = { method: 'GET', path: operations.query.path, operation: 'query' }
    expect(requests[0]).toMatchObject({ ...query, status: 200, code: 'SBX_TXN_UNKNOWN' })
  })

  test('the list says why a request was refused, and what to do', async () => {
    const { transactionId, ...service } = await openSold()
    const refund = following(transactionId, { amount: 1200 })
    await service.call('refund', refund)
    await service.call('sale', { ...sale(1), amount: -1 })
    const [accepted, over, wrong] = await list(service)
    expect(accepted).toMatchObject({ operation: 'sale', code: '0', refusal: null, transactionId })
    expect(over).toMatchObject({
      operation: 'refund',
      code: 'SBX_OVER_REFUND',
      transactionId,
      refusal: {
        message: errorTable.SBX_OVER_REFUND.message,
        field: 'amount',
        detail: '12.00 USD requested, 10.00 USD left',
        remedy: errorTable.SBX_OVER_REFUND.remedy,
      },
    })
    const refusal = { message: 'A parameter is wrong', field: 'amount', detail: 'must be at least 0' }
    expect(wrong).toMatchObject({ code: 'C17', transactionId: null, refusal })
  })

  test('the list has the message of a refusal that says it all, and the remedy of this case', async () => {
    const service = await openService()
    await service.control('POST', 'terminals/NONE/cancel')
    const [refused] = await list(service, '?status=refused')
    expect(refused?.refusal).toMatchObject({
      ...{ message: 'There is no terminal NONE', field: 'terminalSn', detail: null },
      remedy: expect.stringContaining('`tillbox terminal add NONE`'),
    })
  })

  test('the list is filtered by status, operation, transaction and order, and its limit keeps the last ones', async () => {
    const service = await openService()
    const ids: string[] = []
    for (let count = 0; count < 3; count++)
      ids.push((await service.call('sale', sale(1000))).data.transactionId)
    await service.call('query', { transactionId: ids[1] as string })
    await service.call('query', { transactionId: '1' })
    const operationsOf = async (query: string) =>
      (await list(service, query)).map(({ operation }) => operation)
    expect(await operationsOf('?status=refused')).toEqual(['query'])
    expect(await operationsOf('?status=accepted&operation=query')).toEqual(['query'])
    expect(await operationsOf(`?transactionId=${ids[1]}`)).toEqual(['sale', 'query'])
    expect(await operationsOf('?limit=2&operation=sale')).toEqual(['sale', 'sale'])
    const last = await list(service, '?limit=2&operation=sale')
    expect(last.map(({ transactionId }) => transactionId)).toEqual(ids.slice(1))
    expect(await list(service, '?limit=0')).toEqual([])
    await service.call('sale', sale(-1, { referenceOrderId: 'ORDER-1' }))
    expect(await list(service, '?order=ORDER-1')).toMatchObject([{ operation: 'sale', code: 'C17' }])
    for (const query of ['?status=half', '?operation=lend', '?limit=x', '?other=1'])
      expect((await service.control('GET', `requests${query}`)).code).toBe('C17')
  })

  test('the list leaves out accepted look-ups of the control interface, and nothing else of it', async () => {
    const service = await openService()
    await service.control('GET', 'connection')
    await service.control('GET', 'transactions/1')
    await service.control('POST', 'clock', { action: 'freeze' })
    const listed = (await list(service)).map(({ method, path, code }) => `${method} ${path} ${code}`)
    expect(listed).toEqual(['GET /_sandbox/transactions/1 SBX_TXN_UNKNOWN', 'POST /_sandbox/clock 0'])
  })
})

describe('one request in full', () => {
  test('a request in full has headers and bodies of both sides', async () => {
    const service = await openService()
    const request = sale(1000, { tipp: 1 })
    const answer = await service.call('sale', request, { 'User-Agent': 'till/1' })
    const story = await show(service, answer.traceId)
    expect(JSON.parse(story.request.body)).toEqual(request)
    expect(JSON.parse(story.answer.body).data).toEqual(answer.data)
    expect([story.request.cut, story.answer.cut]).toEqual([false, false])
    expect(Object.fromEntries(story.request.headers)).toMatchObject({ 'user-agent': 'till/1' })
    expect(Object.fromEntries(story.answer.headers)).toMatchObject({
      'Content-Type': 'application/json',
      'X-Sandbox-Note': answer.headers.get('X-Sandbox-Note'),
    })
  })

  test('a long body is cut at its end, and never within a character', async () => {
    const { traceId, ...service } = await openSold(sale(1, { padding: `a${'é'.repeat(40_000)}` }))
    const { request, curl, command } = await show(service, traceId)
    expect(request.cut).toBe(true)
    expect(Buffer.byteLength(request.body)).toBeLessThanOrEqual(64 * 1024)
    expect(Buffer.byteLength(request.body)).toBeGreaterThan(64 * 1024 - 2)
    expect(request.body).not.toContain('\uFFFD')
    expect([curl, command]).toEqual([null, null])
  })
})

describe('assumption request-log: secrets in the request log', () => {
  test('a key is kept as its scheme and last four characters; nothing is kept of a short or odd one', async () => {
    const { traceId, ...service } = await openSold(sale(1))
    const headersOf = async (id: string) => Object.fromEntries((await show(service, id)).request.headers)
    expect((await headersOf(traceId)).authorization).toBe(`Bearer tbx_sandbox_…${apiKey.slice(-4)}`)
    for (const wrong of ['Bearer short-key', `Basic ${btoa(apiKey)}`, `bearer  ${apiKey}x y`, apiKey]) {
      const refused = await service.call('sale', sale(1), { Authorization: wrong })
      expect((await headersOf(refused.traceId)).authorization).not.toMatch(/short-key|[A-Za-z0-9]{6}$/)
    }
    const ofTheFixture = `\${TILLBOX_API_KEY:-${apiKey}}` // which everybody knows
    expect((await allOf(service)).replaceAll(ofTheFixture, '')).not.toContain(apiKey)
  })

  test('a key or a webhook secret in a body is hidden when shown', async () => {
    const service = await openService()
    const { secret } = (await service.control('GET', 'webhook-secret')).data
    const { traceId } = await service.call('sale', sale(1, { attach: `${apiKey} ${secret}` }))
    const story = JSON.stringify(await show(service, traceId))
    expect(story).toContain('attach')
    expect(story).not.toContain(apiKey)
    expect(story).not.toContain(secret)
  })

  const secretive = 'http://user:hush@127.0.0.1:1/hook?token=hush&secret=hush'

  test.each(['notifyUrl', 'attach'])('secrets of a URL in %s are shown nowhere', async (member) => {
    const { traceId, ...service } = await openSold(sale(1, { [member]: secretive }))
    const story = await show(service, traceId)
    expect(JSON.parse(story.request.body)[member]).toBe('http://…@127.0.0.1:1/hook?token=…&secret=…')
    expect(JSON.stringify([story, await list(service)])).not.toContain('hush')
    expect([story.curl, story.command]).toEqual([null, null])
  })

  test('the value of a token in the URL of a request is shown nowhere', async () => {
    const service = await openService()
    const { traceId } = await service.send('GET', `${operations.query.path}?transactionId=1&api_key=hush`)
    const story = await show(service, traceId)
    expect(story.url).toContain('?transactionId=1&api_key=…')
    expect(await allOf(service)).not.toContain('hush')
    expect([story.curl, story.command]).toEqual([null, null])
  })

  test('a URL without a secret stays, and its request can be copied', async () => {
    const service = await openService()
    const request = sale(1, { notifyUrl: 'http://127.0.0.1:1/hook?shop=1' })
    const { curl, command } = await show(service, (await service.call('sale', request)).traceId)
    for (const copy of [curl, command]) expect(copy).toContain('http://127.0.0.1:1/hook?shop=1')
  })

  test('an answer with a new key or a new secret is kept without them', async () => {
    const service = await openService()
    const { apiKey: fresh } = (await service.control('POST', 'keys/regenerate', { graceMs: 0 })).data
    const { secret } = (await service.control('POST', 'webhook-secret/rotate', { graceMs: 0 })).data
    const all = await allOf(service)
    expect(all).toContain('/_sandbox/keys/regenerate')
    expect(all).not.toContain(fresh)
    expect(all).not.toContain(secret)
  })

  const number = '4111111111111111'
  const request = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(sale(1)) }
  const withCard: [string, (service: Service) => Promise<unknown>][] = [
    ['the query of a POST', ({ send }) => send('POST', `${operations.sale.path}?card=${number}`, request)],
    ['a query without a key', ({ call }) => call('query', { note: number }, { Authorization: null })],
    ['a header', ({ call }) => call('sale', sale(1), { 'X-Client-Request-Id': number })],
    ['a header of its own', ({ call }) => call('sale', sale(1), { 'X-Note': number })],
  ]
  test.each(withCard)('card data in %s is not kept', async (_, send) => {
    const service = await openService()
    await send(service)
    const shown = await Promise.all(service.sandbox.log.list().map(({ traceId }) => show(service, traceId)))
    expect(shown).toHaveLength(1)
    // Four digits alone may stand in any id or time.
    expect(JSON.stringify([shown, await list(service)])).not.toMatch(/4111\W{0,3}1111|4111\W{0,3}[*…]|%3411/)
  })

  test('a request that was refused for card data is kept without body and path', async () => {
    const { traceId, ...service } = await openSold(sale(1, { attach: number }))
    expect(service.sandbox.log.list()[0]).toMatchObject({ path: '…', baseUrl: '', target: '', body: '' })
    const story = await show(service, traceId)
    expect(story).toMatchObject({ code: 'SBX_CARD_DATA', curl: null, command: null, request: { body: '' } })
  })

  test('a wallet payload is hidden, also where its name is written with escapes, and the command makes another', async () => {
    const service = await openService()
    const request = { ...sale(1), paymentMethod: 'GOOGLE_PAY', cardEncryptedData: '{"a":"hush, \\"b"}' }
    const { traceId } = await service.call('direct-payment', request)
    const body = JSON.stringify(request).replace('cardEncryptedData', 'card\\u0045ncrypte\\u0064Dat\\u0061')
    const headers = { 'Content-Type': 'application/json' }
    const { code } = await service.send('POST', operations['direct-payment'].path, { headers, body })
    expect(code).not.toBe('C17')
    expect(await allOf(service)).not.toContain('hush')
    const { curl, command, request: sent } = await show(service, traceId)
    expect(JSON.parse(sent.body)).toEqual({ ...request, cardEncryptedData: '…' })
    expect(curl).toBeNull()
    expect(command).toContain('tillbox checkout sale --reference-order-id')
    expect(command).not.toContain('card-encrypted-data')
  })
})

describe('assumption request-log: secret members, by what they are called', () => {
  const shownOf = async (name: OperationName, body: string, query = '') => {
    const service = await openService()
    const headers = apiHeaders()
    await service.send('POST', operations[name].path + query, { headers, body })
    expect(await allOf(service)).not.toContain('hush')
    const [{ traceId } = { traceId: '' }] = await list(service)
    return show(service, traceId)
  }

  const wallet = { version: 'hush', header: { x: ['hush}', { signature: 'hush"' }] } }

  test.each([
    ['a string', { cardEncryptedData: 'hush' }],
    ['an object', { cardEncryptedData: wallet }],
    ['a list', { cardEncryptedData: [wallet, 'hush'] }],
    ['another case', { CARDencrypteddata: wallet }],
    ['an inner member of a wallet', { attach: { signedMessage: 'hush', intermediateSigningKey: wallet } }],
    [
      'a depth',
      { metadata: [{ a: { api_key: 'hush', 'Api-Key': ['hush'], b: { password: { x: 'hush' } } } }] },
    ],
    ['JSON in a string', { attach: JSON.stringify({ a: JSON.stringify({ accessToken: 'hush' }) }) }],
    ['usual names', { secret: 'hush', clientSecret: 'hush', Authorization: 'Bearer hush', apiKey: 'hush' }],
  ])('a member that is %s is hidden in every operation, and the rest stays JSON', async (_, members) => {
    const request = { ...sale(1), ...members, end: 'shown' }
    for (const name of ['sale', 'direct-payment'] as const) {
      const { request: sent, curl } = await shownOf(name, JSON.stringify(request))
      const names = Object.keys(members)
      const rest = Object.entries(request).filter(([member]) => !names.includes(member))
      expect(JSON.parse(sent.body)).toMatchObject(Object.fromEntries(rest))
      expect(curl).toBeNull()
    }
  })

  test.each([
    '{"a":1,"cardEncryptedData":{"data":"hush","header":{"a":"hush',
    '{"a":1,"attach":"{\\"token\\":\\"hush',
    '{"a":"x"","password":"hush","b":1}',
    "{'apiKey': 'hush'}",
    '{apiKey: hush}',
    'amount=1&api_key=hush&b=1',
    'amount=1&%61pi_key=hush',
    'password: hush',
    '<sale><apiKey>hush</apiKey><a>1</a></sale>',
    '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nhush\r\n--x--',
  ])('a secret member is hidden in %s, which is no JSON', async (body) => {
    await shownOf('sale', body)
  })

  test('a secret member of the query is hidden', async () => {
    await shownOf(
      'sale',
      JSON.stringify(sale(1)),
      '?cardEncryptedData=%7B%22a%22:%22hush%22%7D&signedMessage=hush',
    )
  })

  test('what is none stays as it was sent, and the request can be copied', async () => {
    const members = {
      ...{ attach: '{"key":"v","sign":"s"}', authCode: '123456', signatureEntryLocation: 'ON_PAPER' },
      ...{ note: 'password: 1', authenticationMethod: 'x', savePassword: true, tokens: null },
    }
    const body = JSON.stringify({ ...sale(1), ...members })
    const { request, curl } = await shownOf('sale', body)
    expect(request.body).toBe(body)
    expect(curl).toContain('--data-raw')
  })

  test('a long body that is costly to search is still searched in little time', () => {
    const long = 512 * 1024
    const made = [
      '{"token":'.repeat(long / 9),
      '['.repeat(long),
      `{"token":${'['.repeat(long)}`,
      '"token"'.repeat(long / 7),
    ]
    for (const text of [
      ...made,
      `"${'\\"'.repeat(long)}`,
      'token=\n'.repeat(long / 7),
      'a   '.repeat(long / 4),
    ])
      expect(hideMembers(`${text}"token":"hush"`)).not.toContain('hush')
  })
})

describe('the bound of the log in bytes', () => {
  const empty = { baseUrl: '', target: '', headers: '', answer: '', caller: '' }
  const texts = { method: 'POST', path: '/', code: '0', ...empty }
  const others = {
    notes: [],
    answerHeaders: [],
    others: [],
    operation: null,
    fault: null,
    repeats: null,
    isCutOff: false,
    refusal: null,
    hasOriginal: false,
    isBodyHidden: false,
  }
  const numbers = { at: 0, sandboxAt: 0, status: 200, started: 0, durationMs: 0, answerLength: 0 }
  const entry = (traceId: string, size: number): LoggedRequest => ({
    ...{ ...texts, ...others, ...numbers, traceId, body: 'x'.repeat(size), bodyLength: size },
  })
  const idsOf = (log: RequestLog) => log.list().map(({ traceId }) => traceId)

  test('the oldest requests leave when all texts together grow too large, and the newest stays', () => {
    const log = new RequestLog(10, null, 9_000)
    for (const id of ['a', 'b', 'c', 'd']) log.add(entry(id, 1000))
    expect(idsOf(log)).toEqual(['b', 'c', 'd'])
    log.add(entry('e', 50_000))
    expect(idsOf(log)).toEqual(['e'])
    for (const id of ['f', 'g']) log.add(entry(id, 1000))
    expect(idsOf(log)).toEqual(['f', 'g'])
  })

  test('the text of every member counts against the bound', () => {
    const long = 'x'.repeat(1000)
    const names = ['body', 'answer', 'baseUrl', 'target', 'path', 'headers'] as const
    const ofRefusal = (['field', 'detail'] as const).map((name) => ({
      refusal: { code: '', msg: '', [name]: long },
    }))
    const lists = [{ answerHeaders: [long] }, { notes: [long] }]
    for (const member of [...names.map((name) => ({ [name]: long })), ...ofRefusal, ...lists]) {
      const log = new RequestLog(10, null, 4_000)
      for (const id of ['a', 'b']) log.add({ ...entry(id, 0), ...member })
      expect([member, idsOf(log)]).toEqual([member, ['b']])
    }
  })

  test('the numbers of requests go on after some left the log', () => {
    const log = new RequestLog(3)
    for (const id of ['a', 'b', 'c', 'd']) log.add(entry(id, 1))
    expect(idsOf(log)).toEqual(['b', 'c', 'd'])
    expect([log.total, log.findNumber('d'), log.findNumber('a')]).toEqual([4, 3, undefined])
    expect(log.list(3).map(({ traceId }) => traceId)).toEqual(['d'])
  })
})

describe('the copy of a request as curl', () => {
  test('a shell sends the same request again, with the key of the fixture when the variable is unset', async () => {
    const running = await openRawSandbox()
    const { url } = running.connection
    const body = JSON.stringify(sale(1000, { description: `it's "here" $HOME \`id\` \\ é` }))
    const sent = await fetchPlain(`${url}${operations.sale.path}`, {
      method: 'POST',
      headers: { ...apiHeaders(), 'X-Sandbox-Outcome': 'expired-card' },
      body,
    })
    const { traceId } = JSON.parse(sent.text)
    const shown = await fetchPlain(`${url}/_sandbox/requests/${traceId}`)
    const { curl } = JSON.parse(shown.text).data as RequestStory
    expect(curl).toContain(`Bearer \${TILLBOX_API_KEY:-${apiKey}}`)
    const { TILLBOX_API_KEY: _, ...env } = process.env
    const { stdout } = await promisify(execFile)('sh', ['-c', curl as string], { env })
    expect(JSON.parse(stdout)).toMatchObject({ code: 'SBX_DUP_TXN_ID' })
    const [first, again] = running.sandbox.log.list().filter(({ operation }) => operation === 'sale')
    expect([again?.body, again?.code]).toEqual([first?.body, 'SBX_DUP_TXN_ID'])
    expect(first?.body).toBe(body)
  })

  test('a key of the user is not shown: the shell asks for the variable', async () => {
    const own = 'my-own-secret-key-0001'
    const service = await openService({ apiKey: own })
    const { traceId } = await service.call('sale', sale(1), { Authorization: `Bearer ${own}` })
    const { curl } = await show(service, traceId)
    expect(curl).not.toContain(own)
    const { TILLBOX_API_KEY: _, ...env } = process.env
    const asked = 'TILLBOX_API_KEY: set it to your API key'
    expect(() => execFileSync('sh', ['-c', curl as string], { env, stdio: 'pipe' })).toThrow(asked)
  })

  test.each<[string, [string, string][], string]>([
    ['http://localhost:9000/x', [], 'curl -sS http://localhost:9000/x'],
    ['https://localhost:9000/x', [], 'curl -sSk https://localhost:9000/x'], // the sandbox made its certificate
    ['http://h/x?y=[1-3]', [['X-Empty', '']], "curl -sSg 'http://h/x?y=[1-3]' \\\n  -H 'X-Empty;'"],
  ])('the URL %s and headers without a value are copied as they came', (url, headers, copy) => {
    const sent = { method: 'GET', body: '', code: '0', publicKey: null }
    expect(curlCommand({ ...sent, url, headers })).toBe(copy)
  })

  test('the copy makes a new time and request id, unless the request was refused for them', async () => {
    const service = await openService()
    const late = await service.call('sale', sale(1), { 'X-Timestamp': '1234567890123' })
    const other = await service.call('sale', { ...sale(1), amount: 0 })
    expect((await show(service, late.traceId)).curl).toContain("'x-timestamp: 1234567890123'")
    expect((await show(service, other.traceId)).curl).toContain('"x-timestamp: $(date +%s000)"')
  })
})

describe('the copy of a request as a command', () => {
  const commandFor = async (name: (typeof operationNames)[number], members: object, headers = {}) => {
    const service = await openService()
    const { traceId } = await service.call(name, members, headers)
    return (await show(service, traceId)).command?.replace(/ --base-url http:\/\/localhost$/, '')
  }

  test('the command has the flags of its operation, and leaves out ids that it makes by itself', async () => {
    const described = sale(1000, { referenceOrderId: 'ORDER-1', description: "a b'c" })
    expect(await commandFor('sale', described)).toBe(
      `tillbox sale --reference-order-id ORDER-1 --amount 10.00 --price-currency USD --set 'description=a b'\\''c'`,
    )
    const amount = { orderAmount: 5, priceCurrency: 'USD', tipAmount: 1 }
    const refund = following('1', { amount, priceCurrency: 'USD', pushToTerminal: false })
    expect(await commandFor('refund', refund, { 'X-Sandbox-Outcome': 'expired-card' })).toBe(
      'tillbox refund 1 --amount 0.05 --price-currency USD --tip-amount 0.01 --no-push-to-terminal --outcome expired-card',
    )
    const query = await commandFor('query', { transactionRequestId: 'R-1' })
    expect(query).toBe('tillbox query --transaction-request-id R-1')
    const ids = { originalTransactionRequestId: 'R-1', transactionRequestId: newId() }
    expect(await commandFor('void', ids)).toBe('tillbox void --original-transaction-request-id R-1')
  })

  test('the command names its sandbox, unless commands find that sandbox by themselves', async () => {
    const to = (baseUrl: string) => addressed('tillbox void 1', baseUrl)
    for (const baseUrl of ['http://127.0.0.1:8455', 'http://localhost:8455/'])
      expect(to(baseUrl)).toBe('tillbox void 1')
    for (const baseUrl of ['http://localhost:9000', 'https://127.0.0.1:8455', 'http://127.0.0.1:8455/s/ci-1'])
      expect(to(baseUrl)).toBe(`tillbox void 1 --base-url ${baseUrl}`)
    expect(to('http://[::1]:8455')).toBe("tillbox void 1 --base-url 'http://[::1]:8455'")
  })

  test('a member whose name every object has is no member of an operation', async () => {
    expect(tillboxCommand('sale', { constructor: 1, toString: 'x' }, [])).toBe('tillbox sale')
  })

  test('every member of every operation is a flag or an argument of its command', async () => {
    for (const name of operationNames) {
      const flags = operationFlags(name)
      const members = Object.fromEntries(flagMembers(name).map(([member]) => [member, 'X']))
      const words = tillboxCommand(name, members, []).match(/--[a-z-]+/g) ?? []
      for (const word of words)
        expect([name, Object.keys(flags)]).toEqual([name, expect.arrayContaining([word.slice(2)])])
    }
  })

  test('the command copies members of any shape, even an object that cannot be turned into text', async () => {
    const service = await openService()
    const odd = { toString: 1, valueOf: null, toJSON: 'no' }
    for (const name of operationNames.filter((each) => operations[each].method === 'POST')) {
      const members = Object.fromEntries(flagMembers(name).map(([member]) => [member, odd]))
      for (const amount of [odd, { orderAmount: odd, priceCurrency: odd }]) {
        const ids = { originalTransactionId: odd, sessionId: odd }
        const { traceId } = await service.call(name, { ...members, ...ids, amount })
        expect(await show(service, traceId)).toMatchObject({ operation: name })
      }
    }
  })

  test('a value that begins with a dash is joined to its flag', async () => {
    const command = await commandFor('sale', sale(1000, { description: '--help' }))
    expect(command).toContain(' --set description=--help')
  })

  test('a member of the nested amount is one word of the shell, whatever it contains', async () => {
    const amount = { orderAmount: 1000, priceCurrency: 'USD', taxAmount: '1; touch x #' }
    const command = await commandFor('sale', sale(1000, { amount }))
    expect(command).toContain(" --set 'taxAmount=1; touch x #'")
  })

  test('a request that is not an operation has no command', async () => {
    const service = await openService()
    const { traceId } = await service.control('POST', 'clock', { action: 'freeze' })
    expect(await show(service, traceId)).toMatchObject({ operation: null, command: null })
  })
})
