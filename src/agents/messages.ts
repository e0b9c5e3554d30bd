import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import * as v from 'valibot'
import { noMessage } from '../contract/control/mcp.ts'
import { mayBeFraction } from '../contract/fields.ts'
import type { Members } from '../contract/validate.ts'
import { isObject } from '../shared/is-object.ts'
import { parseJson } from '../shared/read-or.ts'
import { jsonOddities } from '../shared/text/json-oddities.ts'

/** What clients send over HTTP, before the SDK reads it: not all of them send the headers that it wants. */

const whole = v.custom<object>(isObject, 'must be an object')

const paramsOf: Readonly<Record<string, v.GenericSchema>> = {
  initialize: v.object({
    protocolVersion: v.string('must be a version of the protocol, such as "2025-11-25"'),
    capabilities: whole,
    clientInfo: whole,
  }),
  'tools/call': v.object({ name: v.string('must be the name of a tool'), arguments: v.optional(whole) }),
}

/**
 * A message with what was odd about the arguments of a tool, as the API would say of its body; arguments that
 * are null count as left out. `twice`: a member that says what is called, and is there again.
 */
export function readMessage(text: string) {
  const value = parseJson(text) as Members | undefined
  const at = 'params.arguments.'
  const all = jsonOddities(text, value, (name) => !name.startsWith(`${at}members.`) || mayBeFraction(name))
  const odd = all
    .filter(({ field }) => field.startsWith(at))
    .map((each) => ({ ...each, field: each.field.slice(at.length) }))
  const twice = all.find(({ field }) => /^(method|params|params\.(name|arguments))$/.test(field))?.field
  const isNull = isObject(value?.params) && value.params.arguments === null
  if (!isNull) return { message: value, text, odd, twice }
  const message = { ...value, params: { ...(value.params as Members), arguments: {} } }
  return { message, text: JSON.stringify(message), odd, twice }
}

const refusedWith = (status: number, id: unknown, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status })

/** The answer to a message whose URL has a wrong query. */
export function wrongQuery(status: number, text: string, why: string): Response {
  const message = parseJson(text)
  return refusedWith(status, isObject(message) ? (message.id ?? null) : null, -32_602, why)
}

/** The answer to what is no single message, or says twice what it calls. Undefined for any other. */
export function notOneMessage(
  message: unknown,
  text: string,
  twice: string | undefined,
): Response | undefined {
  const refusal = noMessage(message, text)
  if (refusal !== undefined) return refusedWith(400, null, refusal.code, refusal.message)
  if (twice === undefined || !isObject(message)) return undefined
  return refusedWith(400, message.id ?? null, -32_600, `${twice} is there twice`)
}

/** The answer to a message whose parameters are wrong, which says what is wrong; undefined for any other. */
export function wrongParams(message: unknown): Response | undefined {
  const { id, method, params } = (isObject(message) ? message : {}) as Members
  const isOfNow = isObject(params) && isObject(params._meta) && PROTOCOL_VERSION_META_KEY in params._meta
  const schema = isOfNow ? undefined : paramsOf[String(method)]
  if (schema === undefined || id === undefined) return undefined
  const { issues: [issue] = [] } = v.safeParse(schema, params, { abortEarly: true })
  if (issue === undefined) return undefined
  const path = ['params', v.getDotPath(issue)].filter(Boolean).join('.')
  const why = `${method}: ${path} ${issue.input === undefined ? 'is missing' : issue.message}`
  return refusedWith(200, id, -32_602, why)
}

const stream = 'text/event-stream'

/** Answers a request through the SDK, which streams its answers; a client that takes no stream gets JSON. */
export async function answerAccepted(
  { url, method, headers: sent, signal }: Request,
  message: unknown,
  body: string,
  handle: (request: Request) => Promise<Response>,
): Promise<Response> {
  const headers = new Headers(sent)
  headers.set('accept', `application/json, ${stream}`)
  const request = { method, headers, signal, ...(method === 'POST' && { body }) }
  const answer = await handle(new Request(url, request))
  const isStreamed = answer.headers.get('content-type')?.startsWith(stream)
  const isEndless = isObject(message) && message.method === 'subscriptions/listen'
  if (!isStreamed || isEndless || sent.get('accept')?.includes(stream)) return answer
  const all = Array.from((await answer.text()).matchAll(/^data: (\{.*)$/gm), ([, data]) => data)
  return new Response(all.at(-1), { headers: { 'Content-Type': 'application/json' } })
}
