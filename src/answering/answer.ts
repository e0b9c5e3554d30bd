import { sandboxHeaders } from '../contract/headers.ts'
import type { OperationName } from '../contract/operations.ts'
import { type Dialect, readerOf } from '../contract/records.ts'
import { controls } from '../contract/sandbox/controls/controls.ts'
import { hiddenMark } from '../contract/sandbox/request-log-answers.ts'
import type { Identifiers } from '../engine/identifiers.ts'
import { type Call, headerOf } from '../http/call.ts'
import { refuseCardData } from '../http/card-data.ts'
import { accepted, type HttpStatusMode, refusalOf, refused, statusOfRefusal } from '../http/envelope.ts'
import { type LoggedExchange, type LoggingContext, logRequest, notesOf } from '../request-log/log-request.ts'
import { elapsedTime } from '../timers.ts'

/** What `answer` needs: the request log, trace ids, options of answers, and the count of running requests. */
export interface AnswerContext extends LoggingContext {
  readonly identifiers: Identifiers
  readonly options: {
    readonly dialect: Dialect
    readonly httpStatus: HttpStatusMode
    /** Whether answers of the payment API have the sandbox's own headers and members. assumption: extras */
    readonly extras: boolean
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

/** Carries out one request, turns its result or its refusal into an answer, and logs both. */
export async function answer(
  context: AnswerContext,
  call: Call,
  operation: OperationName | null,
  handle: (exchange: LoggedExchange) => Promise<HandlerResult>,
  statuses: HttpStatusMode = context.options.httpStatus,
): Promise<Response> {
  const started = elapsedTime()
  const traceId = context.identifiers.traceId()
  const exchange: LoggedExchange = {
    operation,
    body: '',
    answer: '',
    answerHeaders: noHeaders,
    refusal: null,
    fault: null,
  }
  context.running += 1
  try {
    refuseCardData(call.req.path)
    const { data, notes, replayed } = await handle(exchange)
    if (replayed && context.options.extras) addHeader(call, exchange, sandboxHeaders.replayed, 'true')
    exchange.answer = JSON.stringify(accepted(traceId, data))
    if (operation === null) call.set('answered', '0')
    const response = send(context, call, 200, exchange.answer)
    if (operation === null && answersSecret(call.req.path)) exchange.answer = hiddenMark
    logRequest(context, call, 200, '0', traceId, started, notes, exchange)
    return response
  } catch (error) {
    const refusal = refusalOf(error, call, traceId, context.options)
    const status = statusOfRefusal(refusal, statuses)
    if (refusal.replayed) addHeader(call, exchange, sandboxHeaders.replayed, 'true')
    if (refusal.code === 'SBX_STORE_FAIL') addHeader(call, exchange, 'Retry-After', '1')
    exchange.answer = JSON.stringify(refused(traceId, refusal, isBare(context, call)))
    exchange.refusal = refusal
    if (operation === null) call.set('answered', refusal.code)
    logRequest(context, call, status, refusal.code, traceId, started, notesOf(refusal), exchange)
    return send(context, call, status, exchange.answer)
  } finally {
    context.running -= 1
  }
}

/** True for errors without explanation: the strictest SDK takes no more. assumption: envelope, extras */
function isBare({ options }: AnswerContext, call: Call): boolean {
  if (!options.extras && !call.req.path.startsWith('/_sandbox/')) return true
  return readerOf(options.dialect, headerOf(call, 'user-agent')) === 'strict-sdk'
}

const noHeaders: readonly string[] = []
const jsonHeaders = { 'Content-Type': 'application/json' }

function send({ stopping }: AnswerContext, call: Call, status: number, text: string): Response {
  if (stopping) call.header('Connection', 'close')
  return call.body(text, status as 200, jsonHeaders)
}

/** Adds a header to the answer and to the log; characters outside printable ASCII become `?`. */
export function addHeader(call: Call, exchange: LoggedExchange, name: string, value: string): void {
  const printable = value.replace(/[^\x20-\x7e]/g, '?')
  call.header(name, printable)
  exchange.answerHeaders = [...exchange.answerHeaders, name, printable]
}

/** True for the path of an operation that answers with a secret. */
const answersSecret = (path: string): boolean => secretAnswers.some((name) => path === controls[name].path)

const secretAnswers = ['regenerate-key', 'rotate-webhook-secret', 'add-merchant', 'create-token'] as const

/** A request that a person makes on a page of the sandbox. */
export interface OwnRequest {
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
