import { controls } from '../../contract/control/controls/controls.ts'
import { hiddenMark } from '../../contract/control/request-log-answers.ts'
import type { Behaviour } from '../../contract/control/sandbox-options.ts'
import { sandboxHeaders } from '../../contract/headers.ts'
import type { OperationName } from '../../contract/operations.ts'
import { readerFor } from '../../contract/records.ts'
import { elapsedTime } from '../../shared/timers.ts'
import type { Identifiers } from '../engine/identifiers.ts'
import { noteCutOff } from '../http/break-connection.ts'
import { type Call, type SeenRequest, seen } from '../http/call.ts'
import { refuseCardData } from '../http/card-data.ts'
import { accepted, refused, statusOfRefusal, toRefusal } from '../http/envelope.ts'
import {
  type LoggedExchange,
  type LoggingContext,
  logRequest,
  newExchange,
  refusalNotes,
} from '../request-log/log-request.ts'
import type { LoggedRequest } from '../request-log/request-log.ts'

/** What `answer` needs: the request log, trace ids, options of answers, and the count of running requests. */
export interface AnswerContext extends LoggingContext {
  readonly identifiers: Pick<Identifiers, 'traceId'>
  readonly options: Pick<Behaviour, 'dialect' | 'httpStatus' | 'extras'> & {
    readonly state: string
    readonly report: (message: string) => void
  }
  readonly stopping: boolean
  running: number
}

/** The result of a handler: the data of the answer, and notes for the request log. */
export interface HandlerResult {
  readonly data: object
  readonly notes: readonly string[]
  readonly replayed?: boolean
}

/** A request that was carried out or refused, and logged. `text`: the body of the answer. */
interface Answered {
  readonly status: number
  readonly text: string
  readonly exchange: LoggedExchange
  /** Null when it was refused. */
  readonly result: HandlerResult | null
  /** In the request log; undefined where it is not logged. */
  readonly entry: LoggedRequest | undefined
}

/** Carries out one request, turns its result or its refusal into an answer, and sends it; logs both. */
export async function answer(
  context: AnswerContext,
  call: Call,
  operation: OperationName | null,
  handle: (exchange: LoggedExchange) => Promise<HandlerResult>,
  statuses: Behaviour['httpStatus'] = context.options.httpStatus,
): Promise<Response> {
  const { status, text, exchange, entry } = await handleLogged(
    context,
    seen(call),
    operation,
    handle,
    statuses,
  )
  if (entry !== undefined && call.get('injectedFault') !== undefined) noteCutOff(call, entry)
  const { answerHeaders, refusal } = exchange
  if (operation === null) call.set('answered', refusal?.code ?? '0')
  for (let at = 0; at < answerHeaders.length; at += 2)
    call.header(answerHeaders[at] as string, answerHeaders[at + 1])
  if (context.stopping) call.header('Connection', 'close')
  return call.body(text, status as 200, jsonHeaders)
}

/** Carries out one request, turns its result or its refusal into an answer, and logs both. */
export async function handleLogged(
  context: AnswerContext,
  request: SeenRequest,
  operation: OperationName | null,
  handle: (exchange: LoggedExchange) => Promise<HandlerResult>,
  statuses: Behaviour['httpStatus'] = context.options.httpStatus,
): Promise<Answered> {
  const started = elapsedTime()
  const traceId = context.identifiers.traceId()
  const exchange = newExchange(operation)
  context.running += 1
  try {
    if (operation === null) refuseCardData(request.path) // those of operations are known
    const result = await handle(exchange)
    if (result.replayed && context.options.extras) addHeader(exchange, sandboxHeaders.replayed, 'true')
    const text = JSON.stringify(accepted(traceId, result.data))
    exchange.answer = operation === null && answersSecret(request.path) ? hiddenMark : text
    const entry = logRequest(context, request, 200, '0', traceId, started, result.notes, exchange)
    return { status: 200, text, exchange, result, entry }
  } catch (error) {
    const refusal = toRefusal(error, request, traceId, context.options)
    const status = statusOfRefusal(refusal, statuses)
    if (refusal.replayed && context.options.extras) addHeader(exchange, sandboxHeaders.replayed, 'true')
    if (refusal.code === 'SBX_STORE_FAIL') addHeader(exchange, 'Retry-After', '1')
    const text = JSON.stringify(refused(traceId, refusal, isBare(context, request)))
    exchange.answer = text
    exchange.refusal = refusal
    const notes = refusalNotes(refusal)
    const entry = logRequest(context, request, status, refusal.code, traceId, started, notes, exchange)
    return { status, text, exchange, result: null, entry }
  } finally {
    context.running -= 1
  }
}

/** True for errors without explanation: the strictest SDK takes no more. assumption: envelope, extras */
function isBare({ options }: AnswerContext, { path, userAgent }: SeenRequest): boolean {
  if (!options.extras && !path.startsWith('/_sandbox/')) return true
  return readerFor(options.dialect, userAgent) === 'strict-sdk'
}

const jsonHeaders = { 'Content-Type': 'application/json' }

/** Adds a header to the answer, as it is sent and logged; characters outside printable ASCII become `?`. */
export function addHeader(exchange: LoggedExchange, name: string, value: string): void {
  const printable = value.replace(/[^\x20-\x7e]/g, '?')
  exchange.answerHeaders = [...exchange.answerHeaders, name, printable]
}

/** True for the path of an operation that answers with a secret. */
const answersSecret = (path: string): boolean => secretAnswers.some((name) => path === controls[name].path)

const secretAnswers = ['regenerate-key', 'rotate-webhook-secret', 'add-merchant', 'create-token'] as const

/** A request that a person makes on a page of the sandbox. */
export interface FormRequest {
  readonly operation: OperationName
  readonly appId: string
  readonly merchantId: string
  /** Members of the body other than appId and merchantId. */
  readonly members: Readonly<Record<string, unknown>>
  /** Outcome by name; null for none. */
  readonly outcome: string | null
  /** URL of the sandbox as the person reached it. */
  readonly baseUrl: string
}
