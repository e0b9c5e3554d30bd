import type { AttemptFault } from '../../contract/control/attempt-faults.ts'
import { drawDelay, type Fault, faultMoment } from '../../contract/control/faults.ts'
import { reject } from '../../contract/errors.ts'
import { sandboxHeaders } from '../../contract/headers.ts'
import { type OperationName, operations } from '../../contract/operations.ts'
import { isFinal } from '../../contract/statuses.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import { countedBatches } from '../../domain/rules/settlement.ts'
import type { ReadonlyState } from '../../domain/state.ts'
import { elapsedTime, sleep } from '../../shared/timers.ts'
import { addHeader, type HandlerResult } from '../answering/answer.ts'
import type { FaultRules, InjectedFault } from '../faults/fault-rules.ts'
import {
  closeConnection,
  headersOf,
  resetConnection,
  sendRandomBytes,
  truncateAnswer,
  whileConnected,
} from '../http/break-connection.ts'
import type { Call } from '../http/call.ts'
import type { LoggedExchange } from '../request-log/log-request.ts'
import type { GuardedRequest } from './request-context.ts'
import {
  ledgerOfRequest,
  namedIn,
  ownersOfOriginal,
  type RequestContext,
  type ServiceContext,
} from './request-context.ts'

/** Faults of payment API answers: which one hits a request, and its effect. assumption: api-faults */

/** What choosing a fault needs: the service's context and the fault rules. */
export type FaultContext = ServiceContext & { readonly faults: FaultRules }

/** Members by which a request names its merchant, its terminal and its amount. */
interface TargetMembers {
  readonly merchantId?: string | null
  readonly terminalSn?: string | null
  readonly amount?: number | { readonly orderAmount?: number | null } | null
  readonly pushToTerminal?: boolean | null
}

/** The fault of the request's header, else of the first rule that hits it; null for none. */
function findFault(
  { engine, faults }: FaultContext,
  { application, faultHeader, operation, input, outcome }: GuardedRequest,
): InjectedFault | null {
  if (faultHeader !== null) return faults.named(faultHeader)
  if (faults.isEmpty) return null
  const members = input as TargetMembers
  const named = namedIn(operation, members)
  const merchantId =
    members.merchantId ??
    ownersOfOriginal(engine.state, application, named)[0] ??
    application.merchants[0]?.merchantId
  const { amount } = members
  return faults.meet({
    operations: [operation],
    merchantId,
    namesOutcome: outcome !== null,
    amount: (typeof amount === 'object' ? amount?.orderAmount : amount) ?? undefined,
    terminalSn: () => {
      const ledger = engine.state.ledgers.get(merchantId ?? '')
      return members.terminalSn ?? (ledger && targetTerminal(ledger, operation, members, named(ledger)))
    },
  })
}

/** The terminal of the named transaction, else the one at which the operation would run. */
function targetTerminal(
  ledger: Ledger,
  operation: OperationName,
  { pushToTerminal }: TargetMembers,
  named: Transaction | undefined,
): string | null | undefined {
  if (named !== undefined) return named.terminalSn
  const { runs } = operations[operation]
  const isPushed = runs === 'terminal' || (runs === 'configurable' && pushToTerminal !== false)
  return isPushed ? ledger.terminals.keys().next().value : undefined
}

/**
 * The fault that hits a request, told to its call and to the log; null for none. A fault without an answer is
 * logged with status 444.
 */
export function meetFault(
  context: FaultContext,
  call: Call,
  request: GuardedRequest,
  exchange: LoggedExchange,
): Fault | null {
  const injected = findFault(context, request)
  if (injected === null) return null
  const { fault, written } = injected
  call.set('injectedFault', injected)
  exchange.fault = written
  if (faultMoment(fault) !== 'before') return fault
  const remedy = request.faultHeader === null ? undefined : `Leave ${sandboxHeaders.fault} out`
  if (fault.kind !== 'http')
    reject('SBX_INJECTED', { status: noAnswer, detail: `${written}: the connection closes`, remedy })
  if (fault.retryAfter !== null) addHeader(exchange, 'Retry-After', String(fault.retryAfter))
  return reject('SBX_INJECTED', { status: fault.status, detail: written, remedy })
}

/**
 * Handles a request. A fault of the host that met it counts as a use only if the request opens a transaction:
 * a refusal or a replay takes the use back, and the log then names no fault. assumption: api-faults
 */
export async function countingHostFault(
  call: Call,
  exchange: LoggedExchange,
  handle: () => Promise<HandlerResult> | HandlerResult,
): Promise<HandlerResult> {
  let opens = false
  try {
    const result = await handle()
    opens = result.replayed !== true
    return result
  } finally {
    const injected = call.get('injectedFault')
    if (!opens && injected !== undefined && faultMoment(injected.fault) === 'host') {
      injected.giveBack?.()
      call.set('injectedFault', undefined)
      exchange.fault = null
    }
  }
}

/** Status that web servers log when they close a connection without an answer. */
const noAnswer = 444

/** Statuses that only gateways send, so the answer is a gateway's page. RFC 9110, 15.6.3 and 15.6.5 */
const ofGateways: readonly number[] = [502, 504]

