import { code, codes, plain, table } from './markdown.js'
import { meanings } from './member-meanings.js'
import { describeField } from './schema.js'

/** Which shapes each command prints, and a table for each shape: the generated parts of docs/json.md. */
export function answerTables({ properties, $defs }, { operations, faultShares }) {
  const words = { ...fieldMeanings(operations), ...shareMeanings(faultShares), ...meanings }
  const own = Object.entries(properties).filter(([, schema]) => variants(schema).some(({ $ref }) => !$ref))
  return {
    'json-answers': () =>
      table(
        ['command', 'prints'],
        Object.entries(properties).map(([command, schema]) => [code(command), shapesOf(command, schema)]),
      ),
    'json-own': () => own.map(([command, schema]) => section(command, schema)).join('\n\n'),
    'json-shapes': () =>
      Object.entries($defs)
        .map(([name, schema]) => section(name, schema))
        .join('\n\n'),
  }

  function section(title, schema) {
    const tables = variants(schema)
      .filter(({ $ref }) => !$ref)
      .map(shapeTable)
    return [`### ${title}`, plain(schema.description ?? ''), ...tables]
      .filter((part) => part !== '')
      .join('\n\n')
  }

  function shapeTable(schema) {
    const rows = rowsOf(schema, '')
    if (rows.length === 0) return `${capital(typeOf(schema))}.`
    return table(['member', 'type', 'unit', 'meaning'], rows)
  }

  /** A row for each member; those of an object without a name follow it by their path. */
  function rowsOf({ properties: members = {}, required = [] }, before) {
    return Object.entries(members).flatMap(([name, schema]) => {
      const path = `${before}${name}`
      const isOptional = !required.includes(name)
      const inner = innerOf(schema)
      return [
        [
          code(path) + (isOptional ? ' (may be absent)' : ''),
          typeOf(schema),
          unitOf(name, schema),
          meaningOf(name, schema),
        ],
        ...inner.flatMap((each) => rowsOf(each, `${path}${isList(schema) ? '[]' : ''}.`)),
      ]
    })
  }

  function meaningOf(name, schema) {
    const { description, $ref } = schema
    const meaning =
      description ??
      words[`${name}: ${typeOf(schema).split(' ')[0]}`] ??
      words[name] ??
      $defs[$ref?.replace('#/$defs/', '')]?.description
    if (meaning === undefined)
      throw new Error(
        `${name} has no meaning: give it a doc comment, or a row in bin/docs/member-meanings.js`,
      )
    return plain(meaning.replace(/\.$/, ''))
  }
}

/** Meanings of the shares of webhook faults. */
const shareMeanings = (faultShares) =>
  Object.fromEntries(Object.entries(faultShares).map(([name, { does }]) => [name, `Share that is ${does}`]))

/** Meanings of members that requests have too. */
const fieldMeanings = (operations) =>
  Object.fromEntries(
    Object.values(operations)
      .flatMap(({ input }) => Object.entries(input.entries))
      .map(([name, schema]) => [name, describeField(schema).meaning.replace(/[;,] left out.*$/, '')])
      .filter(([, meaning]) => meaning !== ''),
  )

function shapesOf(command, schema) {
  const links = variants(schema)
    .toSorted(byInterest)
    .map(({ $ref }) => {
      const name = $ref === undefined ? command : $ref.replace('#/$defs/', '')
      return `[${$ref === undefined ? 'its own' : name}](#${name.toLowerCase().replaceAll(' ', '-')})`
    })
  return [...new Set(links)].join(', ')
}

/** What is answered after a no, or without sending, comes last. */
const byInterest = (one, other) => Number(isAside(one)) - Number(isAside(other))
const isAside = ({ $ref = '' }) => /\/(SkippedReset|\w+Draft)$/.test($ref)

const variants = (schema) => schema.anyOf ?? [schema]
const isList = (schema) => variants(schema).some(({ type }) => [type].flat().includes('array'))

/** Objects without a name that a member holds. */
const innerOf = (schema) =>
  variants(schema).flatMap((each) => {
    if (each.items !== undefined) return innerOf(each.items)
    return each.properties === undefined ? [] : [each]
  })

function typeOf(schema) {
  if (schema.$ref !== undefined) return link(schema.$ref)
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum !== undefined)
    return codes(schema.enum.filter((word) => word !== null)) + (schema.enum.includes(null) ? ' or null' : '')
  if (schema.prefixItems !== undefined) return `pair of ${typeOf(schema.prefixItems[0])}s`
  if (schema.items !== undefined) return `list of ${listed(schema.items)}`
  if (schema.format !== undefined) return [schema.type].flat().includes('null') ? 'time or null' : 'time'
  if (typeof schema.additionalProperties === 'object')
    return `object of ${listed(schema.additionalProperties)}`
  if (schema.type === undefined) return 'anything'
  const types = [schema.type].flat().filter((type) => type !== 'null')
  return [...types, ...([schema.type].flat().includes('null') ? ['null'] : [])].join(' or ')
}

const listed = (schema) => {
  const type = typeOf(schema)
  return /^(string|integer|number|object|boolean)$/.test(type) ? `${type}s` : type
}

const link = (reference) => {
  const name = reference.replace('#/$defs/', '')
  return `[${name}](#${name.toLowerCase()})`
}

/** What a number or a time is in. Names tell it: docs/json.md has the rules. */
function unitOf(name, schema) {
  const type = typeOf(schema)
  if (type.startsWith('time')) return 'ISO 8601'
  if (localTimes.includes(name)) return 'merchant’s time'
  if (!/integer|number/.test(type)) return ''
  if (/Ms$/.test(name)) return 'ms'
  if (/([a-z]Amount|^amount|^net|^contactlessLimit|^leftTo\w+)$/.test(name)) return 'minor units'
  if (/[bB]ytes$/.test(name)) return 'bytes'
  if (/Percent$/.test(name)) return '%'
  return schema.maximum === 1 ? '0 to 1' : ''
}

const localTimes = ['createTime', 'completeTime', 'time']

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1)
