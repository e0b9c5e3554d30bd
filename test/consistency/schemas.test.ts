import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { describing } from '../../src/agents/json-schema.ts'
import { tools } from '../../src/agents/tools.ts'
import { projectRoot } from '../support/project.ts'

/** Every JSON Schema that is published is one in the dialect that it is read in. */

const draft2020 = 'https://json-schema.org/draft/2020-12/schema'
const draft7 = 'http://json-schema.org/draft-07/schema#'

/** Where a schema is no schema of its dialect, has a word that the dialect does not know, or cannot be compiled. */
function faultsOf(schema: object, dialect: string): string {
  const validator =
    dialect === draft2020
      ? new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, strictRequired: false })
      : new Ajv({ strict: true, strictTypes: false, strictTuples: false, strictRequired: false })
  formats.default(validator)
  try {
    validator.compile(schema)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test.each([...tools])(
  'the schemas of the tool %s are of 2020-12, as MCP reads them',
  (_, { input, output }) => {
    for (const [schema, io] of [
      [input, 'input'],
      [output, 'output'],
    ] as const)
      expect(
        faultsOf(describing(schema, io)['~standard'].jsonSchema[io]({ target: 'draft-2020-12' }), draft2020),
      ).toBe('')
  },
)

const folder = join(projectRoot, 'fixtures')
const files = readdirSync(folder).filter((name) => name.endsWith('schema.json'))

test('there are files with schemas', () => expect(files.length).toBeGreaterThan(3))

test.each(files)('fixtures/%s is of the dialect that it names', (name) => {
  const schema = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  expect([draft2020, draft7]).toContain(schema.$schema)
  expect(faultsOf(schema, schema.$schema)).toBe('')
})

test('each schema of the OpenAPI document is of 2020-12, as OpenAPI 3.1 reads them', () => {
  const document = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8'))
  expect(document.openapi).toMatch(/^3\.1\./)
  const inside = (value: unknown): object[] => {
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, each]) => (name === 'schema' ? [each] : inside(each)))
  }
  const all: object[] = [...Object.values<object>(document.components.schemas), ...inside(document)]
  expect(all.length).toBeGreaterThan(200)
  const validator = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    strictSchema: 'log',
    logger: false,
  })
  formats.default(validator)
  validator.addSchema(
    { $id: 'document', $defs: all, components: document.components },
    'document',
    false,
    false,
  )
  const faults = all.map((schema, index) => {
    try {
      validator.compile({ $ref: `document#/$defs/${index}` })
      return validator.validateSchema(schema) === true ? '' : validator.errorsText()
    } catch (error) {
      return `${JSON.stringify(schema).slice(0, 100)}: ${(error as Error).message}`
    }
  })
  expect(faults.filter(Boolean)).toEqual([])
})
