// JSON Schema of answers, from their schemas: of what each command prints with --json, and of what the sandbox answers.
import { toJsonSchema } from '@valibot/to-json-schema'
import { getTitle } from 'valibot'

/**
 * A converter of schemas, and the named ones that it met. `isMoment` says of the name of a member whether it holds a moment.
 * `isPrinted`: as commands print them, with times as text, and every member that is not described refused.
 */
function converter(isMoment, isPrinted) {
  const defs = {}
  return { schemaOf, defs }

  function schemaOf(schema) {
    const {
      $schema: _,
      $defs = {},
      ...converted
    } = toJsonSchema(schema, {
      target: 'draft-2020-12',
      typeMode: 'output',
      ignoreActions: ['readonly', 'finite', 'min_value', 'max_value', 'non_empty', 'regex', 'check'],
      overrideSchema: ({ valibotSchema: { type, getter }, jsonSchema }) => {
        if (type === 'custom') return { type: 'string' } // a word
        if (type === 'lazy') return { $ref: `#/$defs/${getTitle(getter())}` }
        return type === 'object' && isPrinted ? { ...jsonSchema, additionalProperties: false } : undefined
      },
    })
    return refined(converted, '')
  }

  /** The schema as documents have it: a named one as a reference. */
  function refined({ title, ...schema }, member) {
    if (title === undefined) return shapeOf(schema, member)
    defs[title] ??= shapeOf(schema, '')
    return { $ref: `#/$defs/${title}` }
  }

  function shapeOf({ description = '', ...schema }, member) {
    const shape = bareShape(schema, member)
    if (description === '') return shape
    return { description: `${isPrinted ? printed(description) : description}.`, ...shape }
  }

  function bareShape(schema, member) {
    const {
      type,
      words = schema.enum,
      properties,
      propertyNames: _,
      items,
      prefixItems,
      additionalProperties,
      required = [],
    } = schema
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined)
      return union(choices.map((each) => refined(each, isOdd(choices) ? '' : member)))
    if (words !== undefined) return choice(words)
    if (type === 'number') return number(member)
    if (type === 'string') return isTime(member) ? { ...schema, format: 'date-time' } : schema
    if (prefixItems !== undefined)
      return {
        ...schema,
        prefixItems: prefixItems.map((each) => refined(each, member)),
        maxItems: prefixItems.length,
      }
    if (items !== undefined) return { type, items: refined(items, member) }
    if (type !== 'object') return schema
    const members = Object.entries(properties ?? {}).map(([name, each]) => [name, refined(each, name)])
    return {
      type,
      ...(members.length > 0 && { properties: Object.fromEntries(members) }),
      ...(required.length > 0 && { required }),
      ...(typeof additionalProperties === 'object' && {
        additionalProperties: refined(additionalProperties, ''),
      }),
      ...(additionalProperties === false && members.length > 0 && { additionalProperties }),
    }
  }

  function number(member) {
    if (!isPrinted && (isMoment(member) || member.endsWith('Ms'))) return { type: 'number' }
    if (isMoment(member)) return { type: 'string', format: 'date-time' }
    return member === 'share' ? { type: 'number', minimum: 0, maximum: 1 } : { type: 'integer' }
  }

  /** Text that is a moment, too: `sandboxTime`, `validUntil`. */
  function isTime(member) {
    return isMoment(member) || (/(Time|Until)$/.test(member) && !localTimes.includes(member))
  }
}

/** True for a choice between several types, not only of one and null: the name of the member says nothing of them. */
const isOdd = (choices) => choices.filter(({ type }) => type !== 'null').length > 1

const choice = (words) => (words.length === 1 ? { const: words[0] } : { type: 'string', enum: words })

/** A choice between plain types, or one of them and null, is a list of types. */
function union(schemas) {
  const isPlain = ({ type }) => type !== undefined && type !== 'object' && type !== 'array'
  if (schemas.length === 1) return schemas[0]
  if (!schemas.every(isPlain)) return { anyOf: schemas.flatMap((each) => each.anyOf ?? [each]) }
  const { enum: words, ...rest } = Object.assign({}, ...schemas)
  const types = [...new Set(schemas.flatMap(({ type }) => type))]
  return { ...rest, type: types, ...(words && { enum: types.includes('null') ? [...words, null] : words }) }
}

/** What is said of times as they are printed: as text. */
const printed = (text) =>
  text
    .replace(/\b(times?\b[^.;]*?),? in milliseconds/gi, '$1')
    .replace('Milliseconds of the sandbox clock', 'By the sandbox clock')

/** Times in the merchant's zone, without an offset, as the service sends them. */
const localTimes = ['createTime', 'completeTime', 'eventTime']

const sorted = (members) =>
  Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)))

const mapped = (members, change) =>
  Object.fromEntries(Object.entries(members).map(([name, each]) => [name, change(each)]))

/** What each command prints: `properties` has a schema for each, `$defs` those that have a name. */
export function printedAnswers({ commandAnswers, errorAnswer, isMomentName }) {
  const { schemaOf, defs } = converter(isMomentName, true)
  schemaOf(errorAnswer)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What each command of tillbox prints with --json',
    properties: sorted(mapped(commandAnswers, schemaOf)),
    $defs: sorted(defs),
  }
}

/** What goes over the wire: `data` of each operation, bodies of webhooks, and the schemas that have a name. */
export function wireAnswers(contract) {
  const { schemaOf, defs } = converter(contract.isMomentName, false)
  schemaOf(contract.refusedEnvelope)
  return {
    service: mapped(contract.operations, ({ answer }) => schemaOf(contract.wholeAnswer(answer))),
    control: mapped(contract.controls, ({ answer }) => answer && schemaOf(answer)),
    webhooks: mapped(contract.webhookBodies, schemaOf),
    defs,
  }
}
