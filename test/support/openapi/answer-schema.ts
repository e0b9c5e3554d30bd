import { readFileSync } from 'node:fs'
import type { CommandAnswers, ErrorAnswer } from '../../../src/cli/command-answers.ts'
import type { Members } from '../../../src/contract/validate.ts'
import { isObject } from '../../../src/is-object.ts'

/** What `npm run docs` writes of JSON Schema, and no more of it. */
export interface AnswerSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly AnswerSchema[]
  readonly format?: 'date-time'
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, AnswerSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | AnswerSchema
  readonly items?: AnswerSchema
  readonly prefixItems?: readonly AnswerSchema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly description?: string
}

interface AnswersSchemaFile {
  readonly properties: Readonly<Record<keyof CommandAnswers, AnswerSchema>>
  readonly $defs: Readonly<Record<string, AnswerSchema>>
}

const written = JSON.parse(
  readFileSync(new URL('../../../fixtures/answers.schema.json', import.meta.url), 'utf8'),
) as AnswersSchemaFile

/** What each command prints with --json, by the command as it is typed. */
export const answerSchemas: Readonly<Record<string, AnswerSchema>> = written.properties

/** Shapes that have a name. */
export const namedSchemas = written.$defs

/** The schema of any command that fails. */
export const errorSchema: AnswerSchema = { $ref: '#/$defs/ErrorAnswer' }

/** True for what a command that failed prints; an answer may have an `error` among its members. */
export const isErrorAnswer = (document: object): document is ErrorAnswer =>
  Object.keys(document).join() === 'error'

const keywords = new Set(
  ['$ref', 'type', 'const', 'enum', 'anyOf', 'format', 'minimum', 'maximum', 'properties', 'required'].concat(
    ['additionalProperties', 'items', 'prefixItems', 'minItems', 'maxItems', 'description'],
  ),
)

const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

const schemaTypeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** Schemas of members, as they were found in answers. */
export type SeenSchemas = Set<AnswerSchema>

/** Why a value is not what a schema says, by path; none when it is. Members that were there are added to `seen`. */
export function schemaProblems(
  value: unknown,
  schema: AnswerSchema,
  seen: SeenSchemas = new Set(),
  path = '',
): string[] {
  const unknown = Object.keys(schema).find((keyword) => !keywords.has(keyword))
  if (unknown !== undefined) throw new Error(`the keyword ${unknown} is not understood`)
  if (schema.$ref !== undefined) return schemaProblems(value, referred(schema.$ref), seen, path)
  if (schema.anyOf !== undefined) return choiceProblems(value, schema.anyOf, seen, path)
  const [found] = plainProblems(value, schema)
  if (found !== undefined) return [`${path || 'the answer'} ${found}: ${JSON.stringify(value)?.slice(0, 80)}`]
  if (Array.isArray(value)) return listProblems(value, schema, seen, path)
  return isObject(value) ? memberProblems(value, schema, seen, path) : []
}

function referred(reference: string): AnswerSchema {
  const schema = namedSchemas[reference.replace('#/$defs/', '')]
  if (schema === undefined) throw new Error(`${reference} leads nowhere`)
  return schema
}

/** The problems of the closest schema; of several that fit, the most specific counts. */
function choiceProblems(
  value: unknown,
  choices: readonly AnswerSchema[],
  seen: SeenSchemas,
  path: string,
): string[] {
  const tried = choices.map((each) => {
    const choiceSeen: SeenSchemas = new Set()
    return { seen: choiceSeen, problems: schemaProblems(value, each, choiceSeen, path) }
  })
  const [best] = tried.toSorted(
    (one, other) => one.problems.length - other.problems.length || other.seen.size - one.seen.size,
  )
  if (best?.problems.length === 0) for (const each of best.seen) seen.add(each)
  return best?.problems ?? []
}

function* plainProblems(
  value: unknown,
  { type, format, minimum, maximum, ...schema }: AnswerSchema,
): Iterable<string> {
  const types = type === undefined ? [] : [type].flat()
  const is = schemaTypeOf(value)
  if (types.length > 0 && !types.includes(is) && !(is === 'integer' && types.includes('number')))
    yield `is not ${types.join(' or ')}`
  if ('const' in schema && value !== schema.const) yield `is not ${JSON.stringify(schema.const)}`
  if (schema.enum !== undefined && !schema.enum.includes(value)) yield `is none of ${schema.enum.join(', ')}`
  if (format !== undefined && typeof value === 'string' && !momentPattern.test(value))
    yield 'is no time of ISO 8601 with an offset'
  if (typeof value !== 'number') return
  if (value < (minimum ?? value) || value > (maximum ?? value)) yield `is not within ${minimum} to ${maximum}`
}

function listProblems(
  value: readonly unknown[],
  { items, prefixItems = [], minItems = 0, maxItems = Number.POSITIVE_INFINITY }: AnswerSchema,
  seen: SeenSchemas,
  path: string,
): string[] {
  if (value.length < minItems || value.length > maxItems) return [`${path} has ${value.length} entries`]
  return value.flatMap((each, index) => {
    const schema = prefixItems[index] ?? items
    return schema === undefined ? [] : schemaProblems(each, schema, seen, `${path}[${index}]`)
  })
}

function memberProblems(
  value: Members,
  { properties = {}, required = [], additionalProperties = true }: AnswerSchema,
  seen: SeenSchemas,
  path: string,
): string[] {
  const missing = required.filter((name) => !(name in value)).map((name) => `${path}.${name} is missing`)
  const wrong = Object.entries(value).flatMap(([name, each]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (schema === false) return [`${path}.${name} is not in the schema`]
    if (schema === true || schema === undefined) return []
    seen.add(schema)
    return schemaProblems(each, schema, seen, `${path}.${name}`)
  })
  return [...missing, ...wrong]
}

/** Every member of the schemas that commands lead to, by its path from there: `Story.tree`, `doctor.checks`. */
export function schemaMembers(
  schema: AnswerSchema,
  at: string,
): (readonly [path: string, schema: AnswerSchema])[] {
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => [
      [`${at}.${name}`, each] as const,
      ...schemaMembers(each, `${at}.${name}`),
    ]),
    ...[schema.items, ...(schema.prefixItems ?? []), ...(schema.anyOf ?? [])].flatMap((each) =>
      each === undefined ? [] : schemaMembers(each, at),
    ),
    ...(typeof schema.additionalProperties === 'object'
      ? schemaMembers(schema.additionalProperties, at)
      : []),
  ]
}
