import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package-root.ts'
import { suggestion } from '../text/suggest.ts'
import { capitalize } from '../text/words.ts'
import { UsageError } from './errors/exit-codes.ts'

/** What fixtures/answers.schema.json says of a value, as far as names are concerned. */
interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly additionalProperties?: boolean | JsonSchema
}

interface Shapes {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly $defs: Readonly<Record<string, JsonSchema>>
}

/**
 * Checks, before anything is done, that the answer of a command can have these members. `listMember`: the member with
 * the records, whose members are then checked. `others`: types of answers that its flags exclude. Errors: UsageError with the most likely name, or all names.
 */
export function requireMembers(
  command: string,
  fields: readonly string[],
  listMember: string | undefined,
  others: readonly string[] = [],
): void {
  const { properties, $defs } = readShapes()
  const answer = properties[command]
  if (answer === undefined) return
  const excluded = others.map((name) => `#/$defs/${name}`)
  const resolved = (shape: JsonSchema): readonly JsonSchema[] => {
    if (shape.$ref !== undefined) return resolved($defs[shape.$ref.replace('#/$defs/', '')] ?? {})
    return shape.anyOf?.filter(({ $ref = '' }) => !excluded.includes($ref)).flatMap(resolved) ?? [shape]
  }
  const within = (shapes: readonly JsonSchema[], name: string): readonly JsonSchema[] =>
    shapes.flatMap((shape) => memberOf(shape, name)).flatMap(resolved)
  const variants = resolved(answer)
  const listed = listMember === undefined ? [] : within(variants, listMember)
  const records =
    listed.length === 0 ? variants : listed.flatMap(({ items }) => (items ? resolved(items) : []))
  const unknown = fields.find((field) => field.split('.').reduce(within, records).length === 0)
  if (unknown !== undefined) refuse(unknown, records, within)
}

const readShapes = (): Shapes =>
  JSON.parse(readFileSync(join(packageRoot, 'fixtures/answers.schema.json'), 'utf8')) as Shapes

/** The schema of that member; in a list, that of its element; in an open value, an open value. */
function memberOf(
  { type, properties, items, additionalProperties }: JsonSchema,
  name: string,
): readonly JsonSchema[] {
  if (items !== undefined) return /^\d+$/.test(name) ? [items] : []
  if (properties !== undefined && Object.hasOwn(properties, name)) return [properties[name] ?? {}]
  if (typeof additionalProperties === 'object') return [additionalProperties]
  const isFree = properties === undefined && (type === undefined || type === 'object')
  return isFree ? [{}] : []
}

/** Errors: UsageError. */
function refuse(
  unknown: string,
  records: readonly JsonSchema[],
  within: (shapes: readonly JsonSchema[], name: string) => readonly JsonSchema[],
): never {
  const path = unknown.split('.')
  const parent = path.slice(0, -1).reduce(within, records)
  const holder = parent.length === 0 ? records : parent
  const before =
    parent.length === 0
      ? ''
      : path
          .slice(0, -1)
          .map((name) => `${name}.`)
          .join('')
  const names = new Set(holder.flatMap(({ properties = {} }) => Object.keys(properties)))
  const known = [...names].map((name) => before + name)
  const remedy = capitalize(suggestion(unknown, known))
  throw new UsageError(`--fields ${unknown}: the answer has no such member`, remedy, 'fields')
}
