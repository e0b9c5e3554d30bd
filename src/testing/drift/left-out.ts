import { asText } from '../../client/tolerant.ts'
import { isLookUp, isSettlement, operationRow, operations } from '../../contract/operations.ts'
import { isFinal, parseStatus } from '../../contract/statuses.ts'
import type { Members } from '../../contract/validate.ts'
import { isObject } from '../../shared/is-object.ts'
import { type Answer, dataOf, membersOf, type RecordedExchange } from './archive.ts'
import { isAccepted, type References, refusalIn } from './compare.ts'

/** Members that name what an earlier request opened. */
const naming = ['transactionId', 'originalTransactionId', 'sessionId']

/** What a whole recording tells of the payments in it. */
export interface Recording {
  /** Ids that the service knew. */
  readonly existing: ReadonlySet<string>
  /** True for a recording that begins after some payments. */
  readonly isPart: boolean
  /** Ids of payments whose end somebody decided, at their terminal or on their page. */
  readonly byHand: ReadonlySet<string>
  /** Merchants beside the first one. */
  readonly others: readonly string[]
}

export function recordingOf(exchanges: readonly RecordedExchange[]): Recording {
  const accepted = exchanges.filter(({ answer }) => isAccepted(answer))
  const existing = new Set(accepted.flatMap(idsNamed))
  const shown = new Set(
    accepted.flatMap(({ answer }) => naming.flatMap((name) => textIn(dataOf(answer), name))),
  )
  const isPart = [...existing].some((id) => !shown.has(id))
  const [, ...others] = new Set(accepted.flatMap((each) => textIn(membersOf(each), 'merchantId')))
  const byHand = new Set(accepted.flatMap((each) => idsByHand(each, exchanges)))
  return { existing, isPart, byHand, others }
}

/** The ids of a payment that a query shows, if somebody decided its end. */
function idsByHand(query: RecordedExchange, exchanges: readonly RecordedExchange[]): string[] {
  const record = dataOf(query.answer)
  const requestId = asText(record.transactionRequestId)
  const status = parseStatus(String(record.transactionStatus))
  const opening = exchanges.find(
    (each) => isOpening(each) && membersOf(each).transactionRequestId === requestId,
  )
  if (!isQuery(query) || requestId === undefined || opening === undefined) return []
  if (status === undefined || !isFinal(status)) return []
  const ids = [requestId, ...textIn(record, 'transactionId')]
  const about = exchanges.filter((each) => namesAny(each, ids))
  const isByHand =
    status === 'CLOSED'
      ? record.transactionResultCode == null &&
        !about.some((each) => isEnding(each) && isAccepted(each.answer))
      : rowOf(opening)?.opensPage === true || hasOwnTip(record, opening, about)
  return isByHand ? [...ids, ...textIn(dataOf(opening.answer), 'sessionId')] : []
}

/** True for a record with a tip that nobody asked for by a request, and that its total has, too. */
function hasOwnTip(record: Members, opening: RecordedExchange, about: readonly RecordedExchange[]): boolean {
  const { tipAmount: tip, transactionAmount: total, ...parts } = flat(record)
  const others = ['orderAmount', 'taxAmount', 'surchargeAmount', 'cashbackAmount'].map((name) =>
    Number(parts[name] ?? 0),
  )
  const asked = flat(membersOf(opening)).tipAmount ?? 0
  const isSum = total === others.reduce((sum, each) => sum + each, Number(tip))
  return Number(tip) > Number(asked) && isSum && !about.some(isChanging)
}

/** Amounts beside the others, also where they are nested. */
const flat = ({ amount, ...members }: Members): Members => ({
  ...(isObject(amount) && (amount as Members)),
  ...members,
})

const rowOf = ({ operation }: RecordedExchange) => operation && operationRow(operation)

const isQuery = (exchange: RecordedExchange): boolean => rowOf(exchange)?.argument === 'transactionId'

const isOpening = (exchange: RecordedExchange): boolean => rowOf(exchange)?.opens !== undefined

/** True for what ends payments, and for a time after which one expires. */
const isEnding = (exchange: RecordedExchange): boolean =>
  rowOf(exchange)?.ends === true || membersOf(exchange).timeExpire != null

