// Other servers that people test against, and how each is started: on loopback, on a port that is given, quiet, offline.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** So many tokens of emulate are taken in turns, because it refuses a token after 5,000 requests. */
const tokens = Array.from({ length: 500 }, (_, slot) => `bench-${slot}`)

/** Makes emulate listen on loopback alone: this version has no option for it. */
const onLoopback = fileURLToPath(new URL('on-loopback.cjs', import.meta.url))

/**
 * A row for each: the package with the version that is compared, its `entry`, what it is `run` with (`node`, `java`), its
 * `files` (from the record that is read, and what a write is answered with), its `args` (from port and folder), the requests, and what it does. `created`
 * makes the request for the record that a write before it made.
 */
export const peers = [
  {
    name: 'json-server',
    spec: 'json-server@0.17.4',
    entry: 'lib/cli/bin.js',
    files: (record) => ({ 'db.json': JSON.stringify({ payments: [record] }) }),
    args: ({ port }) => ['--host', '127.0.0.1', '--port', port, '--quiet', 'db.json'],
    does: 'stores any record and writes its whole file again each time, after the answer and without fdatasync; checks nothing',
    ...records(),
  },
  {
    name: 'emulate',
    spec: 'emulate@0.11.2',
    entry: 'dist/index.js',
    nodeArgs: ['--require', onLoopback],
    files: () => ({
      'seed.json': JSON.stringify({
        tokens: Object.fromEntries(tokens.map((token) => [token, { login: 'admin' }])),
      }),
    }),
    args: ({ port }) => ['start', '--service', 'stripe', '--port', port, '--seed', 'seed.json'],
    does: 'its Stripe service: payment intents with some rules, in memory alone; an answer has a quarter of the bytes',
    headers: { Authorization: 'Bearer bench-{slot}' },
    ready: '/v1/payment_intents',
    write: {
      method: 'POST',
      path: '/v1/payment_intents',
      body: '{"amount":{amount},"currency":"usd","description":"Coffee and cake","metadata":{"order":"ORDER-{index}","request":"{unique}","terminal":"TBX-AUTO-001"}}',
    },
    wrote: 'HTTP/1.1 200',
    created: ({ id }) => ({ method: 'GET', path: `/v1/payment_intents/${id}` }),
  },
  {
    name: 'Mockoon',
    spec: '@mockoon/cli@9.9.0',
    entry: 'bin/run.js',
    files: (record) => ({ 'mockoon.json': JSON.stringify(mockoonEnvironment(record)) }),
    args: ({ port }) =>
      [
        'start',
        '--data',
        'mockoon.json',
        '--hostname',
        '127.0.0.1',
        '--port',
        port,
        '--disable-log-to-file',
      ].concat('--disable-admin-api'),
    does: 'a data bucket: stores any record in memory alone; checks nothing',
    ...records(),
  },
  {
    name: 'Prism',
    spec: '@stoplight/prism-cli@5.14.2',
    entry: 'dist/index.js',
    files: (record, accepted) => ({ 'openapi.json': JSON.stringify(openApiDocument(record, accepted)) }),
    args: ({ port }) => ['mock', '--host', '127.0.0.1', '--port', port, '-v', 'silent', 'openapi.json'],
    does: 'answers the example of an OpenAPI document and checks the request against its schema; stores nothing',
    ...records(),
  },
  {
    name: 'WireMock',
    spec: 'wiremock@3.13.2',
    entry: 'build/wiremock-standalone-3.13.2.jar',
    run: 'java',
    files: (record, accepted) => ({
      'mappings/payments.json': JSON.stringify(wireMockMappings(record, accepted)),
    }),
    args: ({ port }) => [
      ...['--bind-address', '127.0.0.1', '--port', port, '--root-dir', '.', '--disable-banner'],
      ...['--max-request-journal-entries', '1000'],
    ],
    does: 'answers fixed stubs on several threads, keeps the last 1,000 requests (as tillbox does); stores nothing',
    ...records(),
  },
]

/** Requests of a server that stores records of any kind. */
function records() {
  return {
    ready: '/payments/1',
    read: { method: 'GET', path: '/payments/1' },
    write: {
      method: 'POST',
      path: '/payments',
      body: '{"referenceOrderId":"ORDER-{index}","transactionRequestId":"{unique}","amount":{"orderAmount":{amount},"priceCurrency":"USD"},"description":"Coffee and cake","terminalSn":"TBX-AUTO-001"}',
    },
    wrote: 'HTTP/1.1 201',
  }
}

