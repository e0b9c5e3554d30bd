import { Agent } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { controls } from '../../../src/contract/control/controls/controls.ts'
import { headerNames, sandboxHeaders } from '../../../src/contract/headers.ts'
import { openapiDocument } from '../../../src/contract/openapi/document.ts'
import { operations } from '../../../src/contract/operations.ts'
import type { AnyJson } from '../../support/any-json.ts'
import { startCommand } from '../../support/commands/command.ts'
import { agentAt } from '../../support/mcp/mcp-client.ts'
import { exchange } from '../../support/network/exchange.ts'
import { sampleOf, withEachText } from '../../support/openapi/samples.ts'
import { openDashboard } from '../../support/pages/dashboard.ts'
import { hrefsIn, pageOf } from '../../support/pages/page.ts'
import { times } from '../../support/runner/counts.ts'
import { apiHeaders, sale } from '../../support/service/service.ts'
import { pauseWithin, workOf } from './longest-pause.ts'

/**
 * No text holds the sandbox up. Texts that careless loops and patterns take long for go to every place that takes a text, as
 * the tables of the interface, the schemas of the tools and the pages themselves name them.
 */

/** The longest pause of the event loop that a text may cause. Milliseconds. */
const longest = 200

const size = 64 * 1024
const filled = (part: string, length = size) => part.repeat(Math.ceil(length / part.length)).slice(0, length)

/** Hostile texts. */
const texts = (length = size): Readonly<Record<string, string>> => ({
  'one letter': filled('a', length),
  'one word': filled('a ', length),
  'many words': Array.from({ length: length / 4 }, (_, index) => (index + 1296).toString(36))
    .join(' ')
    .slice(0, length),
  digits: filled('4', length),
  groups: filled('4111 ', length),
  spaces: `4111111111111111=${filled(' ', length)}"`,
  quotes: filled('\\"', length),
  backslashes: `"pan${filled('\\', length)}`,
  brackets: filled('[', length),
  addresses: filled('http://a:b@c?d=', length),
  punctuation: filled(',.-:;=&', length),
})

/** How many of the texts go to each place; a run takes other ones for it than the run before. */
const allTexts = Object.entries(texts())
const tried = times(4, allTexts.length)
const offset = Date.now() % allTexts.length
let places = 0

/** The texts for the next place. */
function textsOfPlace(): [shape: string, text: string][] {
  places += tried
  return allTexts.filter((_, index, { length }) => (index + places + offset) % length < tried)
}

/** A text in each place of a value in turn, with the shape of the text. */
function* withEachOf(usual: object): Generator<readonly [place: string, changed: object]> {
  const all = new Map(allTexts.map(([shape, text]) => [shape, [...withEachText(usual, text)]]))
  const count = [...withEachText(usual, '')].length
  for (let at = 0; at < count; at += 1)
    for (const [shape] of textsOfPlace()) {
      const [place, changed] = all.get(shape)?.[at] ?? []
      yield [`${place}: ${shape}`, changed ?? {}]
    }
}

/** Hostile bodies of JSON; `names`: known ones, of which there are near misses. */
function bodies(names: readonly string[]): Readonly<Record<string, string>> {
  const many = (written: (index: number) => string) =>
    Array.from({ length: size / 16 }, (_, index) => written(index)).join(',')
  const depth = size / 4
  return {
    'many members': `{${many((index) => `"member${index}":1`)}}`,
    'near misses': `{${many((index) => `"${names[index % names.length] ?? 'x'}${index}":1`)}}`,
    'one member often': `{${many(() => '"a":1')}}`,
    'a long name': `{"${filled('a')}":1}`,
    'deep objects': `${filled('{"a":')}1`,
    'deep lists': `{"a":${'['.repeat(depth)}1.0${',1'.repeat(depth)}${']'.repeat(depth)}}`,
    'a long number': `{"amount":1.${filled('0')}1}`,
    'many numbers': `{"amount":[${many(() => '1.0')}]}`,
    'white space': `{"amount"${filled(' ')}:1}`,
    'hardly a track': `{"track2":"4111111111111111=${filled(' ')}\\""}`,
    'a text that never ends': `{"pan":"${filled('4 ')}`,
    'names of cards': filled('"card_number": "4'),
  }
}

/** A sandbox with one payment, one notification and one hosted page, and their ids by the names that members have. */
async function openFull() {
  const { url, call, data, ...dashboard } = await openDashboard({ notifyUrl: 'http://127.0.0.1:9/hook' })
  const transactionId = await dashboard.sell(1000)
  const { sessionId, checkoutUrl } = await call('create-session', sale(1000))
  const { deliveries } = await data('webhooks')
  const { requests } = await data('requests')
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const web = 'http://127.0.0.1:9/'
  return {
    url,
    checkoutUrl,
    ids: { transactionId, sessionId, notification: deliveries[0].id, traceId: requests[0].traceId },
    known: {
      ...{ transactionId, originalTransactionId: transactionId, sessionId, traceId: requests[0].traceId },
      ...{ terminalSn: 'TBX-AUTO-001', priceCurrency: 'USD', card: 'visa-credit', outcome: 'approve' },
      ...{ status: 'approved', type: 'sale', amount: '10.00', kind: 'http-503', addresses: '127.0.0.0/8' },
      ...{ notifyUrl: web, terminalEventNotifyUrl: web, merchantReturnUrl: web, to: web },
    },
    send: (method: string, target: string, headers: object, text?: string) =>
      exchange(url + target, { method, headers: { ...headers }, text, agent }),
  }
}

