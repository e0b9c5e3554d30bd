import { readFileSync } from 'node:fs'
import { type GenericSchema, getDotPath, getMetadata, getTitle, safeParse } from 'valibot'
import { describe, expect, test } from 'vitest'
import { madeAccess } from '../../src/contract/control/application-answers.ts'
import { controls } from '../../src/contract/control/controls/controls.ts'
import { startRecord, stateRepair, stateVerdict } from '../../src/contract/control/state-folder.ts'
import { verdict } from '../../src/contract/control/webhook-signing.ts'
import { terminalEvent } from '../../src/contract/control/webhooks.ts'
import { needs } from '../../src/contract/operation-members.ts'
import { wholeAnswer } from '../../src/contract/operations/operation.ts'
import { type OperationName, operations } from '../../src/contract/operations.ts'
import { refusedEnvelope } from '../../src/contract/records.ts'
import { choiceOf, kind, listOf, objectOf, tupleOf, type Values } from './values.ts'

type Bound = 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'maxItems'

/** A JSON Schema of the OpenAPI document, with what it uses of them. */
interface Described extends Readonly<Partial<Record<Bound, number>>> {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly const?: string
  readonly anyOf?: readonly Described[]
  readonly properties?: Readonly<Record<string, Described>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Described
  readonly items?: Described
  readonly prefixItems?: readonly Described[]
  readonly pattern?: string
}

const document = JSON.parse(readFileSync(new URL('../../fixtures/openapi.json', import.meta.url), 'utf8'))

const printed = JSON.parse(
  readFileSync(new URL('../../fixtures/answers.schema.json', import.meta.url), 'utf8'),
)

/** Schemas of what is answered, or printed of state folders. */
const answers = Object.values({ ...operations, ...controls }).flatMap(({ answer }) =>
  answer === null ? [] : [wholeAnswer(answer)],
)
const foldersAnswers = [
  stateVerdict,
  stateRepair,
  startRecord,
  madeAccess,
  verdict,
  refusedEnvelope,
  terminalEvent,
]

const url = 'http://127.0.0.1/'

/** Texts for members with a rule that JSON Schema has no word for. */
const texts: Readonly<Record<string, string>> = {
  ...{ notifyUrl: url, terminalEventNotifyUrl: url, merchantReturnUrl: url, addresses: '10.0.0.0/8' },
  ...{ priceCurrency: 'USD', amount: '10.00..20.00', status: 'approved', type: 'sale', kind: 'http-503' },
  apiKey: 'key',
}

/** One of these has each pattern of the document. */
const patterned = ['2026-01-31T12:00:00Z', '4242', 'abc-123']

/** Values of a description. `deep`: in how many others it is, as some have themselves inside. */
function valuesOf(described: Described, name = '', deep = 0): Values {
  const { $ref, type, minimum: least, maximum: most, maxLength: longest, pattern, ...schema } = described
  const inside = (each: Described, inner = name) => valuesOf(each, inner, deep + 1)
  if ($ref !== undefined) {
    const steps = $ref.slice(2).split('/')
    return inside(steps.reduce((inner, step) => inner[step], document))
  }
  const words = schema.enum ?? (schema.const && [schema.const])
  if (words) return kind(words, 1, true, {})
  if (Array.isArray(type)) return choiceOf(type.map((each) => inside({ ...described, type: each })))
  if (schema.anyOf !== undefined && type !== 'object')
    return choiceOf(schema.anyOf.map((each) => inside(each)))
  if (type === 'null' || type === undefined) return kind([type === 'null' ? null : {}])
  if (type === 'boolean') return kind([true, false], 1, 'true')
  if (type === 'string' && texts[name] !== undefined) return kind([texts[name]], 1, true, {})
  if (type === 'string' && pattern !== undefined)
    return kind([patterned.find((text) => RegExp(pattern).test(text))], 1, '', ' ', 'x'.repeat(129))
  if (type === 'string') {
    const [full, over] = longest === undefined ? [[], []] : [['x'.repeat(longest)], ['x'.repeat(longest + 1)]]
    return schema.minLength
      ? kind(['a', ...full], 1, true, {}, '', ...over)
      : kind(['a', '', ...full], 1, true, {}, ...over)
  }
  if (type === 'array' && schema.prefixItems !== undefined)
    return tupleOf(...schema.prefixItems.map((each) => inside(each)))
  if (type === 'array' && (deep > 9 || name === 'names')) return kind([[]]) // as many names as values, or none
  if (type === 'array') return listOf(inside(schema.items ?? {}), schema.maxItems)
  if (type === 'object' && schema.additionalProperties !== undefined)
    return objectOf({ any: { ...inside(schema.additionalProperties, ''), mayLack: true } }, false)
  if (type === 'object') {
    const mayLack = (member: string) => schema.required?.includes(member) !== true
    const all = Object.entries(schema.properties ?? {})
    const members = all.map(([member, each]) => {
      return [member, { ...inside(each, member), mayLack: mayLack(member) }] as const
    })
    return objectOf(Object.fromEntries(members), false)
  }
  const under = least === undefined ? [] : [least - 1]
  return most === undefined
    ? kind([least ?? 1], '1', true, ...under)
    : kind([least ?? 1, most], '1', true, ...under, most + 1)
}

