import type { IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import type { SandboxAddress } from '../../client/discover.ts'
import { longestListing, openRequest, Unreachable, unreachable } from '../../client/http.ts'
import { parseEnvelope } from '../../client/read-envelope.ts'
import { controlHeaders } from '../../client/request/service-request.ts'
import { asText, parseJson } from '../../client/tolerant.ts'
import { NoSandbox, requireNamed } from '../../client/which-sandbox.ts'
import { mcpPath, noMessage, toolChangesSandbox, toolsLeft } from '../../contract/control/mcp.ts'
import { readBounded } from '../../contract/transport/bounded-body.ts'
import { isObject } from '../../shared/is-object.ts'

/** Hands the messages of an MCP client, a line each, to the MCP server of a sandbox, and its answers back. */

/** Where messages come from and go to. */
export interface Relay {
  readonly input: NodeJS.ReadableStream
  readonly write: (line: string) => void
  /** Finds the sandbox; called again once it is gone: it may come back at another port. */
  readonly find: () => Promise<SandboxAddress>
  readonly query: URLSearchParams
  /** An error as the client is told of it, with the command that mends it. */
  readonly explain: (error: Error) => string
  readonly signal: AbortSignal
}

/** Longest time of one call: a scenario may wait for much. Milliseconds. */
const longestCall = 10 * 60_000

/** What the client said of itself, for the messages that do not repeat it. */
interface Session {
  agent: string | undefined
  /** Protocol version that an `initialize` agreed on. */
  version: string | undefined
  /** Undefined after a failure: the next message finds the sandbox as it is then. */
  address: Promise<SandboxAddress> | undefined
}

type Message = Readonly<Record<string, unknown>>

/** Relays until the input ends, and every answer is written. */
export async function relayMessages(relay: Relay): Promise<void> {
  const session: Session = { agent: undefined, version: undefined, address: relay.find() }
  await session.address?.catch((error) => {
    if (!isAbsence(error)) throw error
    session.address = undefined
  })
  const lines = createInterface({ input: relay.input }) // later: it drops the lines that come before they are read
  relay.signal.addEventListener('abort', () => lines.close(), { once: true })
  const running = new Map<unknown, AbortController>()
  const pending = new Set<Promise<void>>()
  for await (const read of lines) {
    const line = read.replace(/^\ufeff/, '') // some clients begin so
    if (line.trim() === '') continue
    const message = parseJson(line)
    if (!isObject(message)) {
      const { code = 0, message: why = '' } = noMessage(message, line) ?? {}
      relay.write(errorLine(null, code, why))
      continue
    }
    const { id, method } = message
    if (method === 'notifications/cancelled') {
      running.get(paramsOf(message).requestId)?.abort()
      continue
    }
    const ended = new AbortController()
    running.set(id, ended)
    const work = passOn(relay, session, line, AbortSignal.any([ended.signal, relay.signal])).finally(() => {
      if (running.get(id) === ended) running.delete(id)
      pending.delete(work)
    })
    pending.add(work)
    if (method === 'initialize') await work // what follows has its version
  }
  await Promise.all(pending)
}

const paramsOf = ({ params }: Message): Message => (isObject(params) ? params : {})

/**
 * Sends a message as it is written, as digits and repeated members would be lost, and writes what comes back;
 * every failure is an answer, too, unless the client gave up.
 */
async function passOn(relay: Relay, session: Session, sent: string, signal: AbortSignal): Promise<void> {
  const { id, method } = JSON.parse(sent) as Message
  const pass = (line: string) => {
    const { result } = parseJson(line) as Message
    if (method === 'initialize' && isObject(result)) session.version = asText(result.protocolVersion)
    relay.write(line)
  }
  try {
    await forEachAnswer(await post(relay, session, sent, signal), pass)
  } catch (error) {
    if (signal.aborted) return
    session.address = undefined
    if (id === undefined) return
    const text = relay.explain(error as Error)
    if (isAbsence(error)) await answerAlone(relay, session, sent, text, pass)
    else relay.write(errorLine(id, -32_000, text))
  }
}

/** True when nothing listens there: no message can have been carried out. */
const isAbsence = (error: unknown): boolean =>
  error instanceof NoSandbox || (error instanceof Unreachable && error.refused)

/** Answers in place of the sandbox: a client that starts first gets its tools, and each says what to do. */
async function answerAlone(
  { query }: Relay,
  session: Session,
  sent: string,
  text: string,
  write: (line: string) => void,
): Promise<void> {
  const { answerWithout } = await import('../../agents/answer-mcp.ts')
  const { headers, body } = httpMessage(session, sent)
  const request = new Request(`http://127.0.0.1${mcpPath}`, { method: 'POST', headers })
  const tools = toolsLeft(query.get('tools')?.split(','), query.has('read-only'))
  const answer = await (await answerWithout(request, body, tools, text)).text()
  for (const [, line = answer] of answer.matchAll(/^(?:data: (.*)|\{.*)$/gm)) write(oneLine(line))
}

const errorLine = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })

