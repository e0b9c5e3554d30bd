import { isObject } from '../../shared/is-object.ts'
import type { WhyAnswer, WhyStep } from '../control/why-answers.ts'
import { type ErrorCode, errorTable } from '../errors.ts'
import { wholeAnswer } from '../operations/operation.ts'
import { type OperationName, operationNames, operations } from '../operations.ts'
import { type Check, checksOf, claimsOf } from './checks.ts'
import type { Covers } from './claim.ts'
import { type ClaimName, claimNames, claims, claimsAbout, claimsAboutAnswers, settingOf } from './evidence.ts'

/** Why an answer is as it is, as far as the tables of the contract say. */

/** Markdown as plain text: a link by its words and its page; details are on docs/assumptions.md alone. */
const plain = (markdown: string): string =>
  markdown
    .replace(/ ?\[Details\]\([^)]*\)\.?/g, '')
    .replace(/\[([^\]]*)\]\((\w[^)]*)\)/g, '$1 (docs/$2)')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')

/** What claims have to say, in their order; each once. `error`: what was refused with. */
const evidenceOf = (names: readonly string[], error?: string): WhyAnswer['claims'] =>
  claimNames
    .filter((name) => names.includes(name))
    .sort((one, other) => names.indexOf(one) - names.indexOf(other))
    .map((name) => {
      const { kind, says, adds, source } = claims[name]
      const setting = settingOf(name, error)
      const all = adds === undefined ? says : `${says} In the sandbox: ${adds}`
      return { name, kind, says: plain(all), source: plain(source), setting: setting && plain(setting) }
    })

/** An answer, with the claims that its steps name. */
export const explained = (
  about: string,
  summary: string,
  steps: readonly WhyStep[],
  refused?: { readonly code: string; readonly remedy: string | null },
): WhyAnswer => {
  const names = steps.flatMap((step) => step.claims)
  return { about, summary, remedy: refused?.remedy ?? null, steps, claims: evidenceOf(names, refused?.code) }
}

/** What is known of an error: of its condition, and of its code and HTTP status. */
export const claimsAboutError = (code: string): readonly ClaimName[] => [
  ...claimsAbout('errors', code),
  'envelope',
]

/** What an error means, which checks refuse with it, and how it is known. */
export function explainError(code: ErrorCode): WhyAnswer {
  const { kind, status, message, remedy } = errorTable[code]
  const sent = kind === 'http' ? `HTTP ${status}` : `HTTP 200, or ${status} with httpStatus: rest`
  const operationsByCheck = new Map<Check, OperationName[]>()
  for (const name of operationNames)
    for (const check of new Set([...checksOf(name), ...checksOf(name, { isFree: true })]))
      if (check.refuses[code] !== undefined)
        operationsByCheck.set(check, [...(operationsByCheck.get(check) ?? []), name])
  const checked = [...operationsByCheck].map(([check, names]): WhyStep => {
    const detail = names.length === operationNames.length ? 'every operation' : names.join(', ')
    return { what: check.what, result: 'refused', detail, claims: claimsOf(check, names, [code]) }
  })
  const step: WhyStep = {
    what: message,
    result: 'decided',
    detail: `sent with ${sent}`,
    claims: claimsAboutError(code),
  }
  return explained(code, `${code}: ${message}.`, [step, ...checked], { code, remedy })
}

const tables: Readonly<Record<Exclude<keyof Covers, 'errors' | 'answers'>, string>> = {
  envelope: 'a member of every answer',
  fields: 'a member of requests',
  record: 'a member of the transaction record',
  headers: 'a header',
  steps: 'a change of status',
  limits: 'a limit',
}

/** What is known of a name: an error, an operation, a claim, or a row that claims are about. */
export function explainName(name: string): WhyAnswer | undefined {
  const code = name.toUpperCase()
  if (Object.hasOwn(errorTable, code)) return explainError(code as ErrorCode)
  const operation = operationNames.find((each) => each === name)
  if (operation !== undefined) {
    const steps = checksOf(operation).map((check): WhyStep => {
      return { what: check.what, result: 'noted', detail: null, claims: claimsOf(check, [operation]) }
    })
    return explained(name, `${name} makes ${steps.length} checks, in this order.`, steps)
  }
  const claim = claimNames.find((each) => each === name)
  if (claim !== undefined)
    return { ...explained(name, `${name} is a claim.`, []), claims: evidenceOf([claim]) }
  const found = Object.entries(tables).flatMap(([table, what]) => {
    const names = claimNames.filter((each) => named(table as keyof typeof tables, each, name))
    return names.length === 0 ? [] : [{ what, names }]
  })
  if (!claimNames.some((each) => named('record', each, name))) found.push(...answersWith(name))
  if (found.length === 0) return undefined
  const summary = `${name} is ${found.map(({ what }) => what).join(', ')}.`
  return { ...explained(name, summary, []), claims: evidenceOf(found.flatMap(({ names }) => names)) }
}

/** The answers that have a member, in any case, with what describes them. */
function answersWith(name: string) {
  const having = operationNames.filter((each) =>
    membersIn(wholeAnswer(operations[each].answer)).has(name.toLowerCase()),
  )
  const names = having.flatMap(claimsAboutAnswers)
  return having.length === 0 ? [] : [{ what: `a member of answers to ${having.join(' and ')}`, names }]
}

/** The names of members at any depth, in lower case. */
function membersIn(schema: object): Set<string> {
  const { entries = {}, item, wrapped, options = [] } = schema as Nested
  const inner = [...Object.values(entries), item, wrapped, ...options]
  const names = Object.keys(entries).map((each) => each.toLowerCase())
  return new Set([...names, ...inner.flatMap((each) => (isObject(each) ? [...membersIn(each)] : []))])
}

/** What a schema may consist of: of an object, a list, an optional value, alternatives. */
interface Nested {
  readonly entries?: Readonly<Record<string, object>>
  readonly item?: object
  readonly wrapped?: object
  readonly options?: readonly object[]
}

/** True for a claim about the row of that name, in any case. */
const named = (table: keyof typeof tables, claim: ClaimName, name: string): boolean =>
  claims[claim][table]?.some((each: string) => each.toLowerCase() === name.toLowerCase()) === true
