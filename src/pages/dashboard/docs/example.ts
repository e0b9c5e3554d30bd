import { headerNames } from '../../../contract/headers.ts'
import { curlOf } from '../../../presentation/copy-as.ts'
import type { DocumentedOperation } from './documented-operations.ts'

/**
 * The example request of an operation, for curl. `baseUrl`: where the sandbox is reached; `publicKey`: the key that is
 * taken where TILLBOX_API_KEY is not set. Null for a webhook, and for what has no example.
 */
export function curlExample(
  { method, path, operation }: DocumentedOperation,
  baseUrl: string,
  publicKey: string,
): string | null {
  if (path === null) return null
  const { parameters, requestBody } = operation
  if (requestBody !== undefined && requestBody.content['application/json'] === undefined) return null
  const examplesIn = (where: string) =>
    parameters.filter((each) => each.in === where && each.example !== undefined)
  const names = new Map(examplesIn('path').map(({ name, example }) => [name, example]))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(names.get(name) ?? name),
  )
  const query = new URLSearchParams(examplesIn('query').map(({ name, example }) => [name, example ?? '']))
  const example = requestBody?.content['application/json']?.example
  const isService = path.startsWith('/v1/')
  return curlOf({
    method,
    url: `${baseUrl}${filled}${query.size === 0 ? '' : `?${query}`}`,
    headers: [
      ...(isService
        ? ([
            [headerNames.authorization, ''],
            [headerNames.clientRequestId, ''],
            [headerNames.timestamp, ''],
          ] as const)
        : []),
      ...(example === undefined ? [] : [[headerNames.contentType, 'application/json'] as const]),
    ],
    body: example === undefined ? '' : JSON.stringify(example),
    code: '0',
    publicKey,
  })
}
