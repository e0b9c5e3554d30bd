import { toJsonSchema } from '@valibot/to-json-schema'
import { isOptional } from '../schema.js'

/** The schema of an object that has the member. */
export const having = (name) => ({ properties: { [name]: {} }, required: [name] })

/** The amount object of an online refund must name one of its amounts. */
const anyAmount = (entries) =>
  Object.keys(entries)
    .filter((name) => name.endsWith('Amount'))
    .map(having)

const isRefundAmount = ({ orderAmount, totalAmount }) =>
  totalAmount !== undefined && orderAmount !== undefined && isOptional(orderAmount)

/** The JSON Schema of a member of a request. A member that may be null is described as one that may be left out. */
export function requestSchema(schema) {
  const {
    $schema: _,
    $defs: __,
    ...converted
  } = toJsonSchema(schema, {
    typeMode: 'input',
    target: 'draft-2020-12',
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema: { type, wrapped, getter, entries }, jsonSchema }) => {
      if (type === 'nullish') return requestSchema(wrapped)
      if (type === 'object' && isRefundAmount(entries)) return { ...jsonSchema, anyOf: anyAmount(entries) }
      if (type === 'lazy') return choiceOf([0, {}, []].map((value) => getter(value)))
      return undefined
    },
    overrideAction: ({ valibotAction: { type, message }, jsonSchema }) => {
      if (type === 'safe_integer') return { ...jsonSchema, type: 'integer' }
      if (type === 'check' && typeof message === 'string')
        return { ...jsonSchema, 'x-rules': [...(jsonSchema['x-rules'] ?? []), message] }
      return undefined
    },
  })
  return withRules(converted)
}

/** A field that takes two types chooses its schema by the value. */
function choiceOf(schemas) {
  const variants = [...new Set(schemas)].map(requestSchema)
  return variants.length === 1 ? variants[0] : { anyOf: variants }
}

/**
 * Rules that JSON Schema has no word for are said in the description, at any depth; those of an object are about one
 * of its members, whose description says them.
 */
function withRules(value) {
  if (Array.isArray(value)) return value.map(withRules)
  if (typeof value !== 'object' || value === null) return value
  const { 'x-rules': rules = [], description, ...rest } = value
  const inner = Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, withRules(each)]))
  if (typeof description === 'object') return { description: withRules(description), ...inner } // a member of that name
  const said = value.type === 'object' ? [description] : [description, ...rules]
  const sentences = said.filter((text) => text !== undefined && text !== '')
  return sentences.length === 0 ? inner : { description: sentences.join('; '), ...inner }
}
