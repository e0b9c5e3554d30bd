import { type DescribedOperation, openapiDocument } from '../../../openapi/document.ts'

/** An operation, or a webhook, as the document has it. */
export interface DocumentedOperation {
  readonly id: string
  readonly tag: string
  /** In capitals; `POST` for a webhook, too. */
  readonly method: string
  /** With names in braces; null for a webhook, which goes to an address of the merchant. */
  readonly path: string | null
  readonly operation: DescribedOperation
}

/** Every operation and webhook, in the order of the document. */
export function documentedOperations(): readonly DocumentedOperation[] {
  const { paths = {}, webhooks = {} } = openapiDocument()
  return [
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => entryOf(method, path, operation)),
    ),
    ...Object.values(webhooks).flatMap((methods) =>
      Object.entries(methods).map(([method, operation]) => entryOf(method, null, operation)),
    ),
  ]
}

const entryOf = (
  method: string,
  path: string | null,
  operation: DescribedOperation,
): DocumentedOperation => ({
  id: operation.operationId,
  tag: path === null ? 'Webhooks' : (operation.tags[0] ?? ''),
  method: method.toUpperCase(),
  path,
  operation,
})
