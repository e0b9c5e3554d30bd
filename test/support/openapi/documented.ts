import { readFileSync } from 'node:fs'
import type { DescribedOperation, OpenApiDocument, Schema } from '../../../src/openapi/document.ts'

/** The published document, read by itself: what it says of a member is held against the contract. */
const document = JSON.parse(
  readFileSync(new URL('../../../fixtures/openapi.json', import.meta.url), 'utf8'),
) as PublishedDocument

interface PublishedDocument extends Required<Pick<OpenApiDocument, 'paths'>> {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const described = new Map(
  Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((each) => [each.operationId, each] as const),
  ),
)
const json = 'application/json'

/** Method and path of each operation by name: `GET /_sandbox/terminals/{sn}`. */
export const documentedEndpoints: ReadonlyMap<string, string> = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`] as const,
    ),
  ),
)

/** The members of a request: of its body, or of its query. */
export function requestSchemaOf(name: string): Schema {
  const { requestBody, parameters } = described.get(name) as DescribedOperation
  const body = requestBody?.content[json]
  if (body !== undefined) return body.schema
  const query = parameters.filter((each) => each.in === 'query')
  return {
    type: 'object',
    properties: Object.fromEntries(query.map((each) => [each.name, each.schema])),
    required: query.filter((each) => each.required).map((each) => each.name),
  }
}

/** The data of an accepted answer; undefined for a stream or a file. */
export const answerSchemaOf = (name: string): Schema | undefined =>
  described.get(name)?.responses['200']?.content?.[json]?.schema.oneOf?.[0]?.properties?.data

/** The schema, and every other one that it may be instead. */
function choicesOf(schema: Schema): readonly Schema[] {
  if (schema.$ref !== undefined)
    return choicesOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] as Schema)
  if (schema.properties !== undefined) return [schema] // which members it needs is said beside them
  return (schema.anyOf ?? schema.oneOf)?.flatMap(choicesOf) ?? [schema]
}

/** Members whose rule is in words, with a value that obeys it. */
const inWords: readonly (readonly [RegExp, unknown])[] = [
  [/Currency$/, 'USD'],
  [/^countryCode$/, 'USA'],
  [/Url$|^url$/, 'https://merchant.test/hook'],
  [/Time$|Expire$|At$|^at$|^since$|^time$|^from$|^until$/, '2026-01-31T12:00:00Z'],
  [/^addresses$/, ['192.0.2.1']],
  [/^limit$/, '100'],
  [/^last4$/, '1111'],
  [/^status$/, 'approved'],
  [/^type$/, 'sale'],
  [/^kind$/, 'lost-answer'],
]

/** A value that is as described, with every member; what is inside of itself is left out there. */
export function sampleOf(schema: Schema, name = '', outer: readonly Schema[] = []): unknown {
  const [first = {}] = choicesOf(schema)
  if (first.const !== undefined) return first.const
  if (first.enum !== undefined) return first.enum[0]
  const worded = inWords.find(([names]) => names.test(name))?.[1]
  switch ([first.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(first.properties ?? {}).map(([member, each]) => [
          member,
          sampleOf(each, member, [...outer, first]),
        ]),
      )
    case 'array':
      return worded ?? itemsOf(first, outer).map((item) => sampleOf(item, '', outer))
    case 'string':
      return worded ?? '1234567'
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return first.minimum ?? 1
  }
}

/** The items of a list, without those that the list is inside of. */
const itemsOf = (
  { items, prefixItems }: Schema & { readonly prefixItems?: readonly Schema[] },
  outer: readonly Schema[] = [],
): readonly Schema[] =>
  (prefixItems ?? (items === undefined ? [] : [items])).filter(
    (item) => !choicesOf(item).some((choice) => outer.includes(choice)),
  )

/** A value in which one member is another one. */
export interface Probe {
  readonly path: string
  readonly value: unknown
  /** What the document says of it. */
  readonly fits: boolean
}

const jsonTypeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** Types that a value may have: an integer is a number. */
const typesOf = (schema: Schema): ReadonlySet<string> =>
  new Set(
    choicesOf(schema).flatMap(({ type, enum: words = [], const: only }) => [
      ...[type ?? []].flat().map((each) => (each === 'integer' ? 'number' : each)),
      ...[...words, ...(only === undefined ? [] : [only])].map(jsonTypeOf),
    ]),
  )

/** Values at every member, and inside of it, of which the document says whether they fit; `edges`: bounds and patterns too. */
export function* probesOf(
  schema: Schema,
  edges = true,
  name = '',
  outer: readonly Schema[] = [],
): Generator<Probe> {
  const types = typesOf(schema)
  const isObject = types.has('object')
  for (const value of ['text', 12.5, true, {}, []])
    if (!types.has(jsonTypeOf(value)) && !(isObject && Array.isArray(value)))
      yield { path: name, value, fits: false }
  if (types.has('null')) yield { path: name, value: null, fits: true }
  const choices = choicesOf(schema)
  if (choices.length > 1)
    for (const choice of choices) yield { path: name, value: sampleOf(choice, name, outer), fits: true }
  for (const choice of choices) {
    if (edges) for (const [value, fits] of edgesOf(choice, name)) yield { path: name, value, fits }
    for (const value of choice.enum ?? []) yield { path: name, value, fits: true }
    const sample = sampleOf(choice, name, outer) as Record<string, unknown> & unknown[]
    const inner = [...outer, choice]
    for (const [index, item] of itemsOf(choice, inner).entries())
      for (const { path, value, fits } of probesOf(item, edges && choice.items !== undefined, '', inner))
        yield { path: `${name}.${index}${path}`, value: sample.with(index, value), fits }
    for (const [member, each] of Object.entries(choice.properties ?? {}))
      for (const { path, value, fits } of probesOf(each, edges, member, inner))
        yield { path: `${name}.${path}`, value: { ...sample, [member]: value }, fits }
  }
}

/** Values at the bounds and beyond them, and all that differ from a good one by a character. */
function edgesOf(
  { type, minimum, maximum, minLength, maxLength, maxItems, items, pattern, description }: Schema,
  name: string,
): (readonly [unknown, boolean])[] {
  const edges: (readonly [unknown, boolean])[] = []
  const isWorded = pattern !== undefined || / must be /.test(description ?? '')
  if (type === 'integer') edges.push([(minimum ?? 0) + 0.5, false])
  if (minimum !== undefined) edges.push([minimum, true], [minimum - 1, false])
  if (maximum !== undefined) edges.push([maximum, true], [maximum + 1, false])
  if (minLength !== undefined && minLength > 0) edges.push(['', false])
  if (maxLength !== undefined) edges.push(['x'.repeat(maxLength + 1), false])
  if (maxLength !== undefined && !isWorded) edges.push(['x'.repeat(maxLength), true])
  if (maxItems !== undefined && items !== undefined)
    edges.push([Array(maxItems + 1).fill(sampleOf(items)), false])
  const rule = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  if (rule !== undefined)
    for (const text of variantsOf(String(sampleOf({ type: 'string' }, name))))
      if (!rule.test(text)) edges.push([text, false])
  return edges
}

/** Texts that differ from this one by a character, and some that are longer. */
const variantsOf = (text: string): string[] => [
  ...[...text].flatMap((_, at) =>
    ['', 'x', '1', ' '].map((other) => `${text.slice(0, at)}${other}${text.slice(at + 1)}`),
  ),
  ...['x', ' ', '\n'].flatMap((more) => [more + text, text + more]),
  ...[1, 40, 1000].map((times) => 'x'.repeat(times)),
]
