import type { HttpAnswer } from '../../client/http.ts'
import { acceptedEnvelope } from '../../client/read-envelope.ts'
import type { ServiceRequest } from '../../client/request/service-request.ts'
import { bodyValue, parseJson } from '../../client/tolerant.ts'
import { hiddenKey } from '../../contract/control/request-log-answers.ts'
import { bearerPattern, headerNames, sandboxHeaders } from '../../contract/headers.ts'
import { curlCommand } from '../../contract/presentation/copy-as.ts'
import { applications } from '../../domain/fixtures.ts'
import type { Failure } from '../answer-shapes.ts'
import { failureOf } from '../errors/failure.ts'
import { renderFailure, shownFailure } from '../errors/render-failure.ts'
import { clean, cleanLines } from '../output/clean.ts'
import { tell } from '../output/color.ts'
import { indentedJson, jsonText } from '../output/json-text.ts'
import { theme } from '../output/theme.ts'
import { withRequest } from './raw-request.ts'

/** The target of a request, and its typed parts. */
export interface DryRunContext {
  readonly curl: boolean | undefined
  /** Certificate to trust, PEM. */
  readonly ca?: string | undefined
  readonly typed: readonly string[]
}

/** A request that is not sent, as a document and as a text, or as a curl command. Secrets are not shown. */
export function renderDraft(
  request: ServiceRequest,
  context: DryRunContext,
): readonly [document: object, text: () => string] {
  tell('The request was not sent.\n')
  if (!context.curl) {
    const { method, url, body } = request
    const headers = Object.fromEntries(shownHeaders(request))
    const document = { method, url: url.href, headers, body: body === undefined ? null : bodyValue(body) }
    return [document, () => requestText(request)]
  }
  const curl = asCurl(request, context)
  return [{ curl }, () => `${curl}\n`]
}

function requestText(request: ServiceRequest): string {
  const { method, url, body } = request
  return `${theme.strong(method)} ${url.href}\n${headerLines(shownHeaders(request))}${body === undefined ? '' : `\n${cleanLines(indentedJson(body))}\n`}`
}

const secretHeaders: readonly string[] = [headerNames.authorization, sandboxHeaders.token].map((name) =>
  name.toLowerCase(),
)

const shownHeaders = ({ headers }: ServiceRequest): [name: string, value: string][] =>
  Object.entries(headers).map(([name, value]) => {
    if (!secretHeaders.includes(name.toLowerCase())) return [name, value]
    const key = bearerPattern.exec(value)?.[1]
    return [name, key === undefined ? hiddenKey(value) : `Bearer ${hiddenKey(key)}`]
  })

/** Keys of the built-in fixtures, which everybody knows. */
const publicKeys = applications.flatMap(({ keys }) => keys.map(({ key }) => key))

/** The request as a curl command; curl sends its own User-Agent. */
function asCurl({ method, url, headers, body = '' }: ServiceRequest, { ca, typed }: DryRunContext): string {
  const isTyped = new Set(typed.map((name) => name.toLowerCase()))
  const sent = Object.entries(headers).filter(
    ([name]) => name !== 'User-Agent' || isTyped.has(name.toLowerCase()),
  )
  const key = bearerPattern.exec(headers[headerNames.authorization] ?? '')?.[1]
  return curlCommand({
    method,
    url: url.href,
    headers: sent,
    body,
    code: '0',
    publicKey: publicKeys.find((each) => each === key) ?? null,
    byCommand: { selfSigned: ca !== undefined, typed: isTyped },
  })
}

interface ShowOptions {
  readonly include: boolean
}

/** One document: the body, or with --include status and headers, too. Other bodies are a text in it. */
export function answerDocument({ status, headers, body }: HttpAnswer, { include }: ShowOptions): unknown {
  const value = bodyValue(body)
  return include ? { status, headers, body: value } : value
}

/** The body of an answer: as sent, indented for people. */
export function plainText(answer: HttpAnswer, { include }: ShowOptions): string {
  return `${include ? `${headText(answer)}\n` : ''}${process.stdout.isTTY ? forPerson(answer.body) : answer.body}`
}

function headText({ status, headers }: HttpAnswer): string {
  return `${theme.strong(`HTTP ${status}`)}\n${headerLines(Object.entries(headers))}`
}

const headerLines = (headers: readonly (readonly [name: string, value: unknown])[]): string =>
  headers
    .map(([name, value]) => `${theme.faint(`${clean(name)}:`)} ${clean([value].flat().join(', '))}\n`)
    .join('')

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
  process.stderr.write(renderFailure(shownFailure(failure)))
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
