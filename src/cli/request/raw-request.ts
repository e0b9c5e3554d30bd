import { type HttpAnswer, longestListing, send } from '../../client/http.ts'
import { lostAnswerOr } from '../../client/lost-answer.ts'
import {
  controlHeaders,
  type ServiceRequest,
  serviceHeaders,
  type Target,
  urlAndBody,
} from '../../client/request/service-request.ts'
import { decoded, parseJson } from '../../client/tolerant.ts'
import { type OperationName, operationNames, operations } from '../../contract/operations.ts'
import { isObject } from '../../is-object.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { withLookUp } from '../errors/failure.ts'
import { dataFrom, queryData, withData } from './data-members.ts'
import { membersIn } from './json-input.ts'

/** A request as typed. */
export interface RawInput {
  readonly method: string
  readonly path: string
  /** `name=value`, each. */
  readonly data: readonly string[]
  /** Body or members, and where they are from. */
  readonly input: { readonly text: string; readonly source: string } | undefined
  /** Headers that were typed; one without a value takes a header away. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly clientRequestId: string | undefined
}

/** The path after the base URL. Errors: UsageError for a URL: the key goes only to the service. */
export function pathFrom(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:|^\/\//i.test(text)) return text.startsWith('/') ? text : `/${text}`
  throw new UsageError(
    `${text} is a URL, not a path`,
    'Pass the path alone, such as /v1/transaction/query, and name the service with --base-url or --profile',
    'path',
  )
}

/** True for a path of the control interface, however it is written. */
export function reachesControl(target: Pick<Target, 'baseUrl'>, path: string): boolean {
  const { pathname } = urlAndBody('POST', target.baseUrl, path).url
  return /\/_sandbox(\/|$)/.test(decoded(pathname))
}

/** The request. Errors: UsageError. */
export function rawRequest(target: Target, input: RawInput): ServiceRequest {
  const { method, path } = input
  const query = method === 'GET' ? queryOf(input) : undefined
  const { url } = urlAndBody(method, target.baseUrl, path, query)
  const body = method === 'GET' ? undefined : bodyOf(input)
  const made = reachesControl(target, path)
    ? { ...controlHeaders(target.token, body !== undefined), 'User-Agent': target.userAgent }
    : serviceHeaders(target, input)
  return { method, url, headers: withHeaders(made, input.headers), body }
}

function queryOf({ data, input }: RawInput): Record<string, unknown> {
  const members = input === undefined ? {} : membersIn(input.text, input.source)
  return { ...members, ...queryData(dataFrom(data)) }
}

/**
 * The text of --input unchanged, even if it is not JSON; with data, both as JSON. Only then does a DELETE have a body.
 */
function bodyOf({ method, path, data, input }: RawInput): string | undefined {
  if (data.length === 0) return input?.text ?? (method === 'DELETE' ? undefined : '{}')
  const members = input === undefined ? {} : membersIn(input.text, input.source)
  const operation = operationAt(path)
  const entries = operation === undefined ? {} : operations[operation].input.entries
  return JSON.stringify(withData(members, dataFrom(data), entries))
}

/** The operation at a path of the service; undefined for none. */
export const operationAt = (path: string): OperationName | undefined => {
  const [pathname] = path.split(/[?#]/)
  return operationNames.find((name) => operations[name].path === pathname)
}

/** A typed header replaces the generated one of the same name; an empty value removes it. */
function withHeaders(
  made: Readonly<Record<string, string>>,
  typed: RawInput['headers'],
): Record<string, string> {
  const names = new Set(typed.map(([name]) => name.toLowerCase()))
  const remaining = Object.entries(made).filter(([name]) => !names.has(name.toLowerCase()))
  return Object.fromEntries([...remaining, ...typed.filter(([, value]) => value !== '')])
}

/** Sends it. Errors: Unreachable; ForeignAnswer; LostAnswer for an operation that may have been carried out. */
export async function sendRaw(
  request: ServiceRequest,
  { ca }: Pick<Target, 'ca'>,
  path: string,
): Promise<HttpAnswer> {
  try {
    return await send({ ...request, ca }, longestListing)
  } catch (error) {
    throw withRequest(error as Error, request, path)
  }
}

/** The error of a request; of an operation that may have been carried out with the command that looks it up. */
export function withRequest(error: Error, { method, body = '' }: ServiceRequest, path: string): Error {
  const operation = operationAt(path)
  if (method === 'GET' || operation === undefined) return error
  const sent = parseJson(body)
  const members = isObject(sent) ? sent : {}
  return withLookUp(lostAnswerOr(error, operation, members), operation, members)
}
