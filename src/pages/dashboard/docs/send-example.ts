import { randomUUID } from 'node:crypto'
import { headerNames, sandboxHeaders } from '../../../contract/headers.ts'
import { type Call, type Env, headerOf, originOf } from '../../../http/call.ts'
import type { ReceivedRequest } from '../../../http/received-request.ts'
import { isObject } from '../../../is-object.ts'
import { elapsedTime, sleep } from '../../../timers.ts'
import { tryReadJson } from '../../components/http-message.tsx'
import type { PagesContext } from '../../frame/page-view.tsx'
import type { FormFields } from '../../serving/form-fields.ts'
import type { DocumentedOperation } from './documented-operations.ts'
import { applicationIn, requestOf } from './example.ts'

/** Hands a request to the sandbox itself, as if it had come over the connection. */
export type SendToSelf = (request: Request, env: Env['Bindings']) => Response | Promise<Response>

/** How an example was answered. */
export interface ExampleAnswer {
  /** Null when no answer came; `text` then says why. */
  readonly status: number | null
  /** Of the envelope; null without one. */
  readonly code: string | null
  readonly text: string
  readonly milliseconds: number
  /** The logged request, and the transaction that the answer names. */
  readonly traceId: string | undefined
  readonly transactionId: string | undefined
}

/** How long a page waits for an answer. Milliseconds. */
const longestWait = 15_000

/** Characters of an answer that are shown. */
const mostShown = 100_000

/**
 * Sends the request of a form as a client would: with the key of its application, and the token of who sent the form, so
 * that it may do no more than its sender. Faults, allow-lists and the log apply. assumption: docs-examples
 */
export async function sendExample(
  context: PagesContext,
  call: Call,
  entry: DocumentedOperation,
  fields: FormFields,
  send: SendToSelf,
): Promise<ExampleAnswer> {
  const { target, body } = requestOf(entry, fields)
  const headers = headersOf(context, call, fields, target, body)
  const init = { method: entry.method, headers, ...(body !== '' && { body }) }
  const started = elapsedTime()
  const answered = answerIn(
    send(new Request(`${originOf(call)}${target}`, init), connectionOf(call, headers)),
  )
  const late = `No answer within ${longestWait / 1000} seconds. The request may still be carried out.`
  const { status, text } = await Promise.race([
    answered,
    sleep(longestWait).then(() => ({ status: null, text: late })),
  ])
  const envelope = tryReadJson(text)?.value
  const { code, traceId, data } = isObject(envelope) ? envelope : {}
  const id = isObject(data) ? data.transactionId : undefined
  return {
    status,
    code: typeof code === 'string' ? code : null,
    text: text.slice(0, mostShown),
    milliseconds: elapsedTime() - started,
    traceId: typeof traceId === 'string' && context.log.find(traceId) ? traceId : undefined,
    transactionId: typeof id === 'string' && isStored(context, id) ? id : undefined,
  }
}

const isStored = ({ engine }: PagesContext, id: string): boolean =>
  [...engine.state.ledgers.values()].some(({ transactions }) => transactions.get(id) !== undefined)

/** A broken connection is a network error, as `fetch` calls it. */
async function answerIn(answer: Response | Promise<Response>) {
  const response = await answer
  return response.type === 'error'
    ? { status: null, text: 'The connection closed without an answer: an injected fault does that.' }
    : { status: response.status, text: await response.text() }
}

function headersOf(
  context: PagesContext,
  call: Call,
  fields: FormFields,
  target: string,
  body: string,
): Record<string, string> {
  const { clock, directory } = context
  const isService = target.startsWith('/v1/')
  const key = directory.currentKey(applicationIn(context, fields))
  const own = ['host', 'cookie', sandboxHeaders.token, ...(isService ? [] : ['authorization'])]
  return {
    ...Object.fromEntries(own.flatMap((name) => pairOf(name, headerOf(call, name)))),
    ...(body !== '' && { [headerNames.contentType]: 'application/json' }),
    ...(isService && {
      ...(key !== undefined && { [headerNames.authorization]: `Bearer ${key}` }),
      [headerNames.clientRequestId]: randomUUID(),
      [headerNames.timestamp]: String(clock.wall()),
    }),
    'User-Agent': 'tillbox-docs',
  }
}

const pairOf = (name: string, value: string | undefined) =>
  value === undefined ? [] : [[name, value] as const]

/** The connection of the form's sender with the headers of the example; a fault breaks nothing of it. */
function connectionOf(call: Call, headers: Readonly<Record<string, string>>): Env['Bindings'] {
  const incoming = call.env?.incoming
  if (incoming === undefined) return {}
  const { socket, forwarded } = incoming
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const own = {
    ...{
      socket,
      headers: lower,
      rawHeaders: Object.entries(headers).flat(),
      complete: true,
      destroyed: false,
    },
    ...(forwarded !== undefined && { forwarded }),
  }
  return { incoming: own as unknown as ReceivedRequest }
}
