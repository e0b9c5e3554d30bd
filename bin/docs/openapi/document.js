// The OpenAPI document of the service, the control interface and the webhooks: requests from the tables of src/contract,
// answers from their schemas there.
import { evidenceOf } from '../evidence.js'
import { isOptional } from '../schema.js'
import { exampleOf } from './examples.js'
import { codesOf } from './refusals.js'
import { having, requestSchema } from './requests.js'

const json = 'application/json'
const reference = (kind, name) => ({ $ref: `#/components/${kind}/${name}` })

/** Tags, in the order of the document: which paths are theirs, and what they are about. */
const tags = [
  ['In person', /^\/v1\/semi-integration\//, 'Payments on a terminal, and their follow-ups.'],
  ['Online', /^\/v1\/checkout\//, 'Hosted payment pages and digital wallets.'],
  ['Transactions', /^\/v1\/transaction\//, 'Look-ups of transactions.'],
  ['Settlement', /^\/v1\/settlement\//, 'Batches: list, close and settle them.'],
  ['Merchants', /^\/v1\/merchant\//, 'The merchant and its terminals.'],
  ['Sandbox terminals', /^\/_sandbox\/terminals/, 'Act at a terminal, change its settings, pair it.'],
  ['Sandbox payments', /^\/_sandbox\/(transactions|sessions)/, 'Transactions and checkout sessions.'],
  [
    'Sandbox webhooks',
    /^\/_sandbox\/(webhook|listeners|events)/,
    'Notifications, their deliveries, and listeners.',
  ],
  ['Sandbox faults', /^\/_sandbox\/faults/, 'Faults that are injected into answers and webhooks.'],
  [
    'Sandbox access',
    /^\/_sandbox\/(keys|allow-list|merchants|tokens|spaces|audit)/,
    'Keys, addresses that may call, merchants, tokens, spaces, and the audit log.',
  ],
  ['Sandbox state', /^\/_sandbox\//, 'Clock, snapshots, request log, and the state as a whole.'],
]

function tagOf(path) {
  const tag = tags.find(([, pattern]) => pattern.test(path))
  if (tag === undefined)
    throw new Error(`bin/docs/openapi/document.js has no tag for ${path}: add a row to its tags`)
  return tag[0]
}

/** What operations with a stream or a file send. */
const streamed = {
  export: [
    json,
    'The whole state: an array with one record a line',
    { type: 'array', items: { type: 'object' } },
  ],
  openapi: [json, 'The OpenAPI document'],
}

/** The document. `wire`: the schemas of what is answered. */
export function openapiDocument(contract, wire, { version, license }) {
  const { operations, controls, errorTable, terminalEvents, beginsOrder } = contract
  const evidence = evidenceOf(contract)
  const services = Object.entries(operations).map(([name, row]) => ({ ...row, name, isControl: false }))
  const own = Object.entries(controls).map(([name, row]) => ({ ...row, name, isControl: true }))
  const paths = {}
  for (const row of [...services, ...own]) {
    const path = row.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operationOf(row) }
    if (row.otherMethod !== undefined)
      paths[path][row.otherMethod.toLowerCase()] = operationOf({
        ...row,
        method: row.otherMethod,
        id: `${row.name}-${row.otherMethod.toLowerCase()}`,
      })
  }
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'tillbox',
      version,
      summary: 'A payment service, and the control interface of its sandbox',
      description:
        'Paths below `/v1` are the payment service; those below `/_sandbox` only a sandbox has. Amounts are in minor units. ' +
        'A member of a request that is `null` counts as left out; unknown members are ignored unless the sandbox is strict. ' +
        'A refused business rule answers HTTP 200 with a code other than `"0"`; a sandbox that was started with `httpStatus: rest` answers it with the status of the code. ' +
        'A code of `"0"` says that a request was accepted, not that it was paid.',
      license: { name: license, identifier: license },
    },
    servers: [
      { url: 'http://127.0.0.1:8455', description: 'A sandbox on this machine, by its default port' },
    ],
    tags: tags.map(([name, , description]) => ({ name, description })),
    paths,
    webhooks: webhooksOf(terminalEvents),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'The API key of the application.' },
        sandboxToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Sandbox-Token',
          description: 'The token of a sandbox that was started with `--token`; others want none.',
        },
      },
      parameters: headerParameters,
      headers: answerHeaders,
      responses: {
        Injected: {
          description: 'An injected fault with a status of its own',
          content: { [json]: { schema: refusal(['SBX_INJECTED']) } },
        },
      },
      schemas: wire.defs,
    },
  }
  for (const name of ['SpecRecord', 'PlainRecord', 'SdkRecord'])
    addEvidence('record', Object.entries(wire.defs[name].properties))
  return shared(referring(document))

  /** Says in the descriptions of members how each is known. */
  function addEvidence(rows, members) {
    for (const [name, member] of members) {
      const known = evidence(rows, name)
      if (known !== '') member.description = [member.description, `[${known}]`].filter(Boolean).join(' ')
    }
  }

  function operationOf(row) {
    const { id = row.name, summary, isControl } = row
    const [query, names] = [row.method === 'GET' || row.body === 'file', pathNames(row.path)]
    const { entries } = row.input
    const example = exampleOf(row, beginsOrder)
    const hasBody = row.method !== 'GET' && (row.body === 'file' || Object.keys(entries).length > 0)
    const inQuery = query ? Object.entries(entries).map((entry) => queryParameter(entry, example)) : []
    const requestBody = hasBody ? bodyOf(row, example) : undefined
    if (!isControl) {
      addEvidence('fields', Object.entries(requestBody?.content[json].schema.properties ?? {}))
      addEvidence(
        'fields',
        inQuery.map((each) => [each.name, each]),
      )
    }
    return {
      operationId: id,
      summary,
      ...(!isControl && { description: aboutService(row) }),
      tags: [tagOf(row.path)],
      security: isControl ? [{}, { sandboxToken: [] }] : [{ apiKey: [] }],
      parameters: [
        ...names.map((each) => pathParameter(each, example)),
        ...inQuery,
        ...(isControl ? [] : Object.keys(headerParameters).map((each) => reference('parameters', each))),
      ],
      ...(hasBody && { requestBody }),
      responses: responsesOf(row),
      'x-example': { after: example.after ?? [], from: example.from ?? {} },
    }
  }

  function responsesOf(row) {
    const codes = codesOf(row, contract)
    const isStream = row.answer === null
    const business = isStream ? [] : codes.filter((code) => errorTable[code].kind === 'business')
    const byStatus = groupedBy(codes, (code) => errorTable[code].status)
    return {
      200: isStream ? streamOf(row) : answerOf(row, business),
      ...Object.fromEntries(
        [...byStatus].map(([status, some]) => [
          status,
          refusedWith(row.isControl ? some : withInjected(some)),
        ]),
      ),
      ...(!row.isControl && { default: reference('responses', 'Injected') }),
    }
  }

  function answerOf({ name, isControl }, business) {
    const accepted = {
      title: 'Accepted',
      type: 'object',
      properties: {
        code: { const: '0', description: 'Accepted' },
        msg: { type: 'string' },
        traceId: { type: 'string' },
        data: isControl ? wire.control[name] : wire.service[name],
      },
      required: ['code', 'msg', 'traceId', 'data'],
    }
    return {
      description: `Accepted; or refused: ${business.join(', ')}`,
      ...(!isControl && { headers: referredHeaders }),
      content: { [json]: { schema: { oneOf: [accepted, refusal(business)] } } },
    }
  }

  function webhooksOf(events) {
    return {
      'payment-result': {
        post: webhookOf('payment-result', {
          summary: 'Result of a transaction, sent to its notifyUrl',
          description:
            'Sent once the transaction is final. Only HTTP 200 acknowledges it; it is retried otherwise, with the same X-Client-Request-Id.',
        }),
      },
      'terminal-event': {
        post: webhookOf('terminal-event', {
          summary: 'What a terminal does, sent to terminalEventNotifyUrl',
          description: `Events in this order, of which only those that happen are sent: ${events.join(', ')}.`,
        }),
      },
    }
  }

  function webhookOf(name, texts) {
    return {
      operationId: name,
      ...texts,
      tags: ['Sandbox webhooks'],
      security: [],
      parameters: webhookHeaders,
      requestBody: {
        required: true,
        content: { [`${json}; charset=utf-8`]: { schema: wire.webhooks[name] } },
      },
      responses: {
        200: { description: 'Acknowledged' },
        default: { description: 'Not acknowledged, whatever the status: it is sent again' },
      },
    }
  }
}