type Full = Awaited<ReturnType<typeof openFull>>

/** Requests by where a text is in them; each is sent alone. */
type Requests = Iterable<readonly [place: string, send: () => Promise<unknown>]>

/** Sends requests, each after the other, and names those that hold the event loop. */
async function holding(requests: Requests): Promise<readonly string[]> {
  const found: string[] = []
  for (const [place, send] of requests) {
    if ((await workOf(send)) < longest) continue
    const pause = await pauseWithin(longest, send)
    if (pause >= longest) found.push(`${place}: ${Math.round(pause)} ms`)
  }
  return found
}

/** A text as a URL or a header can have it: Node refuses longer ones. */
const inUrl = (text: string) => encodeURIComponent(text).slice(0, 12_000).replace(/%.?$/, '')

const document: AnyJson = openapiDocument()

/** Rows of the tables, with what the OpenAPI document says of their requests. Those left out end the server or never end. */
const rows = Object.entries({ ...operations, ...controls })
  .filter(([name, { answer }]) => name !== 'stop' && (answer !== null || name === 'listen'))
  .map(([name, { method, path }]) => {
    const { parameters, requestBody } =
      document.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()]
    return { name, method, path, parameters, asked: requestBody?.content['application/json']?.schema }
  })

function* requestsOf(
  { send, ids, known }: Full,
  { name, method, path, parameters, asked }: (typeof rows)[number],
): Requests {
  const ofWebhooks = path.includes('webhooks')
    ? ids.notification
    : path.includes('sessions')
      ? ids.sessionId
      : ids.transactionId
  const target = path
    .replace(':sn', known.terminalSn)
    .replace(':traceId', ids.traceId)
    .replace(/:\w+/, ofWebhooks)
  const ask = (at: string, body?: string) => () => send(method, at, apiHeaders(), body)
  if (asked !== undefined) {
    const usual = sampleOf(asked, known, document)
    for (const [shape, body] of Object.entries(bodies(Object.keys(usual))))
      yield [`${name}: ${shape}`, ask(target, body)]
    for (const [place, members] of withEachOf(usual))
      yield [name + place, ask(target, JSON.stringify(members))]
  }
  for (const { in: where, name: parameter } of parameters)
    for (const [shape, text] of textsOfPlace())
      if (where === 'query')
        yield [`${name} ?${parameter}: ${shape}`, ask(`${target}?${parameter}=${inUrl(text)}`)]
      else if (where === 'path')
        yield [`${name} {${parameter}}: ${shape}`, ask(path.replace(/:\w+/, inUrl(text)))]
}

test.each(['payment API', 'control interface'])(
  'no text holds up the %s',
  async (door) => {
    const full = await openFull()
    const ofDoor = rows.filter(({ name }) => name in operations === (door === 'payment API'))
    for (const row of ofDoor) expect(await holding(requestsOf(full, row))).toEqual([])
  },
  300_000,
)

test('no header and no number of parameters holds it up', async () => {
  const { send } = await openFull()
  const names = [...Object.values(headerNames), ...Object.values(sandboxHeaders)]
  const others = ['Accept', 'Cookie', 'Origin', 'Referer', 'Traceparent', 'User-Agent', 'Last-Event-ID']
  const { path } = operations.sale
  const requests = [...names, ...others].flatMap((name) =>
    Object.entries(texts(12_000)).map(
      ([shape, text]) =>
        [`${name}: ${shape}`, () => send('POST', path, { ...apiHeaders(), [name]: text }, '{}')] as const,
    ),
  )
  const parameters = [
    filled('a=&', 15_000),
    Array.from({ length: 2_000 }, (_, index) => `${index}=`).join('&'),
  ]
  const queries = ['/', operations.query.path, controls.transactions.path, '/docs', '/mcp'].flatMap((at) =>
    parameters.map((query) => [`${at} ?…`, () => send('GET', `${at}?${query}`, apiHeaders())] as const),
  )
  expect(await holding([...requests, ...queries])).toEqual([])
})

