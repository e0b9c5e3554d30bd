import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from '../../shared/once.ts'
import { packageRoot } from '../../shared/package-root.ts'

/** JSON Schema, as far as it is looked at here. */
export interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
}

/** A header, or a member of the path or the query. */
export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: string
}

/** Bodies by content type. */
type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>

/** An answer by its HTTP status. */
interface Response {
  readonly $ref?: string
  readonly description: string
  readonly content?: Content
}

/** A call that comes before an example; left out, with the members of its own example. */
export type EarlierCall =
  | string
  | {
      readonly operation: string
      readonly names?: Readonly<Record<string, string>>
      readonly members?: Readonly<Record<string, unknown>>
    }

/** An operation of the service or of the control interface, or a webhook. */
export interface DescribedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  /** Any of these: names of security schemes. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content; readonly description?: string }
  readonly responses: Readonly<Record<string, Response>>
  /** What comes before the example, and which values an earlier answer has: operation and JSON pointer. */
  readonly 'x-example'?: {
    readonly after: readonly EarlierCall[]
    readonly from: Readonly<Record<string, readonly [operation: string, pointer: string]>>
  }
}

/** Operations by path, then by method in lower case. */
type Paths = Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>

/** The OpenAPI document. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly { readonly url: string; readonly description?: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths?: Paths
  readonly webhooks?: Paths
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The document that `npm run docs` wrote. */
export const openapiDocument = once(
  () => JSON.parse(readFileSync(join(packageRoot, 'fixtures/openapi.json'), 'utf8')) as OpenApiDocument,
)

/** The document for who reached the sandbox by that URL. */
export const documentFor = (url: string): OpenApiDocument => ({
  ...openapiDocument(),
  servers: [{ url, description: 'This sandbox' }],
})

/** What a reference leads to; anything else as it is. */
export function dereferenced<T extends { readonly $ref?: string }>(value: T): T {
  if (value.$ref === undefined) return value
  const [, , kind = '', name = ''] = value.$ref.split('/')
  return openapiDocument().components[kind]?.[name] as T
}
