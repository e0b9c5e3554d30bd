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
import { unwrap } from '../../contract/member-kinds.ts'
import { type MemberSchemas, memberAt } from '../../contract/operation-members.ts'
import { type OperationName, operationNames, operations } from '../../contract/operations.ts'
import { isObject } from '../../shared/is-object.ts'
import { parseJsonOr } from '../../shared/text/json-oddities.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { withLookUp } from '../errors/failure.ts'
import { exactValue, membersIn } from './json-input.ts'

/** What `--data` says: `amount=1000`, `amount.tipAmount=100`, `attach:="42"`. */
interface Datum {
  readonly key: string
  readonly text: string
  /** True for `:=`, whose value is JSON. */
  readonly isJson: boolean
}

/** How data is typed, for help. */
export const dataHelp =
  'Data: -d name=value adds a field; numbers, true, false and null keep their type, anything else is text. A field that ' +
  'the operation at the path takes as text stays text. name:=json adds any JSON: -d attach:=\'"42"\'. Dots lead into objects: ' +
  '-d amount.orderAmount=1000. A GET sends data in its query.'

const typed = /^([^=:\s]+?)\s*(:?=)(.*)$/s

const dataFrom = (texts: readonly string[]): Datum[] =>
  texts.map((text) => {
    const [, key = '', sign, value = ''] = typed.exec(text) ?? []
    const isKey = key !== '' && key.split('.').every((step) => step !== '' && step !== '__proto__')
    if (isKey) return { key, text: value, isJson: sign === ':=' }
    throw new UsageError(
      ['--data', `${text} is not a field`],
      'Write name=value, such as -d amount=1000, or name:=json',
    )
  })

/** Adds data to fields; `entries`: the fields of a known operation. assumption: cli-input */
function withData(
  members: Readonly<Record<string, unknown>>,
  data: readonly Datum[],
  entries: MemberSchemas,
): Record<string, unknown> {
  const result = structuredClone({ ...members })
  for (const datum of data) {
    const path = datum.key.split('.')
    put(result, path, datumValue(datum, isText(entries, path)), datum)
  }
  return result
}

function isText(entries: MemberSchemas, path: readonly string[]): boolean {
  const schema = memberAt(entries, path)
  return schema !== undefined && unwrap(schema).type === 'string'
}

function datumValue({ key, text, isJson }: Datum, isText: boolean): unknown {
  if (!isJson) return isText ? text : plainValue(text)
  const value = parseJsonOr(
    text,
    ({ reason, column }) =>
      new UsageError(
        ['--data', `${key}:=${text} is not JSON: ${reason}, column ${column} of the value`],
        `For a text write ${key}=${text}`,
      ),
  )
  return exactValue('data', key, text, value)
}

/** A number, true, false or null; any other text, and a number that would change, stays text. */
function plainValue(text: string): unknown {
  const value = parseJson(text)
  const isPlain = value === null || typeof value === 'boolean'
  return isPlain || (typeof value === 'number' && String(value) === text) ? value : text
}

/** Puts a value at a path. */
function put(
  holder: Record<string, unknown>,
  [step = '', ...rest]: readonly string[],
  value: unknown,
  datum: Datum,
): void {
  if (/^\d+$/.test(step)) throw notThere(datum, step)
  if (rest.length === 0) {
    holder[step] = value
    return
  }
  const inner = Object.hasOwn(holder, step) ? holder[step] : {}
  if (!isObject(inner)) throw notThere(datum, step)
  holder[step] = inner
  put(inner as Record<string, unknown>, rest, value, datum)
}

const notThere = ({ key, text }: Datum, step: string): UsageError =>
  new UsageError(
    ['--data', `${key}=${text} has no place: ${step} cannot be reached`],
    'Only objects have fields; a list is set as a whole, with name:=json',
  )

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

/** The path after the base URL. */
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

/** The request. */
export function rawRequest(target: Target, input: RawInput): ServiceRequest {
  const { method, path } = input
  const query = method === 'GET' ? rawQuery(input) : undefined
  const { url } = urlAndBody(method, target.baseUrl, path, query)
  const body = method === 'GET' ? undefined : rawBody(input)
  const made = reachesControl(target, path)
    ? { ...controlHeaders(target.token, body !== undefined), 'User-Agent': target.userAgent }
    : serviceHeaders(target, input)
  return { method, url, headers: withHeaders(made, input.headers), body }
}

function rawQuery({ data, input }: RawInput): Record<string, unknown> {
  const members = input === undefined ? {} : membersIn(input.text, input.source)
  return { ...members, ...Object.fromEntries(dataFrom(data).map(({ key, text }) => [key, text])) }
}

/**
 * The text of --input unchanged, even if it is not JSON; with data, both as JSON. Only then does a DELETE
 * have a body.
 */
function rawBody({ method, path, data, input }: RawInput): string | undefined {
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
function withHeaders(made: Readonly<Record<string, string>>, typed: RawInput['headers']) {
  const names = new Set(typed.map(([name]) => name.toLowerCase()))
  const remaining = Object.entries(made).filter(([name]) => !names.has(name.toLowerCase()))
  return Object.fromEntries([...remaining, ...typed.filter(([, value]) => value !== '')])
}

/** Sends it. Errors: Unreachable; ForeignAnswer; LostAnswer where an operation may have happened. */
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

/** The error of a request; where an operation may have happened, with the command that looks it up. */
export function withRequest(error: Error, { method, body = '' }: ServiceRequest, path: string): Error {
  const operation = operationAt(path)
  if (method === 'GET' || operation === undefined) return error
  const sent = parseJson(body)
  const members = isObject(sent) ? sent : {}
  return withLookUp(lostAnswerOr(error, operation, members), operation, members)
}
