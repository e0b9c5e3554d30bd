import { isObject } from '../is-object.ts'
import { csvLine } from '../text/csv.ts'
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
 * An answer for programs, or as a table of the chosen members. `listMember`: the member that has the records of a list; undefined for
 * an answer that is one record itself; a text or a list is the member "body" of one. A chosen member that a record has not is null.
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
  const names = fields ?? [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => names.map((name) => textOf(row[name])))
  if (as === 'csv') return names.length === 0 ? '' : [names, ...cells].map(csvLine).join('')
  const [{ columns }, { themeOf }] = await Promise.all([
    import('./output/table.ts'),
    import('./output/theme.ts'),
  ])
  const numbers = names.filter(
    (name) => rows.length > 0 && rows.every((row) => typeof row[name] === 'number'),
  )
  return `${columns(
    names,
    cells.map((line) => line.map(clean)),
    themeOf('stdout'),
    numbers,
  )}\n`
}

/** The members with those names; null for a missing one. */
const chosen = (record: AnswerRow, fields: readonly string[]): AnswerRow =>
  Object.fromEntries(fields.map((field) => [field, valueAt(record, field) ?? null]))

const valueAt = (record: AnswerRow, field: string): unknown =>
  field.split('.').reduce<unknown>(memberOf, record)

const memberOf = (value: unknown, name: string): unknown =>
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

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
