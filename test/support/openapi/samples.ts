import type { AnyJson } from '../any-json.ts'

/** A JSON Schema, as far as samples need it. */
export type SampledSchema = AnyJson

/** Values of texts by the names of their members. */
type Texts = Readonly<Record<string, string>>

/** A right value of a schema with every member; `root`: the document of its references, `texts`: values by name. */
export function sampleOf(
  schema: SampledSchema,
  texts: Texts,
  root: SampledSchema = {},
  name = '',
  deep = 0,
): AnyJson {
  const inside = (each: SampledSchema, inner = name) => sampleOf(each, texts, root, inner, deep + 1)
  if (schema.$ref !== undefined)
    return inside(
      schema.$ref
        .slice(2)
        .split('/')
        .reduce((part: AnyJson, step: string) => part[step], root),
    )
  if (schema.anyOf !== undefined && schema.type !== 'object') return inside(schema.anyOf[0])
  const { properties, additionalProperties } = schema
  const [type = 'object'] = [schema.type].flat() // null comes last
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (type === 'array') {
    const entries: readonly SampledSchema[] = schema.prefixItems ?? [schema.items ?? {}]
    return deep > 8 || name === 'names' ? [] : entries.map((each) => inside(each))
  }
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'string') return texts[name] ?? textOf(schema.pattern)
  const members = properties ?? (additionalProperties ? { any: additionalProperties } : {})
  return Object.fromEntries(
    Object.entries(members).map(([member, each]) => [member, inside(each as SampledSchema, member)]),
  )
}

const textOf = (pattern = ''): string =>
  ['2026-01-31T12:00:00Z', '4242', 'abc-123'].find((text) => new RegExp(pattern).test(text)) ?? 'x'

/** The value with each of its texts replaced, one at a time; with the place of that text. */
export function* withEachText(
  value: AnyJson,
  text: string,
  place = '',
): Generator<readonly [string, AnyJson]> {
  if (typeof value === 'string') yield [place, text]
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value))
    for (const [inner, changed] of withEachText(each, text, `${place}.${key}`))
      yield [inner, Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed }]
}
