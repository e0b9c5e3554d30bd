import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { ErrorAnswer } from '../../../src/cli/answer-shapes.ts'
import { isObject } from '../../../src/shared/is-object.ts'

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
  readonly properties: Readonly<Record<string, AnswerSchema>>
  readonly $defs: Readonly<Record<string, AnswerSchema>>
}

/** The schema of every answer; references lead to this file wherever they stand. */
const written = JSON.parse(
  readFileSync(new URL('../../../fixtures/answers.schema.json', import.meta.url), 'utf8').replaceAll(
    '"#/$defs/',
    '"answers#/$defs/',
  ),
) as AnswersSchemaFile

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictTypes: false })
formats.default(ajv)
ajv.addSchema(written, 'answers')

/** What each command prints with --json, by the command as it is typed. */
export const answerSchemas: Readonly<Record<string, AnswerSchema>> = written.properties

/** Shapes that have a name. */
export const namedSchemas = written.$defs

/** The schema of any command that fails. */
export const errorSchema: AnswerSchema = { $ref: 'answers#/$defs/ErrorAnswer' }

/** True for what a command that failed prints; an answer may have an `error` among its members. */
export const isErrorAnswer = (document: object): document is ErrorAnswer =>
  Object.keys(document).join() === 'error'

/** Schemas of members, as they were found in answers. */
export type SeenSchemas = Set<AnswerSchema>

/** Why a value is not what a schema says, by path; none when it is. Members that were there are added to `seen`. */
export function schemaProblems(
  value: unknown,
  schema: AnswerSchema,
  seen: SeenSchemas = new Set(),
): string[] {
  noteMembers(value, schema, seen)
  if (ajv.validate(schema, value)) return []
  return (ajv.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

function noteMembers(value: unknown, schema: AnswerSchema, seen: SeenSchemas): void {
  const { $ref, anyOf, prefixItems, items = {}, properties = {}, additionalProperties } = schema
  if ($ref !== undefined) noteMembers(value, namedSchemas[$ref.replace('answers#/$defs/', '')] ?? {}, seen)
  else if (anyOf !== undefined) for (const each of ofClosest(value, anyOf)) seen.add(each)
  else if (Array.isArray(value))
    for (const [index, each] of value.entries()) noteMembers(each, prefixItems?.[index] ?? items, seen)
  else if (isObject(value))
    for (const [name, each] of Object.entries(value)) {
      const member = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
      if (typeof member !== 'object') continue
      seen.add(member)
      noteMembers(each, member, seen)
    }
}

/** The members of the choice that fits; of several that fit, of the most specific. */
function ofClosest(value: unknown, choices: readonly AnswerSchema[]): SeenSchemas {
  const fitting = choices
    .filter((each) => ajv.validate(each, value))
    .map((each) => {
      const seen: SeenSchemas = new Set()
      noteMembers(value, each, seen)
      return seen
    })
  return fitting.toSorted((one, other) => other.size - one.size)[0] ?? new Set()
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
