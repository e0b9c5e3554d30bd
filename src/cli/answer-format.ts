import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Schema } from '../contract/openapi/document.ts'
import { isObject } from '../shared/is-object.ts'
import { packageRoot } from '../shared/package-root.ts'
import { csvLine } from '../shared/text/csv.ts'
import { suggestion } from '../shared/text/suggest.ts'
import { capitalize } from '../shared/text/words.ts'
import { UsageError } from './errors/exit-codes.ts'
import { clean } from './output/clean.ts'
import { jsonText } from './output/json-text.ts'

/** How an answer is printed. */
export interface OutputFormat {
  readonly as: 'text' | 'json' | 'ndjson' | 'csv'
  /** Names of members, with dots for those within others; undefined: all. */
  readonly fields: readonly string[] | undefined
}

type AnswerRow = Readonly<Record<string, unknown>>

/**
 * An answer for programs, or as a table of the chosen members. `listMember`: the member that has the records
 * of a list; undefined for an answer that is one record itself; a text or a list is the member "body" of one.
 * A chosen member that a record has not is null.
 */
export async function formatted(
  data: unknown,
  { as, fields }: OutputFormat,
  listMember: string | undefined,
): Promise<string> {
  const record = isObject(data) ? data : { body: data }
  const list = listMember === undefined ? undefined : record[listMember]
  const records: readonly AnswerRow[] = Array.isArray(list) ? list : [record]
  const rows = records.map((record) => (fields === undefined ? flat(record) : chosen(record, fields)))
  if (as === 'json')
    return jsonText(
      fields === undefined ? data : listMember && Array.isArray(list) ? { [listMember]: rows } : rows[0],
      2,
    )
  if (as === 'ndjson') return (fields === undefined ? records : rows).map((row) => jsonText(row)).join('')
  const names = fields ?? memberNames(rows)
  const cells = rows.map((row) => names.map((name) => cellText(row[name])))
  if (as === 'csv') return names.length === 0 ? '' : [names, ...cells].map(csvLine).join('')
  const { columns } = await import('./output/table.ts')
  const numbers = names.filter(
    (name) => rows.length > 0 && rows.every((row) => typeof row[name] === 'number'),
  )
  return `${columns(
    names,
    cells.map((line) => line.map(clean)),
    numbers,
  )}\n`
}

/** The members that any record has; one that is an object in some and null in others has its members only. */
function memberNames(rows: readonly AnswerRow[]): readonly string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const parents = new Set(
    names.flatMap((name) => name.split('.').map((_, at, path) => path.slice(0, at).join('.'))),
  )
  return names.filter((name) => !parents.has(name) || rows.some((row) => row[name] != null))
}

const chosen = (record: AnswerRow, fields: readonly string[]): AnswerRow =>
  Object.fromEntries(
    fields.map((field) => [field, field.split('.').reduce<unknown>(memberNamed, record) ?? null]),
  )

const memberNamed = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as AnswerRow)[name]
    : undefined

/** Members within objects by their path; lists stay as they are. */
function flat(record: AnswerRow, before = ''): AnswerRow {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      isObject(value) ? Object.entries(flat(value, `${before}${name}.`)) : [[`${before}${name}`, value]],
    ),
  )
}

const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Checks, before anything is done, that the answer of a command can have these members. `listMember`: the
 * member with the records, whose members are then checked. `others`: types of answers that its flags exclude.
 */
export function requireMembers(
  command: string,
  fields: readonly string[],
  listMember: string | undefined,
  others: readonly string[],
): void {
  const text = readFileSync(join(packageRoot, 'fixtures/answers.schema.json'), 'utf8')
  const { properties, $defs }: Record<'properties' | '$defs', Record<string, Schema>> = JSON.parse(text)
  const answer = properties[command]
  if (answer === undefined) return
  const excluded = others.map((name) => `#/$defs/${name}`)
  const resolved = (shape: Schema): readonly Schema[] => {
    if (shape.$ref !== undefined) return resolved($defs[shape.$ref.replace('#/$defs/', '')] ?? {})
    return shape.anyOf?.filter(({ $ref = '' }) => !excluded.includes($ref)).flatMap(resolved) ?? [shape]
  }
  const within = (shapes: readonly Schema[], name: string): readonly Schema[] =>
    shapes.flatMap((shape) => schemasAt(shape, name)).flatMap(resolved)
  const variants = resolved(answer)
  const listed = listMember === undefined ? [] : within(variants, listMember)
  const records =
    listed.length === 0 ? variants : listed.flatMap(({ items }) => (items ? resolved(items) : []))
  const unknown = fields.find((field) => field.split('.').reduce(within, records).length === 0)
  if (unknown !== undefined) refuse(unknown, records, within)
}

/** The schema of that member; in a list, that of its element; in an open value, an open value. */
function schemasAt({ type, properties, items, additionalProperties }: Schema, name: string) {
  if (items !== undefined) return /^\d+$/.test(name) ? [items] : []
  if (properties !== undefined && Object.hasOwn(properties, name)) return [properties[name] ?? {}]
  if (typeof additionalProperties === 'object') return [additionalProperties]
  const isFree = properties === undefined && (type === undefined || type === 'object')
  return isFree ? [{}] : []
}

function refuse(
  unknown: string,
  records: readonly Schema[],
  within: (shapes: readonly Schema[], name: string) => readonly Schema[],
): never {
  const path = unknown.split('.')
  const parent = path.slice(0, -1).reduce(within, records)
  const holder = parent.length === 0 ? records : parent
  const before = parent.length === 0 ? '' : unknown.slice(0, unknown.lastIndexOf('.') + 1)
  const names = new Set(holder.flatMap(({ properties = {} }) => Object.keys(properties)))
  const memberPaths = [...names].map((name) => before + name)
  const remedy = capitalize(suggestion(unknown, memberPaths))
  throw new UsageError(['--fields', `${unknown}: the answer has no such member`], remedy)
}