/** True for what changes a payment and opens none, such as its tip. */
const isChanging = (exchange: RecordedExchange): boolean =>
  rowOf(exchange)?.argument === 'originalTransactionId' && !isOpening(exchange) && !isEnding(exchange)

/** True for a request that names one of these, as its own or as what it is about. */
const namesAny = (exchange: RecordedExchange, ids: readonly string[]): boolean => {
  const members = membersOf(exchange)
  return [...naming, 'transactionRequestId', 'originalTransactionRequestId'].some((name) =>
    ids.includes(String(members[name])),
  )
}

const textIn = (members: Members, name: string): string[] => [asText(members[name]) ?? []].flat()

/** Why an exchange cannot be compared; undefined when it can. */
export function whyLeftOut(
  exchange: RecordedExchange,
  next: RecordedExchange | undefined,
  references: References,
  recording: Recording,
): string | undefined {
  const { existing, isPart, byHand } = recording
  const { answer, target } = exchange
  if (isUnanswered(exchange)) return 'its answer was not recorded'
  if (answer.status === 401 || answer.status === 403)
    return 'keys and addresses are not those of the recording'
  if (isOfOther(exchange, recording)) return 'another merchant'
  const status = parseStatus(String(dataOf(answer).transactionStatus))
  if (isQuery(exchange) && status !== undefined && !isFinal(status)) return 'a payment that was under way'
  if (isAskedAgain(exchange, next)) return 'the next one asks the same'
  if (exchange.body === undefined) return 'its body was not recorded whole'
  if (
    !isOpening(exchange)
      ? namesAny(exchange, [...byHand])
      : byHand.has(String(membersOf(exchange).originalTransactionId))
  )
    return 'somebody decided the payment at its terminal or on its page'
  const ids = idsNamed(exchange)
  if (/[?&]nextToken=./.test(target)) return 'a further page of a list'
  const isUnknown = (id: string) => !references.has(id) && (existing.has(id) || isPart)
  return ids.some(isUnknown) ? 'it acts on what was not recorded' : undefined
}

/** Why an answer of the sandbox says nothing; undefined when it does. */
export function whyNotCompared({ operation, answer }: RecordedExchange, own: Answer): string | undefined {
  const closes = operation !== undefined && isSettlement(operations[operation]) && !isLookUp(operation)
  const { netAmount, transactionCount } = dataOf(answer)
  const hadPayments = [netAmount, transactionCount].some((each) => typeof each === 'number' && each !== 0)
  if (closes && hadPayments && refusalIn(own) === 'SBX_BATCH_EMPTY') return 'it settles what was not recorded'
  const isEmpty = ([name, list]: [string, unknown]) =>
    Array.isArray(list) && list.length > 0 && isEmptyList(dataOf(own)[name])
  return Object.entries(dataOf(answer)).some(isEmpty) ? 'what it lists was not recorded' : undefined
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** True for a request of another merchant than the first one. */
export const isOfOther = (exchange: RecordedExchange, { others }: Recording): boolean =>
  others.includes(String(membersOf(exchange).merchantId))

const isUnanswered = ({ answer }: RecordedExchange): boolean =>
  answer.status === 0 || answer.body === undefined

/** True for a request without an answer that reached the service: a later one shows it. */
export function wasCarriedOut(exchange: RecordedExchange, later: readonly RecordedExchange[]): boolean {
  const id = asText(membersOf(exchange).transactionRequestId)
  if (!isUnanswered(exchange) || id === undefined) return false
  return later.some((each) => {
    const { transactionRequestId, originalTransactionRequestId } = membersOf(each)
    if (originalTransactionRequestId === id) return isAccepted(each.answer)
    const asks = each.operation !== undefined && isLookUp(each.operation)
    return (
      transactionRequestId === id && (asks ? isAccepted(each.answer) : refusalIn(each.answer) !== undefined)
    )
  })
}

const isAskedAgain = ({ target, headers }: RecordedExchange, next: RecordedExchange | undefined): boolean =>
  next?.method === 'GET' && next.target === target && next.headers.authorization === headers.authorization

const idsNamed = (exchange: RecordedExchange): string[] =>
  naming.flatMap((name) => textIn(membersOf(exchange), name))
