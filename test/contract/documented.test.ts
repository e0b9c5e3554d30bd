import { type GenericSchema, safeParse } from 'valibot'
import { describe, expect, test } from 'vitest'
import { operationNames, operations } from '../../src/contract/operations.ts'
import { controls } from '../../src/contract/sandbox/controls/controls.ts'
import {
  answerSchemaOf,
  documentedEndpoints,
  type Probe,
  probesOf,
  requestSchemaOf,
  sampleOf,
} from '../support/openapi/documented.ts'

const refusedBy = (schema: GenericSchema, value: unknown): string[] =>
  (safeParse(schema, value).issues ?? []).map(({ message }) => message)

/** What the schema and the document do not agree on, each with its path and value. */
const disputed = (schema: GenericSchema, probes: Iterable<Probe>): string[] =>
  [...probes]
    .filter(({ value, fits }) => safeParse(schema, value).success !== fits)
    .map(({ path, value, fits }) => `${path}: ${JSON.stringify(value)} ${fits ? 'fits' : 'does not fit'}`)

test('each operation has the method and path of the document', () => {
  const rows = Object.entries({ ...operations, ...controls })
  const rowEndpoints = rows.map(([name, { method, path }]) => [
    name,
    `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
  ])
  expect(rowEndpoints).toEqual(rows.map(([name]) => [name, documentedEndpoints.get(name)]))
})

describe('the schema of a request', () => {
  const requests = [
    ...operationNames.map((name) => [name, operations[name].input] as const),
    ...Object.entries(controls).map(([name, { input }]) => [name, input] as const),
  ]

  test.each(requests)('a request of %s accepts what the document says and nothing else', (name, input) => {
    const schema = requestSchemaOf(name)
    const sample = sampleOf(schema) as object
    expect(refusedBy(input, sample)).toEqual([])
    expect(Object.keys(input.entries).sort()).toEqual(Object.keys(sample).sort())
    for (const member of Object.keys(sample)) {
      const { [member]: _, ...without } = sample as Record<string, unknown>
      expect(safeParse(input, without).success, member).toBe(!schema.required?.includes(member))
    }
    expect(disputed(input, probesOf(schema))).toEqual([])
  })
})

describe('the schema of an answer', () => {
  const answers = Object.entries(controls).flatMap(([name, { answer }]) => {
    const schema = answerSchemaOf(name)
    const isDescribed = schema !== undefined && Object.keys(schema).length > 0
    return answer === null || !isDescribed ? [] : [[name, answer, schema] as const]
  })

  test.each(answers)('an answer of %s is checked by what the document says', (_, answer, schema) => {
    expect(refusedBy(answer, sampleOf(schema))).toEqual([])
    expect(disputed(answer, probesOf(schema, false))).toEqual([])
  })

  test('a follow-up in the tree of a transaction must be as complete as the transaction', () => {
    const { answer } = controls.transaction
    const story = sampleOf(answerSchemaOf('transaction') ?? {}) as { readonly tree: object }
    const following = (followUps: readonly object[]) => ({ ...story, tree: { ...story.tree, followUps } })
    expect(refusedBy(answer, following([story.tree]))).toEqual([])
    expect(refusedBy(answer, following([{}]))).not.toEqual([])
  })
})
