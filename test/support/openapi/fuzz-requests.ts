import * as fc from 'fast-check'
import { type ControlName, controls } from '../../../src/contract/control/controls/controls.ts'
import { type OperationName, operationNames, operations } from '../../../src/contract/operations.ts'
import type { Random } from '../load/random.ts'
import { newId } from '../service/new-id.ts'
import { memberNames, oddHeaders, oddJson } from '../service/odd.ts'
import { apiHeaders } from '../service/service.ts'

/** A request on its way to a socket. */
export interface WireRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Odd values are made once and drawn many times: making them takes longer than sending them. */
const poolSize = 3_000

/** The OpenAPI document has no envelope; streams never end by themselves; keys and tokens would lock the test out. */
const left = [
  'openapi',
  'events',
  'terminal-events',
  'request-events',
  'regenerate-key',
  'set-allow-list',
  'reset',
  'set-clock',
]
const requestedControls = (Object.keys(controls) as ControlName[]).filter((name) => !left.includes(name))
const pages = [
  '/',
  '/batches',
  '/webhooks',
  '/requests',
  '/terminal/TBX-AUTO-001',
  '/checkout/cs_1',
  '/transactions/1',
]
const streams = ['/_sandbox/events', '/_sandbox/requests/events', '/_sandbox/terminals/TBX-AUTO-001/events']
const serials = [
  'TBX-AUTO-001',
  'TBX-ATTENDED-001',
  'TBX-OFFLINE-001',
  '__proto__',
  '%00',
  'NONE',
  '%E0%A4%A',
]

/** Makes requests of every kind, with odd things in them. The same seed makes the same. */
export class FuzzRequests {
  /** Transactions and sessions that answers named. */
  readonly ids: string[] = ['1']
  readonly #random: Random
  readonly #values: readonly string[]
  readonly #objects: readonly string[]
  readonly #headers: readonly Partial<Record<string, string>>[]

  constructor(random: Random) {
    this.#random = random
    const pool = <T>(arbitrary: fc.Arbitrary<T>, size = poolSize): T[] =>
      fc.sample(arbitrary, { numRuns: size, seed: random.whole(2 ** 31) })
    this.#values = pool(oddJson.value)
    this.#objects = pool(oddJson.object)
    this.#headers = pool(oddHeaders)
  }

