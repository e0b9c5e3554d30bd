import { control } from '../../client/client.ts'
import { send } from '../../client/http.ts'
import { asText, decoded } from '../../client/tolerant.ts'
import { hiddenMark } from '../../contract/control/request-log-answers.ts'
import { connectionHeaders, headerNames } from '../../contract/headers.ts'
import { operationRow } from '../../contract/operations.ts'
import { isFinal, parseStatus } from '../../contract/statuses.ts'
import type { Members } from '../../contract/validate.ts'
import { isObject } from '../../shared/is-object.ts'
import { parseJson } from '../../shared/read-or.ts'
import { wallTime } from '../../shared/timers.ts'
import type { Answer, RecordedExchange } from './archive.ts'
import { type Difference, differences, isAccepted, type References, refusalIn } from './compare.ts'
import { isSecret } from './values.ts'

/** A sandbox that nothing was done with yet, and whom to act as. */
export interface FreshSandbox {
  readonly url: string
  readonly apiKey: string
  readonly appId: string
  readonly merchantId: string
  readonly terminalSn: string
}

/** What became of a recorded exchange: what differs, or why it was not compared. */
export interface ComparedExchange {
  /** Its operation; without one the method and the path. */
  readonly operation: string
  readonly at: number
  /** The code with which the sandbox refused an operation; undefined where it did not. */
  readonly refusal: string | undefined
  readonly differences: readonly Difference[]
  readonly leftOut: string | null
}

/** Options of the sandbox: no member or header of its own, and every terminal of the recording. */
export const driftOptions = {
  likeProduction: true,
  terminals: 'open',
  appIds: 'any',
  requestIds: 'any',
} as const

/** Sends recorded requests to a fresh sandbox, in their order, and compares what it answers. */
export async function drift(
  exchanges: readonly RecordedExchange[],
  sandbox: FreshSandbox,
): Promise<ComparedExchange[]> {
  const references: References = new Map()
  const results = resultsIn(exchanges)
  const existing = idsThere(exchanges)
  const compared: ComparedExchange[] = []
  // a recording may name a server of this machine, which knows nothing of these payments
  await control({ baseUrl: sandbox.url }, 'hold-webhooks', { hold: true })
  for (const [index, exchange] of exchanges.entries()) {
    const { at, answer } = exchange
    const operation = nameOf(exchange)
    const leftOut = whyLeftOut(exchange, exchanges[index + 1], references, existing) ?? null
    if (leftOut !== null) {
      compared.push({ operation, at, differences: [], leftOut, refusal: undefined })
      continue
    }
    await queueOutcome(sandbox, exchange, results)
    const own = await repeat(sandbox, exchange, references)
    const found = differences(operation, answer, own, references, keyIn(exchange))
    const refusal = exchange.operation && refusalIn(own)
    compared.push({ operation, at, differences: found, leftOut, refusal })
  }
  return compared
}

/** What a report calls a request. */
function nameOf(exchange: RecordedExchange): string {
  const { operation, method, target } = exchange
  const [path] = target.split('?')
  return operation ?? `${method} ${isSecret('path', path, keyIn(exchange) ?? '') ? hiddenMark : path}`
}

/** The key of a request, which no report shows. */
const keyIn = ({ headers }: RecordedExchange): string | undefined =>
  headers.authorization?.replace(/^bearer +/i, '')

const dataOf = ({ body }: Answer): Members => {
  const data = isObject(body) ? (body as Members).data : undefined
  return isObject(data) ? (data as Members) : {}
}

/** The members of a request. */
const membersOf = ({ target, body }: RecordedExchange): Members => {
  const parsed = parseJson(body)
  return isObject(parsed) ? parsed : Object.fromEntries(new URLSearchParams(target.split('?')[1] ?? ''))
}

/** Members that name what an earlier request opened. */
const naming = ['transactionId', 'originalTransactionId', 'sessionId']

/** Why an exchange cannot be compared; undefined when it can. */
function whyLeftOut(
  exchange: RecordedExchange,
  next: RecordedExchange | undefined,
  references: References,
  existing: ReadonlySet<string>,
): string | undefined {
  const { answer, target, operation } = exchange
  if (answer.status === 0 || answer.body === undefined) return 'its answer was not recorded'
  if (answer.status === 401 || answer.status === 403)
    return 'keys and addresses are not those of the recording'
  const status = parseStatus(String(dataOf(answer).transactionStatus))
  const isQuery = operation !== undefined && operationRow(operation).argument === 'transactionId'
  if (isQuery && status !== undefined && !isFinal(status)) return 'a payment that was under way'
  if (next?.target === target && next.method === 'GET') return 'the next one asks the same'
  const isUnknown = idsNamed(exchange).some((id) => !references.has(id) && existing.has(id))
  return isUnknown ? 'it acts on what was not recorded' : undefined
}

