import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type DescribedOperation, openapiDocument } from '../../src/openapi/document.ts'

/** What the sandbox answers, held against the OpenAPI document. */

interface Described {
  readonly pattern: RegExp
  readonly path: string
  readonly method: string
  readonly operation: DescribedOperation
}

const document = openapiDocument()

/** Concrete paths before those with names in them. */
const operations: readonly Described[] = Object.entries(document.paths ?? {})
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      path,
      method,
      operation,
    })),
  )
  .sort((one, other) => Number(one.path.includes('{')) - Number(other.path.includes('{')))

/** The schema with objects that have no other members than it names; parts of an `allOf` stay open. */
function closed(schema: unknown, isPart = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => closed(each, isPart))
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, each]) => [name, closed(each, name === 'allOf')]),
  )
  const isObject = copy.type === 'object' && typeof copy.properties === 'object'
  return isObject && !isPart && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy
}

const ajv = new Ajv2020({ strict: false, allowUnionTypes: true, validateFormats: true })
formats.default(ajv)
ajv.addSchema({ ...(closed(document) as object), $id: 'document' })

const pointer = (...steps: readonly string[]): string =>
  steps.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

/** An answer as it came. */
export interface Answered {
  readonly status: number
  readonly type: string | null
  readonly body: unknown
}

/** The operation that a request is for; undefined for anything else. */
const operationAt = (method: string, url: string): Described | undefined => {
  const path = url.replace(/^https?:\/\/[^/]+/, '').split('?')[0] ?? ''
  const [asked, wanted] = [method.toLowerCase(), operations]
  return wanted.find((each) => each.method === asked && each.pattern.test(path))
}

/** Why an answer is not what the document says; none for a path that it does not describe. */
export function undescribed(method: string, url: string, { status, type, body }: Answered): string[] {
  const found = operationAt(method, url)
  if (found === undefined) return []
  if ((body as { readonly code?: unknown } | null)?.code === 'SBX_NO_PATH') return [] // no operation has that name in its path
  const { operation, path } = found
  const key = String(status) in operation.responses ? String(status) : 'default'
  const response = operation.responses[key]
  if (response === undefined) return [`${operation.operationId} answers no HTTP ${status}`]
  const media = type?.split(';')[0] ?? ''
  const base =
    response.$ref === undefined
      ? `document#${pointer('paths', path, found.method, 'responses', key)}`
      : `document${response.$ref}`
  const place = `${base}${pointer('content', media, 'schema')}`
  const check = ajv.getSchema(place)
  if (check === undefined) return [`${operation.operationId} answers no ${media} with HTTP ${status}`]
  if (check(body)) return []
  return [
    `${operation.operationId}, HTTP ${status}: ${JSON.stringify(body)?.slice(0, 600)}`,
    ...(check.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    ),
  ]
}

/** Fails the test for an answer that is not what the document says. */
export function requireDescribed(method: string, url: string, answered: Answered): void {
  const problems = undescribed(method, url, answered)
  if (problems.length > 0) throw new Error(`The OpenAPI document says otherwise:\n${problems.join('\n')}`)
}

/** Why a body of a webhook is not what the document says. */
export function undescribedWebhook(name: string, body: unknown): readonly object[] {
  const check = ajv.getSchema(
    `document#${pointer('webhooks', name, 'post', 'requestBody', 'content', 'application/json', 'schema')}`,
  )
  if (check === undefined) throw new Error(`the document has no webhook ${name}`)
  return check(body) ? [] : (check.errors ?? [])
}