const rows = Object.entries({ ...operations, ...controls }).map(([name, row]) => {
  const path = row.path.replaceAll(/:(\w+)/g, '{$1}')
  const { summary, parameters, requestBody, responses } = document.paths[path][row.method.toLowerCase()]
  const query: { name: string; required: boolean; schema: Described }[] = parameters.filter(
    (each: { in: string }) => each.in === 'query',
  )
  const asked: Described = requestBody?.content['application/json']?.schema ?? {
    type: 'object',
    properties: Object.fromEntries(query.map((each) => [each.name, each.schema])),
    required: query.filter(({ required }) => required).map((each) => each.name),
  }
  const answered = responses['200'].content['application/json']?.schema.oneOf?.[0].properties.data
  return { name, row, summary, asked, answered }
})

/** How a schema differs from what is described: what it says of right values, and places of wrong ones that it takes. */
function differences(schema: GenericSchema, described: Described): readonly string[] {
  const { right, wrong } = valuesOf(described)
  const said = right.flatMap((value) => safeParse(schema, value).issues ?? [])
  const taken = wrong.filter(([, value]) => safeParse(schema, value).success)
  return [
    ...new Set([
      ...said.map((issue) => `${getDotPath(issue)} ${issue.message}`),
      ...taken.map(([place]) => `${place} is taken`),
    ]),
  ]
}

const isTaken = (...places: readonly string[]) => places.map((place) => `${place} is taken`)
const anyShare = isTaken('.faults.0.share')
/** What a client takes beside: a number that is only shown may be any. */
const takenToo: Readonly<Record<string, readonly string[]>> = {
  'add-fault': isTaken('.share'),
  'clear-faults': anyShare,
  faults: anyShare,
  'remove-fault': anyShare,
}

describe('the OpenAPI document and the schemas', () => {
  test.each(rows)('$name takes the requests that the document describes', ({ name, row, summary, asked }) => {
    expect(row.summary).toBe(summary)
    expect(differences(row.input, asked)).toEqual([])
    if (!(name in operations)) return
    const required = Object.keys(row.input.entries).filter((each) => needs(name as OperationName, each))
    expect(required.sort()).toEqual([...(asked.required ?? [])].sort())
  })

  test.each(
    rows.filter(
      ({ name, row, answered }) => name in controls && row.answer !== null && answered !== undefined,
    ),
  )('a client reads the answers of $name as the document describes them', ({ name, row, answered }) => {
    expect(differences(row.answer as GenericSchema, answered)).toEqual(takenToo[name] ?? [])
  })

  test('named answers have the members of the documents, and words are those there', () => {
    const schemas = [...answers, ...foldersAnswers].flatMap((schema) => partsOf(schema))
    const shown = { ...printed.$defs, ...document.components.schemas }
    const membersOf = (schema: GenericSchema) => Object.keys((schema as Parts).entries ?? {}).sort()
    const named = schemas.flatMap((schema) => {
      const name = getTitle(schema)
      return name === undefined ? [] : [[name, membersOf(schema)]]
    })
    const ofDocuments = named.map(([name]) => {
      return [name, Object.keys(shown[String(name)]?.properties ?? {}).sort()]
    })
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(ofDocuments))
    expect(named.filter(([name]) => !Object.hasOwn(shown, String(name)))).toEqual([])
    const written = JSON.stringify(shown)
    const lists = schemas.flatMap((schema) => {
      const { words } = getMetadata(schema)
      return words === undefined ? [] : [JSON.stringify(words)]
    })
    expect(lists.filter((list) => !written.includes(`"enum":${list.slice(0, -1)}`))).toEqual([])
    expect(new Set(lists).size).toBe(9)
  })
})

/** A schema with all that it holds. */
function partsOf(schema: GenericSchema, known = new Set<GenericSchema>()): GenericSchema[] {
  if (known.has(schema)) return []
  known.add(schema)
  const { entries = {}, item, value, wrapped, options = [], items = [], getter } = schema as Parts
  const inner = [...Object.values(entries), ...options, ...items, item, value, wrapped, getter?.()]
  return [schema, ...inner.flatMap((each) => (isSchema(each) ? partsOf(each, known) : []))]
}

const isSchema = (value: unknown): value is GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'

/** Where schemas hold others. */
interface Parts extends GenericSchema {
  readonly entries?: Readonly<Record<string, GenericSchema>>
  readonly options?: readonly unknown[]
  readonly items?: readonly GenericSchema[]
  readonly item?: GenericSchema
  readonly value?: GenericSchema
  readonly wrapped?: GenericSchema
  readonly getter?: () => GenericSchema
}
