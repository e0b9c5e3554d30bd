import { asText } from '../../client/tolerant.ts'
import { hiddenMark } from '../../contract/control/request-log-answers.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { checksOf, claimsOf, refusedBy } from '../../contract/evidence/checks.ts'
import {
  type ClaimName,
  claimsAbout,
  claimsAboutAnswers,
  settingOf,
} from '../../contract/evidence/evidence.ts'
import { isSettlement, type OperationName, operationNames, operations } from '../../contract/operations.ts'
import { isObject } from '../../shared/is-object.ts'
import type { Answer } from './archive.ts'
import { formOf, fromCard, isSecret, keptOf, kindOf, shown } from './values.ts'

/** A place where an answer of the service and that of a sandbox differ. */
export interface Difference {
  /**
   * The operation, or the code with which the sandbox refuses; `refusals` for their HTTP status, `answers`
   * for what each answer has.
   */
  readonly of: string
  readonly where: string
  readonly sandbox: string
  readonly service: string
  /** Both answers by type and code, without a value that may be somebody's. */
  readonly kept: Sides
  /** What of the sandbox it contradicts. */
  readonly claim: ClaimName
}

type Sides = readonly [sandbox: string, service: string]

/** Ids that the service gave, and those of the sandbox for the same things. */
export type References = Map<string, string>

/** Members whose values are ids of the service: of another form, or of another thing, they differ. */
const ids = ['transactionId', 'originalTransactionId', 'sessionId']

/** Members whose values differ from run to run: times, numbers, codes, and what depends on the card. */
const varying = [
  ...['traceId', 'createTime', 'completeTime', 'batchTime', 'startTime', 'expiresAt', 'expiredAt'],
  ...['batchNo', 'voucherNo', 'stan', 'rrn', 'authCode', 'checkoutUrl'],
  ...['appId', 'merchantId', 'maskedPan', ...fromCard],
]

/** Headers of an answer that clients read, with their usual values. */
const readHeaders = {
  'content-type': /^[a-z]+\/[a-z.+-]{1,40}(;charset=[a-z\d-]{1,12})?$/,
  'retry-after': /^\d{1,6}$/,
  allow: /^((get|post|put|patch|delete|head|options),?)+$/,
}

/**
 * Where an answer of the service differs from that of a sandbox to the same request: by type and form, not by
 * what differs from run to run. Where one refuses what the other accepts, only their codes differ, and not
 * what follows from it. `references` grows by the ids of both. No place shows `key` or card data.
 */
export function differences(
  operation: string,
  service: Answer,
  sandbox: Answer,
  references: References,
  key = '',
): readonly Difference[] {
  const comparison = new Comparison(operation, service, sandbox, references, key)
  comparison.compareAnswers()
  return comparison.found
}

/** Two answers to the same request, and where they differ. */
class Comparison {
  readonly found: Difference[] = []
  readonly #operation: OperationName | undefined
  readonly #isForeign: boolean
  readonly #refusal: string | undefined
  readonly #isRefusedThere: boolean

  constructor(
    private readonly name: string,
    private readonly service: Answer,
    private readonly sandbox: Answer,
    private readonly references: References,
    private readonly key: string,
  ) {
    this.#operation = operationNames.find((each) => each === name)
    this.#isForeign = this.#operation !== undefined && showsOthers(this.#operation)
    this.#refusal = refusalIn(sandbox)
    this.#isRefusedThere = refusalIn(service) !== undefined
  }

  compareAnswers(): void {
    const { sandbox, service } = this
    const [code, theirs] = [codeOf(sandbox), codeOf(service)]
    const isOtherCode = code !== undefined && theirs !== undefined && code !== theirs
    if (isOtherCode) this.#differInCode(code, theirs)
    if (isOtherCode && (this.#refusal === undefined || !this.#isRefusedThere)) return
    if (sandbox.status !== service.status)
      this.#differ('HTTP status', [String(sandbox.status), String(service.status)])
    for (const [name, usual] of Object.entries(readHeaders)) this.#compareHeader(name, usual)
    const [body, other] = [sandbox, service].map(({ body }) => (isOtherCode ? withoutCode(body) : body))
    this.#compare('', body, other)
  }

  #differ(where: string, [sandbox, service]: Sides, kept: Sides = [sandbox, service], of?: string): void {
    const [operation, refusal, isRefusedThere] = [this.#operation, this.#refusal, this.#isRefusedThere]
    const refused = { code: refusal, msg: messageOf(this.sandbox) }
    this.found.push({
      of: of ?? ofEach(where, refusal, isRefusedThere) ?? (operation && refusal) ?? this.name,
      where,
      sandbox,
      service,
      kept: kept[0] === kept[1] ? [kept[0], `another ${kept[1]}`] : kept,
      claim: contradicted(operation, where, refused, isRefusedThere),
    })
  }

  #differInCode(code: string, theirs: string): void {
    const { sandbox, service, key } = this
    const about = this.#isRefusedThere ? '' : memberRefused(sandbox)
    this.#differ(
      'code',
      [codeWithMessage(sandbox, key), codeWithMessage(service, key)],
      [keptOf('code', code, key) + about, keptOf('code', theirs, key)],
    )
  }

