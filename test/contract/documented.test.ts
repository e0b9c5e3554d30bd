import { readFileSync } from 'node:fs'
import { type GenericSchema, getDotPath, safeParse } from 'valibot'
import { describe, expect, test } from 'vitest'
import { needs } from '../../src/contract/operation-members.ts'
import { type OperationName, operations } from '../../src/contract/operations.ts'
import { controls } from '../../src/contract/sandbox/controls/controls.ts'

/** A JSON Schema of the OpenAPI document, with what it uses of them. */
interface Described {
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
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
}

/** Values as they are described, the usual one first, and others, each with its place. */
interface Values {
  readonly right: readonly unknown[]
  readonly wrong: readonly (readonly [place: string, value: unknown])[]
}

const document = JSON.parse(readFileSync(new URL('../../fixtures/openapi.json', import.meta.url), 'utf8'))

/** Texts for members with a rule that JSON Schema has no word for. */
const texts: Readonly<Record<string, string>> = {
  priceCurrency: 'USD',
  notifyUrl: 'http://127.0.0.1/',
  terminalEventNotifyUrl: 'http://127.0.0.1/',
  merchantReturnUrl: 'http://127.0.0.1/',
  status: 'approved',
  type: 'sale',
  amount: '10.00..20.00',
  kind: 'http-503',
  apiKey: 'key',
  addresses: '10.0.0.0/8',
}

const wrongly = (...values: readonly unknown[]) => values.map((value) => ['', value] as const)

/** Values of a description. `deep`: how often it was entered that way: some have themselves inside. */
function valuesOf(described: Described, name = '', deep = 0): Values {
  const { $ref, type, minimum: least, maximum: most, ...schema } = described
  if ($ref !== undefined)
    return valuesOf(
      $ref
        .slice(2)
        .split('/')
        .reduce((inner, step) => inner[step], document),
      name,
      deep + 1,
    )
  const words = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (words !== undefined) return { right: words, wrong: wrongly(1, true, {}) }
  if (Array.isArray(type)) {
    return choiceOf(type.map((each) => valuesOf({ ...described, type: each }, name, deep)))
  }
  if (schema.anyOf !== undefined && type !== 'object')
    return choiceOf(schema.anyOf.map((each) => valuesOf(each, name, deep)))
  if (type === 'null' || type === undefined) return { right: [type === 'null' ? null : {}], wrong: [] }
  if (type === 'boolean') return { right: [true, false], wrong: wrongly(1, 'true') }
  if (type === 'array') return listValues(schema, name, deep)
  if (type === 'object') return objectValues(schema, deep)
  if (type === 'string') return textValues(schema, texts[name])
  return {
    right: [least ?? 1, ...(most === undefined ? [] : [most])],
    wrong: wrongly(
      '1',
      true,
      ...(least === undefined ? [] : [least - 1]),
      ...(most === undefined ? [] : [most + 1]),
    ),
  }
}

const patterned = ['2026-01-31T12:00:00Z', '4242', 'abc-123']

/** Any of the values; wrong is what is of the same type as right ones of one choice alone. */
const choiceOf = (choices: readonly Values[]): Values => ({
  right: choices.flatMap(({ right }) => right),
  wrong: choices.flatMap(({ right, wrong }) => {
    const isOwn = (value: unknown) =>
      typeof value === typeof right[0] && Array.isArray(value) === Array.isArray(right[0])
    const isAlone = choices.filter((other) => other.right.some(isOwn)).length === 1
    return isAlone ? wrong.filter(([, value]) => isOwn(value)) : []
  }),
})

function textValues({ pattern, minLength = 0, maxLength }: Described, own?: string): Values {
  if (own !== undefined) return { right: [own], wrong: wrongly(1, true, {}) }
  if (pattern !== undefined)
    return {
      right: [patterned.find((text) => RegExp(pattern).test(text))],
      wrong: wrongly(1, '', ' ', 'x'.repeat(129)),
    }
  return {
    right: ['a', ...(minLength > 0 ? [] : ['']), ...(maxLength === undefined ? [] : ['x'.repeat(maxLength)])],
    wrong: wrongly(
      1,
      true,
      {},
      ...(minLength > 0 ? [''] : []),
      ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ),
  }
}

