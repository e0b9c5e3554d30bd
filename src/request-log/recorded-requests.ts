import type { RecentRequests } from '../store/storage/storage.ts'
import { type SecretHolders, secretHiderOf } from './hide-secrets.ts'
import type { LoggedRequest } from './logged-request.ts'
import type { RequestLog } from './request-log.ts'

/** The request log as its record stores it: secrets that are hidden for display stay in memory. */
export class RecordedRequests implements RecentRequests<LoggedRequest> {
  readonly #log: RequestLog
  readonly #source: SecretHolders

  constructor(log: RequestLog, source: SecretHolders) {
    this.#log = log
    this.#source = source
  }

  get first(): number {
    return this.#log.first
  }

  get total(): number {
    return this.#log.total
  }

  get changes(): number {
    return this.#log.changes
  }

  numberedSince(from: number, change: number): (readonly [number: number, request: LoggedRequest])[] {
    const hide = secretHiderOf(this.#source)
    return this.#log
      .numberedSince(from, change)
      .map(([number, request]) => [number, withoutSecrets(request, hide)] as const)
  }
}

function withoutSecrets(request: LoggedRequest, hide: (text: string) => string): LoggedRequest {
  const hideIn = <T extends string | undefined>(text: T) => (text === undefined ? text : hide(text)) as T
  const { target, body, bodyLength, answer, answerLength } = request
  const shown = { target: hide(target), body: hide(body), answer: hide(answer) }
  return {
    ...request,
    ...shown,
    path: hide(request.path),
    headers: request.headers.split('\n').map(hide).join('\n'),
    bodyLength: bodyLength + shown.body.length - body.length,
    answerHeaders: request.answerHeaders.map(hide),
    answerLength: answerLength + shown.answer.length - answer.length,
    notes: request.notes.map(hide),
    detail: hideIn(request.detail),
    remedy: hideIn(request.remedy),
    others: request.others.map((other) => ({
      ...other,
      ...(other.detail !== undefined && { detail: hide(other.detail) }),
      ...(other.remedy !== undefined && { remedy: hide(other.remedy) }),
    })),
    hasHidden: request.hasHidden || shown.target !== target || shown.body !== body,
  }
}