const streamOf = ({ name }) => {
  const [type, description, schema = { type: type === json ? 'object' : 'string' }] = streamed[name] ?? [
    'text/event-stream',
    'Server-sent events, until the client leaves',
  ]
  return { description, content: { [type]: { schema } } }
}

const processed = {
  terminal: 'Processed on a terminal.',
  configurable: 'Processed on a terminal, or in the cloud with `pushToTerminal: false`.',
  cloud: 'Processed in the cloud.',
}

const aboutService = ({ number, runs, command, forbids }) =>
  [
    processed[runs],
    `As a command: \`tillbox ${command}\`.`,
    ...(forbids === undefined ? [] : [`Refuses ${forbids.map((name) => `\`${name}\``).join(', ')}.`]),
    number === null ? '[public: sdk-operations]' : '[specification: operations]',
  ].join(' ')

const refusal = (codes) => ({
  title: 'Refused',
  allOf: [reference('schemas', 'RefusedEnvelope'), { properties: { code: { enum: codes } } }],
})

/** A fault can be injected with any status. */
const withInjected = (codes) => [...new Set([...codes, 'SBX_INJECTED'])]

const refusedWith = (codes) => ({
  description: `Refused: ${codes.join(', ')}`,
  content: { [json]: { schema: refusal(codes) } },
})

const pathNames = (path) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)

const pathParameter = (name, { names = {} }) => ({
  name,
  in: 'path',
  required: true,
  ...(name === 'sn' && { description: 'Serial number of the terminal' }),
  schema: { type: 'string' },
  example: names[name],
})

function queryParameter([name, field], { members = {} }) {
  const { description, ...schema } = requestSchema(field)
  return {
    name,
    in: 'query',
    required: !isOptional(field),
    ...(description !== undefined && { description }),
    schema,
    ...(name in members && { example: members[name] }),
  }
}

/** Members of which a request names one: its original, else the order of a refund without reference; or a session. */
function oneOfNamed(entries) {
  const names =
    'sessionId' in entries
      ? ['sessionId', 'transactionRequestId']
      : ['originalTransactionId', 'originalTransactionRequestId', 'referenceOrderId']
  if (!(names[0] in entries)) return {}
  return { anyOf: names.filter((name) => name in entries).map(having) }
}

function bodyOf({ input: { entries }, body, forbids = [] }, { members = {} }) {
  if (body === 'file')
    return {
      required: true,
      description: 'A file of `export`, or of `tillbox sandbox export`',
      content: { 'application/octet-stream': { schema: { type: 'string' } } }, // as it is, line by line
    }
  const required = Object.keys(entries).filter((name) => !isOptional(entries[name]))
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(entries).map(([name, field]) => [name, requestSchema(field)]),
    ),
    ...(required.length > 0 && { required }),
    ...oneOfNamed(entries),
    ...(forbids.length > 0 && { not: having(forbids[0]) }),
  }
  return { required: required.length > 0, content: { [json]: { schema, example: members } } }
}

const text = (more = {}) => ({ type: 'string', ...more })

/** Headers of every request to the service. */
const headerParameters = {
  'X-Client-Request-Id': {
    name: 'X-Client-Request-Id',
    in: 'header',
    required: true,
    description: 'A new UUID with each request; a POST must not repeat one within 10 minutes',
    schema: text({ minLength: 1, maxLength: 64 }),
  },
  'X-Timestamp': {
    name: 'X-Timestamp',
    in: 'header',
    required: true,
    description: 'Unix time in milliseconds, at most 10 minutes from the time of the service',
    schema: text({ pattern: '^[0-9]{13}$' }),
  },
  'X-Sandbox-Outcome': {
    name: 'X-Sandbox-Outcome',
    in: 'header',
    description: 'Sandbox alone: the outcome of this transaction, by name',
    schema: text(),
  },
  'X-Sandbox-Fault': {
    name: 'X-Sandbox-Fault',
    in: 'header',
    description: 'Sandbox alone: a fault to inject into the answer, such as `lost-answer`',
    schema: text(),
  },
}

/** Headers of answers of the service. */
const answerHeaders = {
  'X-Sandbox-Replayed': {
    description: 'Sandbox alone: `true` when a duplicate is answered as the first time',
    schema: text(),
  },
  'X-Sandbox-Note': {
    description: 'Sandbox alone: what was taken otherwise than one may think',
    schema: text(),
  },
}

const referredHeaders = Object.fromEntries(
  Object.keys(answerHeaders).map((name) => [name, reference('headers', name)]),
)

const webhookHeaders = [
  ['X-Client-Request-Id', true, 'Id of the notification, the same on every retry', text({ format: 'uuid' })],
  ['User-Agent', true, 'Marks a notification: a sandbox acts on none', { const: 'tillbox-webhook' }],
  ['X-Timestamp', true, 'Unix time of the attempt, in milliseconds', text({ pattern: '^[0-9]{13}$' })],
  [
    'X-Signature',
    false,
    'HMAC-SHA256 of the body byte for byte, by the webhook secret, in hex; in base64 with `signatureEncoding: base64`. Absent with other signatures',
    text(),
  ],
  [
    'X-Sandbox-Previous-Signature',
    false,
    'The same by the secret before the last rotation, while that is valid',
    text(),
  ],
  ['webhook-id', false, 'Standard Webhooks: id of the notification', text()],
  ['webhook-timestamp', false, 'Standard Webhooks: Unix time in seconds', text()],
  [
    'webhook-signature',
    false,
    'Standard Webhooks: `v1,` and the signature in base64, one for each secret',
    text(),
  ],
].map(([name, required, description, schema]) => ({ name, in: 'header', required, description, schema }))

/** Gives a name to what would be repeated: members of requests that are long, and refusals that operations share. */
function shared(document) {
  const { schemas, responses } = document.components
  const operations = Object.values(document.paths).flatMap((each) => Object.values(each))
  for (const { requestBody } of operations) {
    const content = requestBody?.content[json]
    if (content !== undefined) content.schema = hoisted(content.schema)
  }
  const counts = new Map()
  const refusals = operations.flatMap((each) => Object.entries(each.responses))
  for (const [, response] of refusals)
    counts.set(JSON.stringify(response), (counts.get(JSON.stringify(response)) ?? 0) + 1)
  for (const operation of operations)
    for (const [status, response] of Object.entries(operation.responses))
      if (status >= '400' && status < '600' && counts.get(JSON.stringify(response)) > 1)
        operation.responses[status] = reference('responses', nameIn(responses, `Refused${status}`, response))
  return document

  function hoisted(schema) {
    if (Array.isArray(schema)) return schema.map(hoisted)
    if (typeof schema !== 'object' || schema === null) return schema
    const { properties, ...rest } = schema
    const inner = Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, hoisted(each)]))
    if (properties === undefined) return inner
    return {
      ...inner,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, named(name, hoisted(each))]),
      ),
    }
  }

  function named(member, schema) {
    if (JSON.stringify(schema).length < longest) return schema
    const name = `${member.charAt(0).toUpperCase()}${member.slice(1)}Member`
    return reference('schemas', nameIn(schemas, name, schema))
  }
}

/** Characters of a member that stays where it is. */
const longest = 400

/** The name by which a value is kept: another value of that name gets a number. */
function nameIn(entries, name, value, count = 1) {
  const numbered = count === 1 ? name : `${name}_${count}`
  if (entries[numbered] !== undefined && JSON.stringify(entries[numbered]) !== JSON.stringify(value))
    return nameIn(entries, name, value, count + 1)
  entries[numbered] = value
  return numbered
}

/** References to named schemas as OpenAPI has them; objects are open, as clients must let pass what they do not know. */
function referring(value) {
  if (Array.isArray(value)) return value.map(referring)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, each]) => !(name === 'additionalProperties' && each === false))
      .map(([name, each]) => [
        name,
        name === '$ref' ? each.replace('#/$defs/', '#/components/schemas/') : referring(each),
      ]),
  )
}

/** Entries by what `keyOf` says of them: Node 20 has no Map.groupBy. */
function groupedBy(entries, keyOf) {
  const groups = new Map()
  for (const entry of entries) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry])
  return groups
}
