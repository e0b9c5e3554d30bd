import { asText } from '../../client/tolerant.ts'
import { namesNewTransaction } from '../../contract/evidence/checks.ts'
import { isLookUp, isSettlement, operationRow, operations } from '../../contract/operations.ts'
import { isFinal, parseStatus, paymentTypes } from '../../contract/statuses.ts'
import type { Members } from '../../contract/validate.ts'
import { isObject } from '../../shared/is-object.ts'
import { type Answer, dataOf, membersOf, type RecordedExchange } from './archive.ts'
import { isAccepted, type References, refusalIn } from './compare.ts'

/** Members that name what an earlier request opened. */
const naming = ['transactionId', 'originalTransactionId', 'sessionId', 'originalTransactionRequestId']

/** What a whole recording tells of the payments in it. */
export interface Recording {
  /** Ids that the service knew. */
  readonly existing: ReadonlySet<string>
  /** True for a recording that begins after some payments. */
  readonly isPart: boolean
  /** Ids of payments whose end somebody decided, at their terminal or on their page. */
  readonly byHand: ReadonlySet<string>
  /** Ids of payments that a request or their time ended before somebody paid. */
  readonly unpaid: ReadonlySet<string>
  /** Merchants beside the first one, and their keys. */
  readonly others: ReadonlySet<string>
}

export function recordingOf(exchanges: readonly RecordedExchange[]): Recording {
  const accepted = exchanges.filter(({ answer }) => isAccepted(answer))
  const existing = new Set(accepted.flatMap(idsNamed))
  const own = new Set(exchanges.filter(({ answer }) => !isRefusedAsKnown(answer)).flatMap(ownId))
  const isOpened = (each: RecordedExchange) =>
    !isQuery(each) || textIn(dataOf(each.answer), 'transactionRequestId').some((id) => own.has(id))
  const opened = accepted.filter(isOpened).map(({ answer }) => dataOf(answer))
  const shown = new Set([
    ...own,
    ...['transactionId', 'sessionId'].flatMap((name) => opened.flatMap((each) => textIn(each, name))),
  ])
  const isPart = [...existing].some((id) => !shown.has(id))
  const [, ...merchants] = new Set(accepted.flatMap((each) => textIn(membersOf(each), 'merchantId')))
  const others = new Set([...merchants, ...otherKeys(accepted)])
  const named = new Map<string, RecordedExchange[]>()
  for (const each of exchanges)
    for (const id of [...idsNamed(each), ...ownId(each)]) {
      const about = named.get(id) ?? []
      named.set(id, about)
      about.push(each)
    }
  const byHand = new Set(accepted.filter(isQuery).flatMap((each) => idsByHand(each, named)))
  const ending = accepted.filter((each) => rowOf(each)?.ends || isClosed(each.answer))
  const unpaid = new Set(ending.flatMap(idsNamed).filter((id) => !byHand.has(id)))
  return { existing, isPart, byHand, unpaid, others }
}

/** Keys beside the first one that did not replace it: it is used again after them. */
function otherKeys(accepted: readonly RecordedExchange[]): string[] {
  const keys = accepted.map(({ headers }) => headers.authorization ?? '')
  return keys.filter((key, index) => key !== keys[0] && keys.lastIndexOf(keys[0] as string) > index)
}

/** The ids of a payment that a query shows, if somebody decided its end. `named`: what names each id. */
function idsByHand(query: RecordedExchange, named: ReadonlyMap<string, RecordedExchange[]>): string[] {
  const record = dataOf(query.answer)
  const status = parseStatus(asText(record.transactionStatus) ?? '')
  const [requestId = ''] = textIn(record, 'transactionRequestId')
  const opening = named.get(requestId)?.find(isOpening)
  if (opening === undefined || status === undefined || !isFinal(status)) return []
  const ids = [requestId, ...textIn(record, 'transactionId'), ...textIn(dataOf(opening.answer), 'sessionId')]
  const about = ids.flatMap((id) => named.get(id) ?? [])
  const isPage = rowOf(opening)?.opensPage === true
  const isEnded = about.some((each) => rowOf(each)?.ends === true && isAccepted(each.answer))
  const isByHand =
    status === 'CLOSED'
      ? !isPage && record.transactionResultCode == null && !isEnded && !expires(opening)
      : isPage || isEnded || hasOwnTip(record, opening, about)
  return isByHand ? ids : []
}

/** True for a record with a tip that nobody asked for by a request, and that its total has, too. */
function hasOwnTip(record: Members, opening: RecordedExchange, about: readonly RecordedExchange[]): boolean {
  const { tipAmount: tip, transactionAmount: total, ...parts } = flat(record)
  const others = ['orderAmount', 'taxAmount', 'surchargeAmount', 'cashbackAmount'].map((name) =>
    Number(parts[name] ?? 0),
  )
  const asked = flat(membersOf(opening)).tipAmount ?? 0
  const isPayment = paymentTypes.some((type) => type === rowOf(opening)?.opens)
  const isSum = total === others.reduce((sum, each) => sum + each, Number(tip))
  return isPayment && Number(tip) > Number(asked) && isSum && !about.some(isChanging)
}

/** Amounts beside the others, also where they are nested. */
const flat = ({ amount, ...members }: Members): Members => ({
  ...(isObject(amount) && (amount as Members)),
  ...members,
})

