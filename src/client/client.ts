import {
  type AnsweredControl,
  type ControlAnswer,
  controlPath,
  controls,
} from '../contract/control/controls/controls.ts'
import { headerNames, sandboxHeaders } from '../contract/headers.ts'
import { isLookUp, type OperationName, operationRow, operations } from '../contract/operations.ts'
import type { TransactionRecord } from '../contract/records.ts'
import { isFinal, parseStatus, type Status } from '../contract/statuses.ts'
import type { Members } from '../contract/validate.ts'
import { elapsedTime, sleep } from '../shared/timers.ts'
import { longestListing, send, UnusableAnswer } from './http.ts'
import { lostAnswerOr } from './lost-answer.ts'
import { acceptedData, ServiceRefusal } from './read-envelope.ts'
import {
  controlHeaders,
  operationRequest,
  type RequestOptions,
  type Target,
  urlAndBody,
} from './request/service-request.ts'
import { requireNamed, requireNamedFor } from './which-sandbox.ts'

export { ServiceRefusal, type Target }

export interface OperationCallOptions extends RequestOptions {
  /** Called with notes of the sandbox about the request, which come in a header of its answer. */
  readonly noted?: ((text: string) => void) | undefined
  /** How long to wait for an answer, in milliseconds. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Calls an operation and returns the data of its answer, which has the shape `answer` of its row. Errors:
 * ServiceRefusal; Unreachable, ForeignAnswer of a look-up; LostAnswer of a request that may have been carried
 * out.
 */
export async function call<T>(
  target: Target,
  name: OperationName,
  members: Members,
  { noted, timeout, signal, ...options }: OperationCallOptions = {},
): Promise<T> {
  requireNamedFor(target, name)
  const request = { ...operationRequest(target, name, members, options), ca: target.ca, timeout, signal }
  try {
    return (await exchange(request, name, members, noted)) as T
  } catch (error) {
    throw isLookUp(name) ? error : lostAnswerOr(error as Error, name, members)
  }
}

async function exchange(
  request: Parameters<typeof send>[0],
  name: OperationName,
  members: Members,
  noted: OperationCallOptions['noted'],
): Promise<unknown> {
  const { url } = request
  const answer = await send(request)
  const note = answer.headers[sandboxHeaders.note.toLowerCase()]
  if (note !== undefined) noted?.(String(note))
  const data = acceptedData(url, answer, operations[name].answer)
  const other = otherId(name, members, data as Members)
  if (other === undefined) return data
  const why = `data.${other} is not the one that was sent`
  throw new UnusableAnswer(url.origin + url.pathname, answer.status, why, undefined)
}

/** The first id in an answer that differs from the request's; undefined when all match or are absent. */
function otherId(name: OperationName, sent: Members, data: Members): string | undefined {
  const { argument, opens } = operationRow(name)
  const looksUp = argument === 'transactionId'
  const idNames = [
    ...(looksUp ? ['transactionId'] : []),
    ...(looksUp || opens !== undefined ? ['transactionRequestId'] : []),
  ]
  return idNames.find((id) => sent[id] != null && data[id] != null && String(sent[id]) !== data[id])
}

interface ControlOptions {
  /** Values of the parameters in the path. */
  readonly names?: Readonly<Record<string, string>> | undefined
  /** Key of the calling application; absent: the sandbox's first one. */
  readonly apiKey?: string | undefined
  /** How long to wait for an answer, in milliseconds. */
  readonly timeout?: number | undefined
}

/** Calls the control interface of a sandbox. */
export async function control<N extends AnsweredControl>(
  address: Pick<Target, 'baseUrl' | 'ca' | 'token' | 'elsewhere' | 'doubt'>,
  name: N,
  members?: Members,
  { names = {}, apiKey, timeout }: ControlOptions = {},
): Promise<ControlAnswer<N>> {
  requireNamed(address, name)
  const { baseUrl, ca, token } = address
  const { method, answer: shape } = controls[name]
  const { url, body } = urlAndBody(method, baseUrl, controlPath(name, names), members)
  const headers = {
    ...controlHeaders(token, body !== undefined),
    ...(apiKey && { [headerNames.authorization]: `Bearer ${apiKey}` }),
  }
  const answer = await send({ method, url, ca, headers, body, timeout }, longestListing)
  return acceptedData(url, answer, shape) as ControlAnswer<N>
}

/**
 * Polls until `look` finds something; resolves to undefined after the time limit, or once `signal` aborts.
 * `look` gets the time left. `pauses`: the first, and the longest. Times in milliseconds.
 */
export async function poll<T>(
  look: (timeLeft: number) => Promise<T | undefined>,
  timeout: number,
  [firstPause, longestPause]: readonly [number, number],
  signal?: AbortSignal,
): Promise<T | undefined> {
  const end = elapsedTime() + timeout
  for (let pause = firstPause; ; pause = Math.min(pause * 1.5, longestPause)) {
    const found = await look(end - elapsedTime())
    const timeLeft = end - elapsedTime()
    if (found !== undefined || timeLeft <= 0 || signal?.aborted) return found
    await sleep(Math.min(pause, timeLeft), signal)
  }
}

/**
 * Queries until the status is final, the time is over or `signal` aborts, retrying failed queries. Resolves
 * to the last record, or undefined when no query was answered. Times in milliseconds.
 */
export async function waitForFinal(
  target: Target,
  query: Readonly<Record<string, string>>,
  waitMs: number,
  watch: (status: Status | undefined) => void,
  signal: AbortSignal,
): Promise<TransactionRecord | undefined> {
  let record: TransactionRecord | undefined
  const look = async (timeLeft: number) => {
    const timeout = Math.max(timeLeft, 1000)
    record = await call<TransactionRecord>(target, 'query', query, { timeout, signal }).catch(() => record)
    const status = record && parseStatus(record.transactionStatus)
    watch(status)
    return status !== undefined && isFinal(status) ? record : undefined
  }
  await poll(look, waitMs, [20, 1000], signal)
  return record
}