function listValues({ items, prefixItems, maxItems }: Described, name: string, deep: number): Values {
  if (prefixItems !== undefined) {
    const all = prefixItems.map((each) => valuesOf(each, name, deep))
    const firsts = all.map(({ right }) => right[0])
    return { right: [firsts, all.map(({ right }) => right.at(-1))], wrong: wrongly(firsts.slice(1), 'a', {}) }
  }
  if (deep > 3 || name === 'names') return { right: [[]], wrong: [] } // as many names as values, or none
  const { right, wrong } = valuesOf(items ?? {}, name, deep)
  const copies = (count: number) => Array.from({ length: count }, () => right[0])
  return {
    right: [...right.map((value) => [value]), [], ...(maxItems === undefined ? [] : [copies(maxItems)])],
    wrong: [
      ...wrong.map(([place, value]) => [`.0${place}`, [value]] as const),
      ...wrongly('a', 1, ...(maxItems === undefined ? [] : [copies(maxItems + 1)])),
    ],
  }
}

function objectValues(
  { properties = {}, required = [], additionalProperties }: Described,
  deep: number,
): Values {
  if (additionalProperties !== undefined) {
    const { right, wrong } = valuesOf(additionalProperties, '', deep)
    return {
      right: [{}, ...right.map((value) => ({ any: value }))],
      wrong: [...wrong.map(([place, value]) => [`.any${place}`, { any: value }] as const), ...wrongly('a')],
    }
  }
  const all = Object.entries(properties).map(([name, each]) => [name, valuesOf(each, name, deep)] as const)
  const usual = Object.fromEntries(all.map(([name, { right }]) => [name, right[0]]))
  const without = (name: string) =>
    Object.fromEntries(Object.entries(usual).filter(([each]) => each !== name))
  return {
    right: [
      usual,
      ...all.flatMap(([name, { right }]) => right.slice(1).map((value) => ({ ...usual, [name]: value }))),
      ...all.filter(([name]) => !required.includes(name)).map(([name]) => without(name)),
    ],
    wrong: [
      ...all.flatMap(([name, { wrong }]) =>
        wrong.map(([place, value]) => [`.${name}${place}`, { ...usual, [name]: value }] as const),
      ),
      ...required.map((name) => [`without .${name}`, without(name)] as const),
      ...wrongly('a', 1),
    ],
  }
}

const rows = Object.entries({ ...operations, ...controls }).map(([name, row]) => {
  const path = row.path.replaceAll(/:(\w+)/g, '{$1}')
  const { summary, parameters, requestBody, responses } = document.paths[path][row.method.toLowerCase()]
  const query = parameters.filter((each: { in: string }) => each.in === 'query')
  const asked: Described = requestBody?.content['application/json']?.schema ?? {
    type: 'object',
    properties: Object.fromEntries(
      query.map((each: { name: string; schema: Described }) => [each.name, each.schema]),
    ),
    required: query
      .filter((each: { required: boolean }) => each.required)
      .map((each: { name: string }) => each.name),
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
const anyNumber = isTaken('.badSignature', '.drop', '.duplicate', '.stale')

/** What a client takes beside: an older sandbox leaves out members, and a number that is only shown may be any. */
const takenToo: Readonly<Record<string, readonly string[]>> = {
  connection: isTaken(
    ...['url', 'id', 'port', 'pid', 'appId', 'merchantId', 'terminals', 'state', 'runs'].map(
      (each) => `without .${each}`,
    ),
    ...['notifyUrl', 'forwardTo', 'publicUrl', 'preset', 'logFile'].map((each) => `without .${each}`),
  ),
  'add-fault': isTaken('.share'),
  'clear-faults': anyShare,
  faults: anyShare,
  'remove-fault': anyShare,
  request: isTaken('without .fault'),
  requests: isTaken('.requests.0without .fault'),
  'set-webhook-faults': anyNumber,
  'webhook-faults': anyNumber,
}

describe('the OpenAPI document and the schemas', () => {
  test.each(rows)('$name takes the requests that the document describes', ({ name, row, summary, asked }) => {
    expect(row.summary).toBe(summary)
    expect(differences(row.input, asked)).toEqual([])
    if (name in operations)
      expect(
        Object.keys(row.input.entries)
          .filter((each) => needs(name as OperationName, each))
          .sort(),
      ).toEqual([...(asked.required ?? [])].sort())
  })

  test.each(
    rows.filter(
      ({ name, row, answered }) => name in controls && row.answer !== null && answered !== undefined,
    ),
  )('a client reads the answers of $name as the document describes them', ({ name, row, answered }) => {
    expect(differences(row.answer as GenericSchema, answered)).toEqual(takenToo[name] ?? [])
  })
})
