import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'

/**
 * A schema of the contract as the SDK takes it: it validates as it is, and describes itself as JSON Schema
 * 2020-12. The description is short, because a model reads that of every tool: in a request null is the same
 * as left out, and of an answer types are enough.
 */
export function describing(schema: v.GenericSchema, io: 'input' | 'output'): StandardSchemaWithJSON {
  const described = () => shortJsonSchema(schema, io)
  const standard = v.config(schema, { abortPipeEarly: true })['~standard'] // one error a member
  return { '~standard': { ...standard, jsonSchema: { input: described, output: described } } }
}

function shortJsonSchema(schema: v.GenericSchema, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...described } = toJsonSchema(schema, {
    typeMode: io,
    target: 'draft-2020-12',
    errorMode: 'ignore', // JSON Schema cannot tell every rule
    ignoreActions: [
      ...['min_length', 'max_length', 'regex'],
      ...(io === 'output' ? ['title', 'description', 'metadata'] : []),
    ],
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      if (valibotSchema.type === 'custom') return { type: 'string' } // a word
      return io === 'input' ? shortInput(jsonSchema) : shortOutput(jsonSchema)
    },
  })
  return { ...described, ...(io === 'input' && { additionalProperties: false }) }
}

/** What a member may be, or null; undefined for any other. */
function orNull({ anyOf = [] }: JsonSchema): JsonSchema | undefined {
  const [one, other, ...more] = anyOf
  const isNull = typeof other === 'object' && other.type === 'null' && more.length === 0
  return isNull && typeof one === 'object' ? one : undefined
}

function shortInput(schema: JsonSchema): JsonSchema {
  const { required = [], ...rest } = withoutAny(orNull(schema) ?? schema)
  return required.length === 0 ? rest : { ...rest, required }
}

function shortOutput(schema: JsonSchema): JsonSchema {
  const one = orNull(schema)
  if (typeof one?.type === 'string') return { ...one, type: [one.type, 'null'] }
  const { minimum: _, maximum: __, enum: ___, minItems: ____, ...rest } = withoutAny(schema)
  return rest
}

/** Without what every value fits. */
function withoutAny({ propertyNames: _, additionalProperties: others, ...rest }: JsonSchema): JsonSchema {
  const isAny = others === undefined || (typeof others === 'object' && Object.keys(others).length === 0)
  return isAny ? rest : { ...rest, additionalProperties: others }
}
