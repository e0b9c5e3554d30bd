import { asText, decoded, parseJson } from '../../../client/tolerant.ts'
import { type AnsweredControl, controls, controlsAt } from '../../../contract/control/controls/controls.ts'
import { hiddenMark, type RequestStory } from '../../../contract/control/request-log-answers.ts'
import { acceptedBy } from '../../../contract/operation-members.ts'
import { isSettlement, type OperationName, operationNames, operations } from '../../../contract/operations.ts'
import { hideMembers } from '../../../contract/presentation/hide-members.ts'
import type { Members } from '../../../contract/validate.ts'
import { isObject } from '../../../shared/is-object.ts'

/** An accepted request of the log: its operation, its members, and the data of its answer. */
export interface RepeatableRequest {
  /** Wall-clock time in milliseconds. */
  readonly at: number
  readonly what:
    | { readonly operation: OperationName }
    | { readonly control: AnsweredControl; readonly names: Readonly<Record<string, string>> }
  readonly members: Members
  readonly answer: Members
}

/** What is known of a request and its answer, from a log or a proxy. */
export type LoggedExchange = Pick<
  RequestStory,
  'at' | 'method' | 'path' | 'url' | 'operation' | 'code' | 'request' | 'answer'
>

/** A request that no step can be made of, in words. */
export interface UnusableRequest {
  readonly at: number
  readonly unusable: string
}

/** Reads a request of the log; undefined for a look-up. A scenario acts for one merchant. */
export function recordedRequest(
  story: LoggedExchange,
  merchantId: string | undefined,
): RepeatableRequest | UnusableRequest | undefined {
  const recorded = readRequest(story)
  if (recorded === undefined || 'unusable' in recorded || !('operation' in recorded.what)) return recorded
  const other = asText(recorded.members.merchantId)
  if (other === undefined || merchantId === undefined || other === merchantId) return recorded
  return {
    at: recorded.at,
    unusable: `${operationCommand(recorded.what.operation)} for the merchant ${other}`,
  }
}

function readRequest(story: LoggedExchange): RepeatableRequest | UnusableRequest | undefined {
  const { at, method, path, operation, code, request, answer } = story
  const name = operation === null ? `${method} ${path}` : operationCommand(operation)
  if (code !== '0') return { at, unusable: `${name} (refused${code && `: ${code}`})` }
  if (method === 'GET') return isLookedAt(path) ? requestParts(story, lookUpMembers(story)) : undefined
  const members = objectIn(hideMembers(request.body))
  const isHidden = request.body === hiddenMark || isPartlyHidden(operation, members)
  if (request.cut || answer.cut || isHidden)
    return { at, unusable: `${name}: the log does not have all of it` }
  return requestParts(story, members)
}

/** A hidden member that is not the operation's own is missed by nobody: a step leaves it out. */
const isPartlyHidden = (operation: string | null, members: Members): boolean =>
  JSON.stringify(isOperation(operation) ? acceptedBy(operation, members) : members).includes(hiddenMark)

const isOperation = (name: string | null): name is OperationName =>
  operationNames.includes(name as OperationName)

/** Look-ups that a person makes to see totals; queries of payments are how a caller waits. */
const isLookedAt = (path: string): boolean => isSettlement({ path })

const lookUpMembers = ({ url }: LoggedExchange): Members =>
  URL.canParse(url) ? Object.fromEntries(new URL(url).searchParams) : {}

const operationCommand = (name: string): string => (isOperation(name) ? operations[name].command : name)

function requestParts({ at, method, path, operation, answer }: LoggedExchange, members: Members) {
  const exchange = { at, members, answer: answerData(answer.body) }
  if (operation !== null) return isOperation(operation) ? { ...exchange, what: { operation } } : undefined
  const control = controlAt(method, path)
  return control && { ...exchange, what: control }
}

/** The data of an answer; none for any other text. */
export function answerData(body: string): Members {
  const { data } = objectIn(body)
  return isObject(data) ? data : {}
}

const objectIn = (text: string): Members => {
  const value = parseJson(text)
  return isObject(value) ? value : {}
}

/** The control operation at a path, with the values of the names in it. */
function controlAt(method: string, path: string) {
  const row = controlsAt(path).find((each) => each.method === method && controls[each.name].answer !== null)
  if (row === undefined) return undefined
  const names = Object.entries(row.pattern.exec(path)?.groups ?? {})
  return {
    control: row.name as AnsweredControl,
    names: Object.fromEntries(names.map(([key, value]) => [key, decoded(value)])),
  }
}
