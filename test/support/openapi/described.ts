import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type DescribedOperation, openapiDocument } from '../../../src/contract/openapi/document.ts'

/** What the sandbox answers, held against the OpenAPI document. */

interface OperationRoute {
  readonly pattern: RegExp
  readonly path: string
  readonly method: string
  readonly operation: DescribedOperation
}

const document = openapiDocument()

/** Paths without names in them come first. */
const routes: readonly OperationRoute[] = Object.entries(document.paths ?? {})
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

/** Compiled in a fifth of the time that ajv takes by default: each worker compiles what it needs. The linter checks the schemas. */
const ajv = new Ajv2020({
  strict: false,
  allowUnionTypes: true,
  validateFormats: true,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
})
formats.default(ajv)
ajv.addSchema({ ...(closed(document) as object), $id: 'document' })

const pointer = (...steps: readonly string[]): string =>
  steps.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

/** An answer as it came. */
export interface Answered {
  readonly status: number
  readonly type: string | null
  /** Empty for a stream. */
  readonly text: string
}

/** True for what goes on after its head. */
export const isStreamType = (type: string): boolean => type.startsWith('text/event-stream')

/** True for what only an injected fault sends whole: nothing at all, or the page of a proxy. docs/faults.md */
const isInjected = (path: string, { type, text }: Answered): boolean =>
  path.startsWith('/v1/') && (text === '' || (type === 'text/html' && text.includes('<hr>proxy')))

function bodyOf({ text, type }: Answered): unknown {
  if (!type?.startsWith('application/json')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text // which fits no schema of JSON
  }
}

/** The compiled schema of an answer, which ajv keeps; undefined where the document has none. */
function checkOf({ operation, path, method }: OperationRoute, status: number, media: string) {
  const name = String(status) in operation.responses ? String(status) : 'default'
  const reference = operation.responses[name]?.$ref ?? `#${pointer('paths', path, method, 'responses', name)}`
  return ajv.getSchema(`document${reference}${pointer('content', media, 'schema')}`)
}

/** Why an answer is not what the document says; none for a path that it does not describe. */
export function undescribed(method: string, url: string, answered: Answered): string[] {
  const path = url.replace(/^https?:\/\/[^/]+/, '').split('?')[0] ?? ''
  const wanted = method.toLowerCase()
  const found = routes.find((each) => each.method === wanted && each.pattern.test(path))
  if (found === undefined || isInjected(path, answered)) return []
  const { status, type } = answered
  const body = bodyOf(answered)
  if ((body as { readonly code?: unknown } | null)?.code === 'SBX_NO_PATH') return [] // no operation has that name in its path
  const { operationId } = found.operation
  const media = type?.split(';')[0] ?? ''
  const check = checkOf(found, status, media)
  if (check === undefined) return [`${operationId} answers no ${media} with HTTP ${status}`]
  if (check(body)) return []
  return [
    `${operationId}, HTTP ${status}: ${JSON.stringify(body)?.slice(0, 600)}`,
    ...(check.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    ),
  ]
}

/** Why a body of a webhook is not what the document says. */
export function undescribedWebhook(name: string, body: unknown): readonly object[] {
  const check = ajv.getSchema(
    `document#${pointer('webhooks', name, 'post', 'requestBody', 'content', 'application/json; charset=utf-8', 'schema')}`,
  )
  if (check === undefined) throw new Error(`the document has no webhook ${name}`)
  return check(body) ? [] : (check.errors ?? [])
}
