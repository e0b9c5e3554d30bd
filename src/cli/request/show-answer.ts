import type { HttpAnswer } from '../../client/http.ts'
import { acceptedEnvelope } from '../../client/read-envelope.ts'
import type { ServiceRequest } from '../../client/request/service-request.ts'
import { bodyValue, parseJson } from '../../client/tolerant.ts'
import { type Failure, failureOf } from '../errors/failure.ts'
import { renderFailure } from '../errors/render-failure.ts'
import { hint } from '../hints/same-sandbox.ts'
import { clean, cleanLines } from '../output/clean.ts'
import { jsonText } from '../output/json-text.ts'
import { themeOf } from '../output/theme.ts'
import { withRequest } from './raw-request.ts'

/** How an answer is shown. */
interface ShowOptions {
  /** Status and headers too. */
  readonly include: boolean
}

/** One document: the body, or with --include status and headers too. A body that is not JSON is a text in it. */
export function documentOf({ status, headers, body }: HttpAnswer, { include }: ShowOptions): unknown {
  const value = bodyValue(body)
  return include ? { status, headers, body: value } : value
}

/** The body of an answer: as sent, indented for people. */
export function plainText(answer: HttpAnswer, { include }: ShowOptions): string {
  return `${include ? `${headText(answer)}\n` : ''}${process.stdout.isTTY ? forPerson(answer.body) : answer.body}`
}

function headText({ status, headers }: HttpAnswer): string {
  const theme = themeOf('stdout')
  const lines = Object.entries(headers).map(
    ([name, value]) => `${theme.faint(`${clean(name)}:`)} ${clean([value].flat().join(', '))}\n`,
  )
  return `${theme.strong(`HTTP ${status}`)}\n${lines.join('')}`
}

function forPerson(body: string): string {
  const value = parseJson(body)
  if (value !== undefined) return jsonText(value, 2)
  return body === '' || body.endsWith('\n') ? cleanLines(body) : `${cleanLines(body)}\n`
}

/** Prints on standard error why a request was not accepted, and ends with its exit code. */
export function judgeAnswer(request: ServiceRequest, path: string, answer: HttpAnswer): void {
  const failure = failureIn(request, path, answer)
  if (failure === undefined) return
  process.exitCode = failure.exitCode
  process.stderr.write(renderFailure({ ...failure, remedy: failure.remedy && hint(failure.remedy) }))
}

function failureIn(request: ServiceRequest, path: string, answer: HttpAnswer): Failure | undefined {
  try {
    acceptedEnvelope(request.url, answer)
    return undefined
  } catch (error) {
    const failure = failureOf(withRequest(error as Error, request, path))
    if (failure === undefined) throw error
    return failure
  }
}
