import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import * as v from 'valibot'
import { mayBeFraction } from '../contract/fields.ts'
import type { Members } from '../contract/validate.ts'
import { isObject } from '../is-object.ts'
import { parseJson } from '../read-or.ts'
import { type JsonOddity, jsonOddities } from '../text/json-oddities.ts'

/** What clients send over HTTP, before the SDK reads it: it wants headers that not all of them send, and dumps its errors. */

const whole = v.custom<object>(isObject, 'must be an object')

const paramsOf: Readonly<Record<string, v.GenericSchema>> = {
  initialize: v.object(
    {
      protocolVersion: v.string('must be a version of the protocol, such as "2025-11-25"'),
      capabilities: whole,
      clientInfo: v.object(
        { name: v.string('must be a string'), version: v.string('must be a string') },
        'must be an object',
      ),
    },
    'must be an object',
  ),
  'tools/call': v.object(
    { name: v.string('must be the name of a tool'), arguments: v.optional(whole) },
    'must be an object',
  ),
}

/** A message with what was odd about its JSON; null in an optional place counts as left out. */
export function readMessage(text: string) {
  const value = parseJson(text)
  const message = isObject(value) ? withoutNull(value) : value
  return { message, text: message === value ? text : JSON.stringify(message), odd: oddArguments(text, value) }
}

function withoutNull({ params, ...message }: Members): Members {
  if (!isObject(params)) return params === null ? message : { ...message, params }
  const { arguments: given, ...others } = params as Members
  return { ...message, params: given === null ? others : params }
}

/** What is odd about the arguments of a tool, as the API would say of its body; by their paths in the arguments. */
function oddArguments(text: string, value: unknown): readonly JsonOddity[] {
  const at = 'params.arguments.'
  return jsonOddities(text, value, (field) => !field.startsWith(`${at}members.`) || mayBeFraction(field))
    .filter(({ field }) => field.startsWith(at))
    .map((odd) => ({ ...odd, field: odd.field.slice(at.length) }))
}

/** The answer to a message whose parameters are wrong: what is wrong, in a sentence. Undefined for any other message. */
export function wrongParams(message: unknown): Response | undefined {
  const { id, method, params } = (isObject(message) ? message : {}) as Members
  const isOfNow = isObject(params) && isObject(params._meta) && PROTOCOL_VERSION_META_KEY in params._meta
  const schema = isOfNow ? undefined : paramsOf[String(method)]
  if (schema === undefined || id === undefined) return undefined
  const { issues: [issue] = [] } = v.safeParse(schema, params, { abortEarly: true })
  if (issue === undefined) return undefined
  const path = ['params', v.getDotPath(issue)].filter(Boolean).join('.')
  const what = issue.input === undefined ? 'is missing' : issue.message
  const error = { code: -32_602, message: `${method}: ${path} ${what}` }
  return Response.json({ jsonrpc: '2.0', id, error })
}

const stream = 'text/event-stream'

/** Answers a request through the SDK, which streams its answers; a client that takes no stream gets JSON. */
export async function answerAccepted(
  { url, method, headers, signal }: Request,
  message: unknown,
  body: string,
  handle: (request: Request) => Promise<Response>,
): Promise<Response> {
  const accept = headers.get('accept') ?? ''
  const both = new Headers(headers)
  both.set('accept', `application/json, ${stream}`)
  const answer = await handle(
    new Request(url, { method, headers: both, signal, ...(method === 'POST' && { body }) }),
  )
  const isEndless = isObject(message) && message.method === 'subscriptions/listen'
  if (accept.includes(stream) || isEndless || !answer.headers.get('content-type')?.startsWith(stream))
    return answer
  const answers = (await answer.text()).matchAll(/^data: (\{.*)$/gm)
  const all = Array.from(answers, ([, data = '']) => data)
  return new Response(Array.isArray(message) ? `[${all}]` : all.at(-1), {
    status: answer.status,
    headers: { 'Content-Type': 'application/json' },
  })
}