async function post({ query, find }: Relay, session: Session, sent: string, signal: AbortSignal) {
  session.address ??= find()
  const sandbox = await session.address
  const { method, params } = JSON.parse(sent) as Message
  if (method === 'tools/call' && isObject(params)) {
    const given = isObject(params.arguments) ? params.arguments : {}
    if (toolChangesSandbox(String(params.name), given)) requireNamed(sandbox)
  }
  const { baseUrl, ca, token } = sandbox
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}${mcpPath}?${query}`)
  const { headers, body } = httpMessage(session, sent, token)
  return openRequest({ method: 'POST', url, headers, body, ca, signal, timeout: longestCall }).catch(
    (error) => {
      throw unreachable(url, error)
    },
  )
}

const httpMessage = (session: Session, body: string, token?: string) => ({
  headers: {
    ...controlHeaders(token, true),
    Accept: 'application/json, text/event-stream',
    ...messageHeaders(session, JSON.parse(body)),
  },
  body,
})

/** Names of the members by which a message describes itself. */
const meta = 'io.modelcontextprotocol/'

/** What the transport over HTTP repeats of a message in headers, and who the client is. */
function messageHeaders(session: Session, message: Message): Record<string, string> {
  const params = paramsOf(message)
  const about = isObject(params._meta) ? params._meta : {}
  const client = about[`${meta}clientInfo`] ?? params.clientInfo
  if (isObject(client)) session.agent = agentName(client)
  const version = asText(about[`${meta}protocolVersion`])
  const name = asText(params.name)
  const sent = {
    'User-Agent': session.agent,
    'MCP-Protocol-Version': version ?? session.version,
    ...(version !== undefined && { 'Mcp-Method': asText(message.method), 'Mcp-Name': name }),
  }
  return Object.fromEntries(
    Object.entries(sent).flatMap(([header, value]) =>
      value === undefined ? [] : [[header, inHeader(value)] as const],
    ),
  )
}

/** Longest name of a client that is sent on: a header that is too long refuses the whole call. */
const longestName = 128

/** A client's name and version as a User-Agent: letters without accents, and `?` for what is not ASCII. */
const agentName = ({ name, version }: Message): string =>
  [name, version]
    .flatMap((each) => asText(each)?.slice(0, longestName) || [])
    .join('/')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '?')

/** A value as the transport writes it in a header; what is not printable ASCII in base64. */
const inHeader = (value: string): string =>
  /^[\x20-\x7e]*$/.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`

/** Calls back with each message of an answer: of one body, or of a stream. */
async function forEachAnswer(incoming: IncomingMessage, write: (line: string) => void): Promise<void> {
  const type = incoming.headers['content-type'] ?? ''
  if (type.startsWith('text/event-stream')) {
    const { readEvents } = await import('../../client/server-sent-events.ts')
    const url = new URL(`http://${incoming.headers.host ?? 'sandbox'}${mcpPath}`)
    for await (const { data } of readEvents(incoming.setEncoding('utf8'), url)) if (data) write(oneLine(data))
    return
  }
  const body = (await readBounded(incoming, { maxBytes: longestListing, timeout: longestCall })).toString()
  if (body === '') return
  const refusal = parseEnvelope(body)
  if (refusal !== undefined)
    throw new Error([refusal.msg, refusal.detail, refusal.remedy].filter(Boolean).join('. '))
  write(oneLine(body))
}

const oneLine = (text: string): string => JSON.stringify(JSON.parse(text))