/** Applies a fault to an answer, and returns what is sent. */
export async function injectFault(
  context: ServiceContext,
  call: Call,
  answer: Response,
  injected: InjectedFault,
): Promise<Response> {
  const { fault, draws } = injected
  switch (fault.kind) {
    case 'lost-request':
    case 'lost-answer':
      return closeConnection(call)
    case 'reset':
      return resetConnection(call)
    case 'http':
      return ofGateways.includes(fault.status) ? proxyPage(answer, fault.status) : answer
    case 'empty':
      return new Response('', { headers: headersOf(answer) })
    case 'truncated':
      return truncateAnswer(call, answer, await answer.text())
    case 'random':
      return sendRandomBytes(call)
    case 'not-json':
      return proxyPage(answer, fault.status)
    case 'after-webhook':
      return heldAnswer(context, call, answer, isResultTold)
    case 'after-end':
      return heldAnswer(context, call, answer, hasEnded)
    case 'latency':
      await sleep(drawDelay(fault.delay, draws), whileConnected(call))
      return answer
    case 'slow-drip':
      return drip(call, answer, Buffer.from(await answer.text()), fault.bytes, fault.everyMs)
    case 'settlement-failed':
    case 'partial-settlement':
    case 'outcome':
      return answer // the handler has applied it
    default:
      fault.kind satisfies AttemptFault | 'delay' | 'reorder' // webhook faults never hit answers
      return answer
  }
}

/** The page that a proxy sends when it has no answer of the service. */
function proxyPage(answer: Response, status: number): Response {
  const title = `${status} ${proxyReasons[status] ?? 'Error'}`
  const page = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<h1>${title}</h1>\r\n<hr>proxy\r\n</body>\r\n</html>\r\n`
  return new Response(page, { status, headers: { ...headersOf(answer), 'content-type': 'text/html' } })
}

const proxyReasons: Readonly<Record<number, string>> = {
  200: 'One moment',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
}

/** Longest wait for another event, and the pause between two looks. Milliseconds. */
const [longestWait, lookPause] = [5_000, 20]

/** Sends an answer as it was made, once that is true of its transaction. */
async function heldAnswer(
  { engine }: ServiceContext,
  call: Call,
  answer: Response,
  isTime: (state: ReadonlyState, transactionId: string) => boolean,
): Promise<Response> {
  const text = await answer.text()
  const { transactionId } = JSON.parse(text).data ?? {}
  const signal = whileConnected(call)
  const end = elapsedTime() + longestWait
  const isOver = () => signal.aborted || elapsedTime() >= end || isTime(engine.state, transactionId)
  while (transactionId !== undefined && !isOver()) await sleep(lookPause, signal)
  return new Response(text, { status: answer.status, headers: headersOf(answer) })
}

/** True once a webhook with the final status of the transaction is acknowledged. */
function isResultTold({ ledgers }: ReadonlyState, id: string): boolean {
  for (const { outbox } of ledgers.values())
    for (const { transactionId, delivered, status } of outbox.deliveries.values())
      if (transactionId === id && delivered && isFinal(status)) return true
  return false
}

/** True once the transaction has its final status. */
function hasEnded({ ledgers }: ReadonlyState, id: string): boolean {
  for (const { transactions } of ledgers.values()) {
    const transaction = transactions.get(id)
    if (transaction !== undefined) return isFinal(transaction.status)
  }
  return true
}

/** Sends pieces of `most` bytes, one every `everyMs` milliseconds. */
function drip(call: Call, answer: Response, bytes: Buffer, most: number, everyMs: number): Response {
  const signal = whileConnected(call)
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent > 0) await sleep(everyMs, signal)
      controller.enqueue(new Uint8Array(bytes.subarray(sent, sent + most)))
      sent += most
      if (sent >= bytes.length || signal.aborted) controller.close()
    },
  })
  const headers = { ...headersOf(answer), 'content-length': String(bytes.length) }
  return new Response(body, { status: answer.status, headers })
}

/** Applies a settlement fault to a batch-close. assumption: api-faults */
export function settlementMembers(
  context: ServiceContext,
  request: RequestContext<'batch-close'>,
): { readonly members: object; readonly notes: readonly string[] } {
  const { fault, input } = request
  if (fault?.kind === 'settlement-failed')
    reject('SBX_SETTLE_FAIL', {
      field: 'channelCode',
      detail: 'because the fault settlement-failed was injected',
    })
  if (fault?.kind !== 'partial-settlement' || input.channelCode != null) return { members: {}, notes: [] }
  const { ledger } = ledgerOfRequest(context, request)
  const batches = countedBatches(ledger, input)
  const channelCode = batches[0]?.channelCode
  if (channelCode === undefined) return { members: {}, notes: [] }
  const others = [...new Set(batches.map((batch) => batch.channelCode))].filter(
    (code) => code !== channelCode,
  )
  const open = others.length === 0 ? 'no other has one' : `batches of ${others.join(', ')} stay open`
  return {
    members: { input: { ...input, channelCode } },
    notes: [`the fault partial-settlement closed the batches of ${channelCode} alone; ${open}`],
  }
}