const rowOf = ({ operation }: RecordedExchange) => operation && operationRow(operation)

const isQuery = (exchange: RecordedExchange): boolean => rowOf(exchange)?.argument === 'transactionId'

export const isOpening = (exchange: RecordedExchange): boolean => rowOf(exchange)?.opens !== undefined

/** True for a request that says until when its payment waits. */
const expires = (exchange: RecordedExchange): boolean => membersOf(exchange).timeExpire != null

const isClosed = (answer: Answer): boolean =>
  parseStatus(asText(dataOf(answer).transactionStatus) ?? '') === 'CLOSED'

/** True for the opening of a payment that nobody paid. */
export const isUnpaid = (exchange: RecordedExchange, { unpaid }: Recording): boolean =>
  isOpening(exchange) &&
  [...ownId(exchange), ...textIn(dataOf(exchange.answer), 'transactionId')].some((id) => unpaid.has(id))

/** True for what changes a payment and opens none, such as its tip. */
const isChanging = (exchange: RecordedExchange): boolean =>
  rowOf(exchange)?.argument === 'originalTransactionId' &&
  !isOpening(exchange) &&
  rowOf(exchange)?.ends !== true

const textIn = (members: Members, name: string): string[] => [asText(members[name]) ?? []].flat()

/** What a request names that an earlier one opened. */
const idsNamed = (exchange: RecordedExchange): string[] =>
  [...naming, ...(isNew(exchange) ? [] : ['transactionRequestId'])].flatMap((name) =>
    textIn(membersOf(exchange), name),
  )

/** The id of what a request opens or changes. */
export const ownId = (exchange: RecordedExchange): string[] =>
  isNew(exchange) ? textIn(membersOf(exchange), 'transactionRequestId') : []

/** True for a request whose transactionRequestId is new. */
const isNew = ({ operation }: RecordedExchange): boolean =>
  operation !== undefined && namesNewTransaction(operation)

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
  const status = parseStatus(asText(dataOf(answer).transactionStatus) ?? '')
  if (isQuery(exchange) && status !== undefined && !isFinal(status)) return 'a payment that was under way'
  if (isAskedAgain(exchange, next)) return 'the next one asks the same'
  if (exchange.body === undefined) return 'its body was not recorded whole'
  if (/[?&]nextToken=./.test(target)) return 'a further page of a list'
  const ids = idsNamed(exchange)
  if (ids.some((id) => byHand.has(id))) return 'somebody decided the payment at its terminal or on its page'
  const isUnknown = (id: string) => !references.has(id) && (existing.has(id) || isPart)
  return ids.some(isUnknown) ? 'it acts on what was not recorded' : undefined
}

/** Why an answer of the sandbox says nothing; undefined when it does. */
export function whyNotCompared(
  exchange: RecordedExchange,
  own: Answer,
  { isPart }: Recording,
): string | undefined {
  const { operation, answer } = exchange
  if (isPart && isNew(exchange) && isRefusedAsKnown(answer) && isAccepted(own))
    return 'it may repeat what was not recorded'
  const closes = operation !== undefined && isSettlement(operations[operation]) && !isLookUp(operation)
  const { netAmount, transactionCount } = dataOf(answer)
  const hadPayments = [netAmount, transactionCount].some((each) => typeof each === 'number' && each !== 0)
  if (closes && hadPayments && refusalIn(own) === 'SBX_BATCH_EMPTY') return 'it settles what was not recorded'
  const isEmpty = ([name, list]: [string, unknown]) =>
    Array.isArray(list) && list.length > 0 && isEmptyList(dataOf(own)[name])
  return Object.entries(dataOf(answer)).some(isEmpty) ? 'its list is empty in the sandbox' : undefined
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** True for a request of another merchant than the first one. */
export const isOfOther = (exchange: RecordedExchange, { others }: Recording): boolean =>
  [asText(membersOf(exchange).merchantId), exchange.headers.authorization].some((each) =>
    others.has(each ?? ''),
  )

const isUnanswered = ({ answer }: RecordedExchange): boolean =>
  answer.status === 0 || answer.body === undefined

/** True for a request without an answer that reached the service: a later one shows it. */
export function wasCarriedOut(exchanges: readonly RecordedExchange[], index: number): boolean {
  const exchange = exchanges[index] as RecordedExchange
  const [id] = ownId(exchange)
  if (!isUnanswered(exchange) || id === undefined) return false
  const later = exchanges.slice(index + 1)
  const again = later.filter((each) => ownId(each)[0] === id)
  if (again.some(({ answer }) => isAccepted(answer))) return false
  return (
    again.some(({ answer }) => isRefusedAsKnown(answer)) ||
    later.some((each) => isAccepted(each.answer) && idsNamed(each).includes(id))
  )
}

/** True for a refusal that is not of a key, an address or a parameter. */
const isRefusedAsKnown = (answer: Answer): boolean =>
  ![undefined, 'C17'].includes(refusalIn(answer)) && answer.status !== 401 && answer.status !== 403

const isAskedAgain = ({ target, headers }: RecordedExchange, next: RecordedExchange | undefined): boolean =>
  next?.method === 'GET' && next.target === target && next.headers.authorization === headers.authorization