  #compareHeader(name: string, usual: RegExp): void {
    const [one, other] = [headerOf(this.sandbox, name), headerOf(this.service, name)]
    if (one === other) return
    const sides: Sides = [shown(name, one, this.key), shown(name, other, this.key)]
    const kept = (value = 'absent') => (value === 'absent' || usual.test(value) ? value : 'text')
    this.#differ(`header ${name}`, sides, [kept(one), kept(other)])
  }

  #compare(where: string, one: unknown, other: unknown): void {
    const name = nameIn(where)
    const isAlike = kindOf(one) === kindOf(other)
    if (isAlike && Array.isArray(one) && Array.isArray(other)) return this.#compareLists(where, one, other)
    if (isAlike && isObject(one) && isObject(other)) return this.#compareMembers(where, one, other)
    if (ids.includes(name)) return this.#compareIds(where, one, other)
    const isOfOthers = this.#isForeign && where.startsWith('data')
    if (isAlike && (isOfOthers || varying.includes(name))) {
      const forms: Sides = [formOf(name, one), formOf(name, other)]
      if (forms[0] !== forms[1]) this.#differ(where, forms)
    } else if (!isAlike || one !== other) {
      const of = where === 'code' ? 'answers' : undefined // the same code, of another type
      this.#differInValue(where, one, other, of)
    }
  }

  #differInValue(where: string, one: unknown, other: unknown, of?: string): void {
    const [name, key] = [nameIn(where), this.key]
    const sides: Sides = [shown(name, one, key), shown(name, other, key)]
    this.#differ(where, sides, [keptOf(name, one, key), keptOf(name, other, key)], of)
  }

  /** An id has the same form in each answer, and names the same thing on both sides. */
  #compareIds(where: string, one: unknown, other: unknown): void {
    const [name, own, theirs] = [nameIn(where), asText(one), asText(other)]
    const forms: Sides = [formOf(name, one), formOf(name, other)]
    const of = own === undefined || theirs === undefined ? undefined : 'answers'
    if (kindOf(one) !== kindOf(other)) this.#differInValue(where, one, other, of)
    else if (forms[0] !== forms[1]) this.#differ(where, forms, forms, 'answers')
    if (own === undefined || theirs === undefined) return
    const known = this.references.get(theirs) ?? own
    if (known !== own) this.#differ(where, ['the id of one thing', 'the id of another'])
    else this.references.set(theirs, own)
  }

  #compareLists(where: string, one: readonly unknown[], other: readonly unknown[]): void {
    const [count, others] = [one.length, other.length]
    if (!this.#isForeign && count !== others) {
      const kept: Sides = ['list', others > count ? 'longer list' : 'shorter list']
      return this.#differ(where, [`${count} entries`, `${others} entries`], kept)
    }
    for (let at = 0; at < Math.min(this.#isForeign ? 1 : count, count, others); at++)
      this.#compare(`${where}[${at}]`, one[at], other[at])
  }

  #compareMembers(where: string, one: object, other: object): void {
    const [mine, theirs] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
    for (const name of new Set([...mine.keys(), ...theirs.keys()])) {
      if (this.#isForeign && name === 'nextToken') continue // a list that is longer there has more pages
      const isName = /^[A-Za-z_]\w{0,63}$/.test(name) && !isSecret('', name, this.key)
      const place = isName ? name : hiddenMark
      this.#compare(where === '' ? place : `${where}.${place}`, mine.get(name), theirs.get(name))
    }
  }
}

/** Look-ups of batches and merchants show what was there before: their values are compared by form. */
const showsOthers = (operation: OperationName): boolean =>
  isSettlement(operations[operation]) || operations[operation].path.startsWith('/v1/merchant/')

/** The code of an accepted request. */
const accepted = '0'

/** True for an answer to an accepted request. */
export const isAccepted = (answer: Answer): boolean => codeOf(answer) === accepted

