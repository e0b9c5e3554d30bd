import { hiddenMark } from '../../contract/control/request-log-answers.ts'
import { type ClaimName, claims, claimsAbout } from '../../contract/evidence/evidence.ts'
import { isSettlement, type OperationName, operations } from '../../contract/operations.ts'
import { holdsCardData } from '../../sandbox/http/card-data.ts'
import { isObject } from '../../shared/is-object.ts'
import type { Answer } from './archive.ts'

/** A place where an answer of the service and that of a sandbox differ. */
export interface Difference {
  readonly where: string
  readonly sandbox: string
  readonly service: string
  /** What of the sandbox it contradicts. */
  readonly claim: ClaimName
  /** How the sandbox follows it. */
  readonly follow: string
}

/** Ids that the service gave, and those of the sandbox for the same things. */
export type References = Map<string, string>

/** Members whose values are ids of the service: of another form, or of another thing, they differ. */
const ids = ['transactionId', 'originalTransactionId', 'sessionId']

/** Members whose values differ from run to run: times, numbers, codes, and what depends on the card. */
const varying = [
  ...['traceId', 'createTime', 'completeTime', 'batchTime', 'startTime', 'expiresAt', 'expiredAt'],
  ...['batchNo', 'voucherNo', 'stan', 'rrn', 'authCode', 'checkoutUrl', 'nextToken'],
  ...['appId', 'merchantId', 'maskedPan', 'cardNetworkType', 'entryMode', 'authenticationMethod'],
  ...['paymentMethod', 'paymentMethodId', 'subPaymentMethod', 'subPaymentMethodId'],
]

/** Headers of an answer that clients read. */
const readHeaders = ['content-type', 'retry-after', 'allow']

/**
 * Where an answer of the service differs from that of a sandbox to the same request: by type and form, not by
 * what differs from run to run. `references` grows by the ids of both. No place shows `key` or card data.
 */
export function differences(
  operation: OperationName,
  service: Answer,
  sandbox: Answer,
  references: References,
  key?: string,
): Difference[] {
  const found: Difference[] = []
  const { path } = operations[operation]
  /** Look-ups of batches and merchants show what was there before: their values are compared by form. */
  const isForeign = isSettlement({ path }) || path.startsWith('/v1/merchant/')
  const differ = (where: string, one: string, other: string) =>
    found.push({
      where: holdsCardData(where) ? hiddenMark : where,
      sandbox: one,
      service: other,
      ...followed(where, sandbox),
    })
  const shownIn = (name: string, value: unknown) => shown(name, value, key)

  const compare = (where: string, one: unknown, other: unknown): void => {
    const name = where.split('.').at(-1) ?? ''
    if (kindOf(one) !== kindOf(other)) return void differ(where, shownIn(name, one), shownIn(name, other))
    if (Array.isArray(one) && Array.isArray(other)) return compareLists(where, one, other)
    if (isObject(one) && isObject(other)) return compareMembers(where, one, other)
    const byForm = isForeign || varying.includes(name) || ids.includes(name)
    const [form, otherForm] = byForm ? [formOf(name, one), formOf(name, other)] : [one, other]
    if (form !== otherForm)
      byForm
        ? differ(where, String(form), String(otherForm))
        : differ(where, shownIn(name, one), shownIn(name, other))
    else if (ids.includes(name)) compareIds(where, String(one), String(other))
  }

  const compareIds = (where: string, one: string, other: string): void => {
    const known = references.get(other) ?? one
    if (known !== one) differ(where, 'the id of one thing', 'the id of another')
    else references.set(other, one)
  }

  const compareLists = (where: string, one: readonly unknown[], other: readonly unknown[]): void => {
    if (!isForeign && one.length !== other.length)
      return void differ(where, `${one.length} entries`, `${other.length} entries`)
    const most = isForeign ? 1 : one.length
    for (let at = 0; at < Math.min(most, one.length, other.length); at++)
      compare(`${where}[${at}]`, one[at], other[at])
  }

  const compareMembers = (where: string, one: object, other: object): void => {
    const [mine, theirs] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
    for (const name of new Set([...mine.keys(), ...theirs.keys()]))
      compare(where === '' ? name : `${where}.${name}`, mine.get(name), theirs.get(name))
  }

  if (sandbox.status !== service.status) differ('HTTP status', String(sandbox.status), String(service.status))
  for (const name of readHeaders)
    compare(`header ${name}`, plainHeader(sandbox, name), plainHeader(service, name))
  compare('', sandbox.body, service.body)
  return found
}

const plainHeader = ({ headers }: Answer, name: string): string | undefined =>
  headers[name]?.toLowerCase().replaceAll(' ', '')

const kindOf = (value: unknown): string => {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

const mostShown = 80

/** A value in a report; a list or an object by its kind. */
function shown(name: string, value: unknown, key = ''): string {
  if (typeof value === 'object' || value === undefined) return kindOf(value)
  const text = JSON.stringify(value)
  const isSecret = holdsCardData(JSON.stringify({ [name]: value })) || (key !== '' && text.includes(key))
  return isSecret ? hiddenMark : text.slice(0, mostShown)
}

/** The form of a value that differs from run to run: of a number its sign, of a text what it is made of. */
function formOf(name: string, value: unknown): string {
  if (typeof value === 'number')
    return `${Number.isInteger(value) ? 'integer' : 'fraction'}, ${value < 0 ? '−' : '+'}`
  if (typeof value !== 'string') return String(value)
  if (name === 'traceId') return 'text'
  if (name === 'authCode') return `${value.length} characters`
  if (/^\d{4}-\d\d-\d\d/.test(value))
    return value
      .replace(/\d/g, '9')
      .replace(/\.9+/, '.9')
      .replace(/[+-]99:99$|Z$/, '+99:99')
  if (/^\d+$/.test(value))
    return ['batchNo', 'merchantId'].includes(name) ? 'digits' : `${value.length} digits`
  if (/^\d{6}\*+\d{4}$/.test(value)) return 'masked card number'
  return URL.canParse(value) ? 'URL' : 'text'
}

/** The claim that a difference contradicts, and how to follow it. */
function followed(where: string, { body }: Answer): Pick<Difference, 'claim' | 'follow'> {
  const name =
    where
      .replace(/\[\d+\]/g, '')
      .split('.')
      .at(-1) ?? ''
  const code = isObject(body) ? String((body as { code?: unknown }).code) : ''
  const isRefused = ['HTTP status', 'code', 'msg'].includes(where) && code !== '0'
  const [claim = 'envelope'] = [
    ...(isRefused ? claimsAbout('errors', code) : []),
    ...(where.startsWith('header ') ? claimsAbout('headers', headerNamed(where)) : []),
    ...(name === 'transactionStatus' ? (['statuses'] as const) : []),
    ...claimsAbout('record', name),
    ...claimsAbout('fields', name),
  ]
  const { setting } = claims[claim]
  // a refusal of the service has codes and words of its own, which no setting gives
  return { claim, follow: setting === null || isRefused ? 'Report it' : `Setting: ${setting}` }
}

const headerNamed = (where: string): string =>
  where.replace('header ', '').replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