test('no text holds up the tools of agents', async () => {
  const { url, known, send } = await openFull()
  const { tools } = await (await agentAt(url)).client.listTools()
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
  const call = (name: string, given: string) => () =>
    send(
      'POST',
      '/mcp',
      headers,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`,
    )
  const requests = tools.flatMap(({ name, inputSchema }) => {
    const usual = {
      ...sampleOf(inputSchema, known),
      ...(name === 'run_operation' && { members: sale(1000) }),
    }
    return [
      ...Object.entries(bodies(Object.keys(usual))).map(
        ([shape, body]) => [`${name}: ${shape}`, call(name, body)] as const,
      ),
      ...[...withEachOf(usual)].map(
        ([place, given]) => [name + place, call(name, JSON.stringify(given))] as const,
      ),
    ]
  })
  expect(await holding(requests)).toEqual([])
})

/** A form of a page, or the query of a link: where it leads, and its fields. */
interface Form {
  readonly method: string
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

/** Pages and forms that can be reached from the pages, one of each kind. */
async function crawl({ url, send }: Full, begin: readonly string[]): Promise<readonly Form[]> {
  const forms = new Map<string, Form>()
  const waiting: string[] = []
  const keep = (method: string, target: string, fields: Form['fields']) => {
    const { pathname, searchParams } = new URL(target, url)
    const names = method === 'GET' ? [] : Object.keys(fields) // a page has one query, and maybe several forms
    const kind = [method, pathname.replace(/\/[\w.-]*\d[\w.-]*/g, '/:id'), ...names].join(' ')
    const known = forms.get(kind)
    const all = { ...Object.fromEntries(searchParams), ...fields }
    forms.set(kind, { method, path: pathname, fields: { ...known?.fields, ...all } })
    if (method === 'GET' && known === undefined) waiting.push(pathname)
  }
  for (const target of begin) keep('GET', target, {})
  for (const target of waiting) {
    const { text } = await send('GET', target, { Accept: 'text/html' })
    const page = pageOf(text)
    for (const link of hrefsIn(page).map((href) => href.replace(/#.*/, '')))
      if (/^\/(?!(docs|_assets)\/)/.test(link) && !/\.(md|csv|json|txt)$/.test(link)) keep('GET', link, {})
    for (const form of page.querySelectorAll('form')) {
      const fields = [...form.querySelectorAll('[name]')].map((field) => [
        field.getAttribute('name') ?? '',
        field.getAttribute('value') ?? '',
      ])
      const method = form.getAttribute('method')?.toUpperCase() ?? 'GET'
      keep(method, form.getAttribute('action') ?? target, Object.fromEntries(fields))
    }
  }
  return [...forms.values()]
}

function* requestsOfForm({ url, send }: Full, { method, path, fields }: Form): Requests {
  const headers = { Origin: url, 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' }
  for (const name of Object.keys(fields))
    for (const [shape, text] of textsOfPlace()) {
      const body = `${new URLSearchParams({ ...fields, [name]: '' })}`.replace(
        new RegExp(`(^|&)${encodeURIComponent(name)}=`),
        (begin) => begin + (method === 'GET' ? inUrl(text) : encodeURIComponent(text)),
      )
      const place = `${method} ${path} ${name}: ${shape}`
      if (method === 'GET') yield [place, () => send('GET', `${path}?${body}`, headers)]
      else yield [place, () => send('POST', path, headers, body)]
    }
}

test('no text holds up the pages', async () => {
  const full = await openFull()
  const forms = await crawl(full, [
    '/',
    '/palette?q=&at=', // scripts ask for it and for the next one
    '/unread?since=',
    '/docs/sale',
    '/docs/guides/webhooks',
    '/terminals',
    '/terminal/TBX-ATTENDED-001',
    '/tokens',
    '/spaces',
    new URL(full.checkoutUrl).pathname,
  ])
  expect(forms.length).toBeGreaterThan(50)
  for (const form of forms) expect(await holding(requestsOfForm(full, form))).toEqual([])
})

test('what was sent holds up neither the log nor its pages', async () => {
  const { send } = await openFull()
  const headers = { Accept: 'text/html' }
  const sent = [...Object.values(texts()), ...Object.values(bodies(['amount']))]
  const logged = await Promise.all(
    sent.map(async (text) => {
      const { text: answer } = await send('POST', operations.sale.path, apiHeaders(), text)
      return (JSON.parse(answer) as AnyJson).traceId as string
    }),
  )
  const looks = logged.flatMap((traceId) => [
    ['page of a request', () => send('GET', `/requests/${traceId}`, headers)] as const,
    ['a request', () => send('GET', controls.request.path.replace(':traceId', traceId), {})] as const,
  ])
  const lists = [controls.requests.path, '/requests', '/requests?q=pan'].map(
    (path) => [path, () => send('GET', path, headers)] as const,
  )
  expect(await holding([...looks, ...lists])).toEqual([])
})

test('no webhook holds up its receiver', async () => {
  const receiver = startCommand('webhook receive --json --secret a-secret-of-the-test')
  await receiver.until(/\n/)
  const { url } = JSON.parse(receiver.output().stdout.split('\n', 1)[0] as string)
  const post = (headers: object, text: string) => () =>
    exchange(url, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, text })
  const inBody = Object.entries({ ...texts(), ...bodies(['amount']) }).map(
    ([shape, text]) => [`body: ${shape}`, post({}, text)] as const,
  )
  const inHeaders = ['X-Signature', 'X-Timestamp', 'webhook-signature', 'X-Client-Request-Id'].flatMap(
    (name) =>
      Object.entries(texts(12_000)).map(
        ([shape, text]) => [`${name}: ${shape}`, post({ [name]: text }, '{}')] as const,
      ),
  )
  expect(await holding([...inBody, ...inHeaders])).toEqual([])
})