/** The code of a refusal; undefined for another answer. */
export const refusalIn = (answer: Answer): string | undefined =>
  isAccepted(answer) ? undefined : codeOf(answer)

/** The code of an answer; undefined for one that has none. */
function codeOf({ body }: Answer): string | undefined {
  const code = isObject(body) ? (body as { code?: unknown }).code : undefined
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined
}

/** The words of a refusal. */
const messageOf = ({ body }: Answer): string => {
  const { msg } = (isObject(body) ? body : {}) as { readonly msg?: unknown }
  return asText(msg) ?? ''
}

/** The member that a wrong parameter is about, after a space. */
const memberRefused = (answer: Answer): string =>
  refusalIn(answer) === 'C17'
    ? (/^[A-Za-z]\w*(?=[:.[])/.exec(messageOf(answer)) ?? []).map((name) => ` ${name}`).join('')
    : ''

/** The body of a refusal but for its code, and the words that belong to that. */
function withoutCode(body: unknown): unknown {
  const { code: _, msg: __, ...rest } = body as Readonly<Record<string, unknown>>
  return rest
}

/** The code of an answer, of a refusal with its message. */
const codeWithMessage = ({ body }: Answer, key: string): string => {
  const { code, msg } = body as { readonly code?: unknown; readonly msg?: unknown }
  return code === accepted
    ? shown('code', code, key)
    : `${shown('code', code, key)} ${shown('msg', msg, key)}`
}

const headerOf = ({ headers }: Answer, name: string): string | undefined =>
  headers[name]?.toLowerCase().replaceAll(' ', '')

/** The name of the member at a place. */
const nameIn = (where: string): string =>
  where
    .replace(/\[\d+\]/g, '')
    .split('.')
    .at(-1) ?? ''

/**
 * Of what answers a difference is, beyond its operation or refusal: what is around `data` is the same in
 * each. Undefined: of no others.
 */
function ofEach(where: string, refused: string | undefined, isRefusedThere: boolean): string | undefined {
  const [first = ''] = where.split(/[.[]/)
  if (first === 'msg') return refused === undefined ? 'answers' : undefined
  if (first === 'HTTP status') return refused !== undefined && isRefusedThere ? 'refusals' : undefined
  return ['', 'data', 'code', 'header retry-after', 'header allow'].includes(first) ? undefined : 'answers'
}

/** The claim that a difference contradicts. `refused`: the code of the sandbox, if it refused. */
function contradicted(
  operation: OperationName | undefined,
  where: string,
  { code: refused, msg }: { readonly code: string | undefined; readonly msg: string },
  isRefusedThere: boolean,
): ClaimName {
  const name = nameIn(where)
  const isCode = where === 'code' || where === 'msg'
  const isForm = ['', 'header content-type'].includes(where)
  const ofError = refused === undefined ? [] : claimsOfRefusal(operation, refused as ErrorCode, msg)
  // a request that the service accepts may pass here by a setting, but for a wrong parameter
  const isSettable = !isRefusedThere && refused !== 'C17'
  const bySetting = ofError.filter((claim) => isSettable && settingOf(claim, refused) !== null)
  const messages = ofError.filter((claim) => where === 'msg' && claim === 'refund-messages')
  const described = operation === undefined ? [] : claimsAboutAnswers(operation)
  const [claim = 'operations'] = [
    ...(isCode ? [...bySetting, ...messages, ...ofError] : []),
    ...(where === 'HTTP status' ? (['envelope'] as const) : []),
    ...(where.startsWith('header ') && !isForm ? claimsAbout('headers', headerNamed(where)) : []),
    ...(isCode && refused === undefined && isRefusedThere ? (['operations'] as const) : []),
    ...(where === '' ? [] : claimsAbout('envelope', where)),
    ...(isForm || !where.startsWith('data') ? (['sdk-envelope'] as const) : []),
    ...(name === 'transactionStatus' ? (['statuses'] as const) : []),
    ...described.filter((each) => each !== 'record'),
    ...claimsAbout('record', name),
    ...described,
  ]
  return claim
}

/** The claims of the check that refused. */
function claimsOfRefusal(
  operation: OperationName | undefined,
  code: ErrorCode,
  msg: string,
): readonly ClaimName[] {
  if (operation === undefined) return claimsAbout('errors', code)
  const checks = [...checksOf(operation), ...checksOf(operation, { isFree: true })]
  const check = checks[refusedBy(checks, code, msg)]
  return check === undefined ? claimsAbout('errors', code) : claimsOf(check, [operation], [code])
}

const headerNamed = (where: string): string =>
  where.replace('header ', '').replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
