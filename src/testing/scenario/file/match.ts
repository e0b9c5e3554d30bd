import { amountText } from '../../../contract/presentation/money.ts'
import { parseStatuses } from '../../../contract/statuses.ts'
import type { Flaw, Path } from '../../../sandbox/fixture-files/fixtures-problems.ts'
import { isObject } from '../../../shared/is-object.ts'
import { referencesIn } from './references.ts'
import { moneyIn } from './written-amounts.ts'

/** An expected value and the actual one. */
export interface Difference {
  /** Path within the expectation. */
  readonly path: Path
  readonly expected: string
  readonly actual: string
}

/** What a comparison holds against, with the currency in which amounts are. */
type Compare = (actual: unknown, wanted: unknown, currency: string | undefined) => boolean

/** The comparisons; all in one object must hold. `what`: what is wanted; `word`: before it in a message. */
const comparisons = {
  is: {
    what: 'text, number, boolean, list, object, null, any or absent',
    word: 'is ',
    holds: (actual, kind) => isKind(String(kind), actual),
  },
  not: {
    what: 'any other value',
    word: 'not ',
    holds: (actual, wanted, currency) => differences(wanted, actual, [], currency).length > 0,
  },
  gt: { what: 'greater than', word: '> ', holds: byNumber((one, other) => one > other) },
  gte: { what: 'at least', word: '≥ ', holds: byNumber((one, other) => one >= other) },
  lt: { what: 'less than', word: '< ', holds: byNumber((one, other) => one < other) },
  lte: { what: 'at most', word: '≤ ', holds: byNumber((one, other) => one <= other) },
  matches: {
    what: 'text that matches this regular expression',
    word: 'matches ',
    holds: (actual, wanted) =>
      (typeof actual === 'string' || typeof actual === 'number') &&
      new RegExp(String(wanted)).test(String(actual)),
  },
  contains: {
    what: 'text that contains this part, or a list that contains this entry',
    word: 'contains ',
    holds: (actual, wanted, currency) =>
      Array.isArray(actual)
        ? actual.some((each) => differences(wanted, each, [], currency).length === 0)
        : typeof actual === 'string' && actual.includes(String(wanted)),
  },
} as const satisfies Readonly<Record<string, { what: string; word: string; holds: Compare }>>
type Comparison = keyof typeof comparisons

/** Comparisons with their descriptions. */
export const matchers: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(comparisons).map(([name, { what }]) => [name, what])),
  length: 'number of characters or entries: a number, or a comparison',
}

/** True for an object of comparisons, which is not a shape. */
const isMatcher = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((name) => Object.hasOwn(matchers, name))

/** Comparisons of an unknown kind, or with a wrong regular expression; references are not known yet. */
export function wrongMatchersIn(expected: unknown, path: Path): Flaw[] {
  if (typeof expected !== 'object' || expected === null) return []
  const isComparison = isMatcher(expected)
  return Object.entries(expected).flatMap(([name, value]) => {
    const at = [...path, Array.isArray(expected) ? Number(name) : name]
    const reason = isComparison && referencesIn(value).length === 0 ? wrongIn(name, value) : undefined
    return [...(reason === undefined ? [] : [{ path: at, reason }]), ...wrongMatchersIn(value, at)]
  })
}

function wrongIn(matcher: string, wanted: unknown): string | undefined {
  if (matcher === 'is' && !comparisons.is.what.split(/, | or /).includes(String(wanted)))
    return `must be ${comparisons.is.what}`
  try {
    if (matcher === 'matches') new RegExp(String(wanted))
    return undefined
  } catch {
    return 'must be a regular expression'
  }
}

/**
 * Differences between the actual and the expected value. The expectation is a value, a comparison, or an
 * object, whose absent members match anything. An amount such as `10.00 USD` means its minor units, in that
 * currency where the answer names one beside it or above. Errors: WrongAmount; SyntaxError of an expression.
 */