const idsNamed = (exchange: RecordedExchange): string[] =>
  naming.flatMap((name) => asText(membersOf(exchange)[name]) ?? [])

/** Ids that the service knew: an accepted request names them. */
const idsThere = (exchanges: readonly RecordedExchange[]): ReadonlySet<string> =>
  new Set(exchanges.filter(({ answer }) => isAccepted(answer)).flatMap(idsNamed))

/** The result codes of recorded transactions, by their ids. */
function resultsIn(exchanges: readonly RecordedExchange[]): ReadonlyMap<string, string> {
  const results = new Map<string, string>()
  for (const { answer } of exchanges) {
    const { transactionId, transactionResultCode } = dataOf(answer)
    if (typeof transactionId === 'string' && typeof transactionResultCode === 'string')
      results.set(transactionId, transactionResultCode)
  }
  return results
}

/** Lets the host decide as the service's did, where its terminal can be told. */
async function queueOutcome(
  { url, terminalSn: usual }: FreshSandbox,
  exchange: RecordedExchange,
  results: ReadonlyMap<string, string>,
): Promise<void> {
  const code = results.get(asText(dataOf(exchange.answer).transactionId) ?? '')
  if (code === undefined || exchange.operation === undefined) return
  const { opens, path } = operationRow(exchange.operation)
  if (opens === undefined || path.startsWith('/v1/checkout/')) return
  const { outcomes } = await control({ baseUrl: url }, 'outcomes')
  const outcome = outcomes.find((each) => each.code === code && each.delay === undefined)?.name
  const terminalSn = asText(membersOf(exchange).terminalSn) ?? usual
  const { terminals } = await control({ baseUrl: url }, 'terminals')
  if (!terminals.some((each) => each.terminalSn === terminalSn))
    await control({ baseUrl: url }, 'add-terminal', { terminalSn })
  if (outcome !== undefined)
    await control({ baseUrl: url }, 'queue-outcome', { outcome }, { names: { sn: terminalSn } })
}

/** Headers that this process makes itself, or that belong to the recording. */
const notRepeated = [
  ...connectionHeaders,
  'host',
  'content-length',
  'accept-encoding',
  'cookie',
  'content-encoding',
]

/** Sends a recorded request to the sandbox: with its ids, its key, and the time of now. */
async function repeat(
  { url, apiKey, appId, merchantId }: FreshSandbox,
  exchange: RecordedExchange,
  references: References,
): Promise<Answer> {
  const { method, headers, at } = exchange
  const members = membersOf(exchange)
  const replaced = new Map(references)
  for (const [name, value] of Object.entries({ appId, merchantId })) {
    const recorded = asText(members[name])
    if (recorded) replaced.set(recorded, value)
  }
  const body = exchange.body.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, (text) => {
    const own = replaced.get(String(parseJson(text)))
    return own === undefined ? text : JSON.stringify(own)
  })
  const target = exchange.target.replace(/=([^&#]*)/g, (whole, value: string) => {
    const own = replaced.get(decoded(value.replaceAll('+', ' ')))
    return own === undefined ? whole : `=${encodeURIComponent(own)}`
  })
  const sent = Object.entries(headers).filter(
    ([name, value]) =>
      !notRepeated.includes(name) && /^[\w.-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value),
  )
  const timestamp = headers[headerNames.timestamp.toLowerCase()] ?? ''
  const now = /^\d{13}$/.test(timestamp) ? String(wallTime() + Number(timestamp) - at) : timestamp
  const answer = await send({
    method,
    url: new URL(url + target),
    headers: {
      ...Object.fromEntries(sent),
      authorization: `Bearer ${apiKey}`,
      ...(now !== '' && { 'x-timestamp': now }),
    },
    body: method === 'GET' ? undefined : body,
  })
  const answered = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
  return {
    status: answer.status,
    headers: Object.fromEntries(answered),
    body: parseJson(answer.body) ?? answer.body,
  }
}