/** What is missing for a peer in a folder, in words; undefined when it can run. */
export function missingOf({ spec, entry, run }, folder) {
  if (!existsSync(entryOf(spec, entry, folder))) return `it is not in ${folder}`
  if (run !== undefined && spawnSync(run, ['-version']).error !== undefined)
    return `there is no ${run} on the PATH`
  const { version } = JSON.parse(readFileSync(entryOf(spec, 'package.json', folder), 'utf8'))
  return spec.endsWith(`@${version}`) ? undefined : `${version} is in ${folder}`
}

/** Program and arguments of a peer. */
export function commandOf({ spec, entry, run, nodeArgs = [], args }, folder, port) {
  const own = [entryOf(spec, entry, folder), ...args({ port: String(port) })]
  return run === 'java' ? ['java', '-jar', ...own] : [process.execPath, ...nodeArgs, ...own]
}

/** The command that installs peers; none of their scripts runs. */
export const installCommand = (folder, specs) =>
  `npm install --prefix ${folder} --ignore-scripts --no-audit --no-fund ${specs.join(' ')}`

const entryOf = (spec, entry, folder) =>
  join(folder, 'node_modules', spec.slice(0, spec.lastIndexOf('@')), entry)

/** A Mockoon environment with one data bucket and its routes. */
function mockoonEnvironment(record) {
  const response = {
    uuid: '33333333-3333-4333-8333-333333333333',
    statusCode: 200,
    bodyType: 'DATABUCKET',
    databucketID: 'pays',
    crudKey: 'id',
    default: true,
    body: '{}',
    latency: 0,
    label: '',
    headers: [],
    filePath: '',
    sendFileAsBody: false,
    rules: [],
    rulesOperator: 'OR',
    disableTemplating: false,
    fallbackTo404: false,
    callbacks: [],
  }
  const route = {
    uuid: '22222222-2222-4222-8222-222222222222',
    type: 'crud',
    documentation: '',
    method: '',
    endpoint: 'payments',
    responses: [response],
    responseMode: null,
    streamingMode: null,
    streamingInterval: 0,
  }
  const bucket = { id: 'pays', name: 'payments', documentation: '', value: JSON.stringify([record]) }
  return {
    uuid: '11111111-1111-4111-8111-111111111111',
    lastMigration: 33,
    name: 'payments',
    endpointPrefix: '',
    latency: 0,
    port: 0,
    hostname: '127.0.0.1',
    folders: [],
    routes: [route],
    rootChildren: [{ type: 'route', uuid: route.uuid }],
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    tlsOptions: {
      enabled: false,
      type: 'CERT',
      pfxPath: '',
      certPath: '',
      keyPath: '',
      caPath: '',
      passphrase: '',
    },
    cors: false,
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [{ uuid: '44444444-4444-4444-8444-444444444444', ...bucket }],
    callbacks: [],
  }
}

/** An OpenAPI document whose examples are these. */
function openApiDocument(record, accepted) {
  const text = { type: 'string' }
  const answer = (example) => ({ description: 'the payment', content: { 'application/json': { example } } })
  const schema = {
    type: 'object',
    required: ['referenceOrderId', 'transactionRequestId', 'amount'],
    properties: {
      referenceOrderId: text,
      transactionRequestId: text,
      amount: {
        type: 'object',
        required: ['orderAmount', 'priceCurrency'],
        properties: { orderAmount: { type: 'integer' }, priceCurrency: text },
      },
      description: text,
      terminalSn: text,
    },
  }
  const id = { name: 'id', in: 'path', required: true, schema: text }
  return {
    openapi: '3.0.3',
    info: { title: 'payments', version: '1' },
    paths: {
      '/payments/{id}': { get: { parameters: [id], responses: { 200: answer(record) } } },
      '/payments': {
        post: {
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { 201: answer(accepted) },
        },
      },
    },
  }
}

function wireMockMappings(record, accepted) {
  const headers = { 'Content-Type': 'application/json' }
  return {
    mappings: [
      {
        request: { method: 'GET', urlPath: '/payments/1' },
        response: { status: 200, headers, jsonBody: record },
      },
      {
        request: {
          method: 'POST',
          urlPath: '/payments',
          bodyPatterns: [{ matchesJsonPath: '$.transactionRequestId' }],
        },
        response: { status: 201, headers, jsonBody: accepted },
      },
    ],
  }
}