  /** A right operation with some members replaced, or anything in place of its body. */
  operation(): WireRequest {
    const random = this.#random
    const name = random.pick(operationNames)
    const { method, path } = operations[name]
    if (method === 'GET') return this.#with(method, `${path}?${this.#query()}`, '')
    const body = random.happens(0.15) ? random.pick(this.#objects) : this.#nearlyRight(name)
    return this.#with(method, path, body)
  }

  /** The control interface with odd paths, members and queries. */
  control(): WireRequest {
    const random = this.#random
    const { method, path } = controls[random.pick(requestedControls)]
    const target = path
      .replace(':sn', random.pick(serials))
      .replace(
        /:id|:traceId/,
        random.happens(0.7) ? random.pick(this.ids) : encode(random.pick(this.#values)),
      )
    if (method === 'GET')
      return this.#with(method, random.happens(0.5) ? `${target}?${this.#query()}` : target, '')
    return this.#with(method, target, random.happens(0.5) ? random.pick(this.#objects) : this.#controlBody())
  }

  /** A page, as a browser or anybody else asks for it. */
  page(): WireRequest {
    const target = this.#random.pick(pages)
    const request = this.#with('GET', this.#random.happens(0.6) ? `${target}?${this.#query()}` : target, '')
    return { ...request, headers: { ...request.headers, Accept: 'text/html' } }
  }

  /** An event stream from any place. */
  stream(): WireRequest {
    const random = this.#random
    const lastEventId = random.pick([
      '0',
      random.pick(this.ids),
      'x',
      printable(random.pick(this.#values)).slice(0, 100),
    ])
    const request = this.#with('GET', random.pick(streams), '')
    return {
      ...request,
      headers: { ...request.headers, ...(random.happens(0.6) && { 'Last-Event-ID': lastEventId }) },
    }
  }

  /** The bytes of a request, and of what may follow it, with bytes changed, cut out, doubled and put in. */
  mutated(host: string): Buffer {
    const random = this.#random
    const count = random.between(1, 3)
    const requests = Array.from({ length: count }, () => {
      const request = random.happens(0.7) ? this.operation() : this.control()
      return random.happens(0.3) ? chunked(request, host, random) : wireBytes(request, host)
    })
    let bytes: Buffer = Buffer.concat(requests)
    for (let changes = random.between(1, 6); changes > 0; changes--) bytes = mutate(bytes, random)
    return bytes
  }

  #nearlyRight(name: OperationName): string {
    const random = this.#random
    const members = new Map<string, string>([
      ['transactionRequestId', JSON.stringify(newId())],
      ['amount', String(random.between(1, 5000))],
      ['priceCurrency', '"USD"'],
    ])
    const opens = ['sale', 'auth', 'forced-auth', 'create-session', 'direct-payment'].includes(name)
    if (opens) members.set('referenceOrderId', JSON.stringify(newId('ORDER')))
    else members.set('originalTransactionId', JSON.stringify(random.pick(this.ids)))
    if (name === 'tip-adjust') members.set('tipAmount', '7')
    if (name === 'expire-session') members.set('sessionId', JSON.stringify(random.pick(this.ids)))
    for (let changes = random.whole(4); changes > 0; changes--)
      members.set(random.pick(memberNames), random.pick(this.#values))
    return `{${[...members].map(([member, value]) => `${JSON.stringify(member)}:${value}`).join(',')}}`
  }

  #controlBody(): string {
    const random = this.#random
    const names = [
      'mode',
      'pace',
      'outcome',
      'times',
      'card',
      'tipPercent',
      'entry',
      'tipAmount',
      'online',
      'to',
    ]
    const good = ['"auto"', '"attended"', '"approve"', '"visa-chip-pin"', '"tap"', 'true', 'false', '3', '0']
    const value = () => (random.happens(0.7) ? random.pick(good) : random.pick(this.#values))
    return `{${Array.from({ length: random.whole(4) }, () => `"${random.pick(names)}":${value()}`).join(',')}}`
  }

  #query(): string {
    const random = this.#random
    const names = [...memberNames, 'limit', 'status', 'operation', 'since', 'state', 'page', 'q', 'attempts']
    const value = () =>
      random.pick(['1', '20', random.pick(this.ids), random.pick(this.#values).slice(0, 300)])
    const members = Array.from({ length: random.whole(3) }, () => `${random.pick(names)}=${encode(value())}`)
    return members.join('&')
  }

  #with(method: string, target: string, body: string): WireRequest {
    const odd = this.#random.happens(0.1) ? this.#random.pick(this.#headers) : {}
    const { 'Content-Length': _, Host: host, ...others } = odd
    const written = Object.entries({ ...others, ...(host && this.#random.happens(0.5) && { Host: host }) })
    return {
      method,
      target,
      headers: {
        ...apiHeaders(),
        ...Object.fromEntries(written.map(([name, value]) => [name, printable(value ?? '')])),
      },
      body,
    }
  }
}

/** Without what would end a header. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e\x80-\xff]/g, '?')

const encode = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).slice(0, 2_000)

/** A request as it goes over the wire. */
export function wireBytes({ method, target, headers: given, body }: WireRequest, host: string): Buffer {
  const content = Buffer.from(body)
  const lines = Object.entries({ Host: host, ...given }).map(([name, value]) => `${name}: ${value}`)
  const length = method === 'GET' ? [] : [`Content-Length: ${content.length}`]
  const head = [`${method} ${target} HTTP/1.1`, ...lines, ...length, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head, 'latin1'), content])
}

/** The same in chunks, some of which are odd. */
function chunked(
  { method, target, headers: given, body }: WireRequest,
  host: string,
  random: Random,
): Buffer {
  const lines = Object.entries({ Host: host, ...given }).map(([name, value]) => `${name}: ${value}`)
  const head = [`${method} ${target} HTTP/1.1`, ...lines, 'Transfer-Encoding: chunked', '', ''].join('\r\n')
  const size = (length: number) =>
    random.happens(0.8) ? length.toString(16) : random.pick(['-1', 'x', 'fffffffff', '0x5', '1;a=b', ''])
  const half = body.slice(0, body.length / 2)
  const parts = [half, body.slice(half.length), ''].map(
    (part) => `${size(Buffer.byteLength(part))}\r\n${part}\r\n`,
  )
  return Buffer.from(head + parts.join(''), 'latin1')
}

const hard = [
  '\r\n',
  '\n',
  '\0',
  '\r',
  ' ',
  ':',
  '\t',
  '\x7f',
  '\xff',
  '%00',
  '//',
  '..',
  'Transfer-Encoding: chunked\r\n',
]
const methods = ['HEAD', 'OPTIONS', 'CONNECT', 'TRACE', 'PUT', 'DELETE', 'get', 'PRI', 'M-SEARCH']

function mutate(bytes: Buffer, random: Random): Buffer {
  const offset = random.whole(bytes.length + 1)
  const length = random.whole(Math.min(40, bytes.length - offset) + 1)
  const [before, rest] = [bytes.subarray(0, offset), bytes.subarray(offset)]
  switch (random.whole(7)) {
    case 0:
      return Buffer.concat([before, Buffer.from([random.whole(256)]), rest.subarray(1)])
    case 1:
      return Buffer.concat([before, rest.subarray(length)])
    case 2:
      return Buffer.concat([before, rest.subarray(0, length), rest])
    case 3:
      return Buffer.concat([before, Buffer.from(random.pick(hard), 'latin1'), rest])
    case 4:
      return Buffer.concat([
        Buffer.from(random.pick(methods)),
        bytes.subarray(Math.max(0, bytes.indexOf(' '))),
      ])
    case 5:
      return Buffer.from(
        bytes.toString('latin1').replace(/Content-Length: \d+/, `Content-Length: ${random.whole(3000)}`),
        'latin1',
      )
    default:
      return before.length > 0 ? before : bytes
  }
}
