import { createRequire } from 'node:module'
import { Ajv, type AnySchemaObject } from 'ajv'
import formats from 'ajv-formats'

const require = createRequire(import.meta.url)

/** What is wrong with an HTTP Archive by the public schema of HAR 1.2; empty for a valid one. */
export function problemsOfArchive(archive: unknown): readonly string[] {
  const ajv = new Ajv({ allErrors: true, strict: false })
  formats.default(ajv)
  ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json') as AnySchemaObject)
  for (const schema of Object.values(require('har-schema') as Record<string, AnySchemaObject>))
    ajv.addSchema(schema)
  return ajv.validate('har.json#', archive)
    ? []
    : (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