export function differences(
  expected: unknown,
  actual: unknown,
  path: Path = [],
  currency?: string,
): Difference[] {
  if (isMatcher(expected))
    return Object.entries(expected).flatMap(([name, value]) =>
      compared(name, value, actual, [...path, name], currency),
    )
  if (isObject(expected) && moneyIn(expected) === undefined) {
    if (!isObject(actual)) return [differs(path, expected, actual, currency)]
    const its = currencyIn(actual) ?? currency
    return Object.entries(expected).flatMap(([name, value]) =>
      differences(value, Object.hasOwn(actual, name) ? actual[name] : undefined, [...path, name], its),
    )
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [differs(path, expected, actual, currency)]
    if (actual.length !== expected.length) {
      const wanted = `${expected.length} entries: ${shown(expected)}`
      return [{ path, expected: wanted, actual: `${actual.length}: ${shown(actual)}` }]
    }
    return expected.flatMap((each, index) => differences(each, actual[index], [...path, index], currency))
  }
  return isSame(expected, actual, currency) ? [] : [differs(path, expected, actual, currency)]
}

/** The currency that an answer names for its amounts. */
function currencyIn({ priceCurrency, currency }: Readonly<Record<string, unknown>>): string | undefined {
  const named = priceCurrency ?? currency
  return typeof named === 'string' ? named : undefined
}

/** YAML reads digits without quotes as a number, and the service writes many of them as text. */
function isSame(expected: unknown, actual: unknown, currency: string | undefined): boolean {
  if (expected === actual) return true
  if (typeof actual === 'string' && (typeof expected === 'number' || typeof expected === 'boolean'))
    return String(expected) === actual
  return typeof actual === 'number' && expectedAmount(expected, currency) === actual
}

/** Minor units of an expected amount; undefined for none, and for one in another currency. */
function expectedAmount(expected: unknown, currency: string | undefined): number | undefined {
  const money = moneyIn(expected)
  return money?.currency !== undefined && money.currency !== (currency ?? money.currency)
    ? undefined
    : money?.amount
}

const differs = (
  path: Path,
  expected: unknown,
  actual: unknown,
  currency: string | undefined,
): Difference => ({ path, expected: shown(expected), actual: shownBeside(expected, actual, currency) })

/** Minor units as an amount where one is expected, so that both can be compared. */
function shownBeside(expected: unknown, actual: unknown, currency: string | undefined): string {
  const money = typeof actual === 'number' ? moneyIn(expected) : undefined
  return shown(
    money?.currency === undefined ? actual : amountText(actual as number, currency ?? money.currency),
  )
}

/** Characters of a value that are shown. */
const longestShown = 400

/** A value as a difference shows it. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'absent' : (JSON.stringify(value) ?? String(value))
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}

function compared(name: string, wanted: unknown, actual: unknown, path: Path, currency: string | undefined) {
  if (name === 'length') {
    const length = typeof actual === 'string' || Array.isArray(actual) ? actual.length : undefined
    return differences(wanted, length, path).map((each) => ({ ...each, expected: `length ${each.expected}` }))
  }
  const { word, holds } = comparisons[name as Comparison]
  if (holds(actual, wanted, currency)) return []
  return [{ path, expected: `${word}${shown(wanted)}`, actual: shownBeside(wanted, actual, currency) }]
}

function byNumber(holds: (one: number, other: number) => boolean): Compare {
  return (actual, wanted, currency) => {
    const [one, other] = [numberIn(actual, currency), numberIn(wanted, currency)]
    return one !== undefined && other !== undefined && holds(one, other)
  }
}

const numberIn = (value: unknown, currency: string | undefined): number | undefined => {
  const number =
    expectedAmount(value, currency) ?? (typeof value === 'string' && value !== '' ? Number(value) : value)
  return typeof number === 'number' && !Number.isNaN(number) ? number : undefined
}

function isKind(kind: string, actual: unknown): boolean {
  if (kind === 'any') return actual !== undefined && actual !== null
  if (kind === 'absent') return actual === undefined
  if (kind === 'null') return actual === null
  if (kind === 'list') return Array.isArray(actual)
  if (kind === 'object') return isObject(actual)
  return typeof actual === (kind === 'text' ? 'string' : kind)
}

/** True when a status, or its letter, matches a word: `approved` is SUCCESS and S. */
export function isStatus(expected: string, actual: string | undefined): boolean {
  const [wanted, found] = [parseStatuses(expected) ?? [], parseStatuses(actual ?? '') ?? []]
  return found.length === 1 && wanted.some((each) => each === found[0])
}
