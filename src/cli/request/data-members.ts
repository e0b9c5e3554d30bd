import { parseJson } from '../../client/tolerant.ts'
import { unwrap } from '../../contract/member-kinds.ts'
import { type MemberSchemas, memberAt } from '../../contract/operation-members.ts'
import { isObject } from '../../is-object.ts'
import { jsonFault } from '../../text/json-oddities.ts'
import { UsageError } from '../errors/exit-codes.ts'

/** What `--data` says: `amount=1000`, `amount.tipAmount=100`, `products.0.name=Coffee`, `attach:="42"`. */
interface Datum {
  /** As typed. */
  readonly key: string
  readonly text: string
  /** True for `:=`, whose value is JSON. */
  readonly isJson: boolean
}

/** How data is typed, for help. */
export const dataHelp =
  'Data: -d name=value adds a field; numbers, true, false and null keep their type, anything else is text. A field that ' +
  'the operation at the path takes as text stays text. name:=json adds any JSON: -d attach:=\'"42"\'. Dots lead into objects ' +
  'and lists: -d amount.orderAmount=1000 -d productList.0.name=Coffee. A GET sends data in its query.'

const typed = /^([^=:\s]+?)\s*(:?=)(.*)$/s

/** The data as typed. Errors: UsageError. */
export const dataFrom = (texts: readonly string[]): Datum[] =>
  texts.map((text) => {
    const [, key = '', sign, value = ''] = typed.exec(text) ?? []
    const isKey = key !== '' && key.split('.').every((step) => step !== '' && step !== '__proto__')
    if (isKey) return { key, text: value, isJson: sign === ':=' }
    throw new UsageError(
      `--data ${text} is not a field`,
      'Write name=value, such as -d amount=1000, or name:=json',
      'data',
    )
  })

/** Members of a query: texts, as they were typed. */
export const queryData = (data: readonly Datum[]): Record<string, string> =>
  Object.fromEntries(data.map(({ key, text }) => [key, text]))

/**
 * Adds data to fields; `entries`: the fields of a known operation. assumption: cli-input. Errors: UsageError
 * for invalid JSON, and for a field of a text or a number.
 */
export function withData(
  members: Readonly<Record<string, unknown>>,
  data: readonly Datum[],
  entries: MemberSchemas = {},
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
  try {
    return JSON.parse(text)
  } catch (error) {
    const { reason, column } = jsonFault(text, error as Error)
    throw new UsageError(
      `--data ${key}:=${text} is not JSON: ${reason}, column ${column} of the value`,
      `For a text write ${key}=${text}`,
      'data',
    )
  }
}

/** A number, true, false or null; any other text, and a number that would change, stays text. */
function plainValue(text: string): unknown {
  const value = parseJson(text)
  const isPlain = value === null || typeof value === 'boolean'
  return isPlain || (typeof value === 'number' && String(value) === text) ? value : text
}

type Container = Record<string, unknown> | unknown[]

/** Puts a value at a path; a whole number on the way is an index of a list. */
function put(container: Container, path: readonly string[], value: unknown, datum: Datum): void {
  const [step = '', next, ...rest] = path
  const isList = Array.isArray(container)
  if (isList && (!/^\d{1,4}$/.test(step) || Number(step) > container.length)) throw notThere(datum, step)
  const holder = container as Record<string, unknown>
  if (next === undefined) {
    holder[step] = value
    return
  }
  const own = Object.hasOwn(holder, step) ? holder[step] : undefined
  const inner = own ?? (/^\d+$/.test(next) ? [] : {})
  if (!isObject(inner) && !Array.isArray(inner)) throw notThere(datum, step)
  holder[step] = inner
  put(inner as Container, [next, ...rest], value, datum)
}

const notThere = ({ key, text }: Datum, step: string): UsageError =>
  new UsageError(
    `--data ${key}=${text} has no place: ${step} cannot be reached`,
    'Lists begin at 0 and have no gaps; texts and numbers have no fields',
    'data',
  )
