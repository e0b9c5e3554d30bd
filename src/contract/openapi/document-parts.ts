import type { OpenApiDocument } from './document.ts'

/** Parts of the document. */
export type DocumentPart = 'service' | 'control' | 'webhooks'

/** The document with these parts alone, and what they refer to; of no part all. */
export function selectParts(document: OpenApiDocument, parts: readonly DocumentPart[]): OpenApiDocument {
  if (parts.length === 0) return document
  const { paths = {}, webhooks = {}, tags, components, ...rest } = document
  const includedPaths = Object.entries(paths).filter(([path]) =>
    parts.includes(path.startsWith('/_sandbox/') ? 'control' : 'service'),
  )
  const includedWebhooks = parts.includes('webhooks') ? webhooks : {}
  const operations = [...includedPaths.map(([, each]) => each), ...Object.values(includedWebhooks)].flatMap(
    (each) => Object.values(each),
  )
  const used = new Set(operations.flatMap((operation) => operation.tags))
  const secured = new Set(operations.flatMap(({ security }) => security.flatMap((each) => Object.keys(each))))
  const { securitySchemes = {}, ...others } = components
  const kept = {
    securitySchemes: chosen(securitySchemes, (name) => secured.has(name)),
    ...referred(others, operations),
  }
  return {
    ...rest,
    tags: tags.filter(({ name }) => used.has(name)),
    ...(includedPaths.length > 0 && { paths: Object.fromEntries(includedPaths) }),
    ...(Object.keys(includedWebhooks).length > 0 && { webhooks: includedWebhooks }),
    components: Object.fromEntries(Object.entries(kept).filter(([, all]) => Object.keys(all).length > 0)),
  }
}

type Components = OpenApiDocument['components']

/** The components that these refer to, at any depth. */
function referred(components: Components, roots: readonly unknown[]): Components {
  const found = new Set<string>()
  let next: unknown = roots
  for (;;) {
    const fresh = referencesIn(next).filter((each) => !found.has(each))
    if (fresh.length === 0) break
    for (const each of fresh) found.add(each)
    next = fresh.map((each) => {
      const [kind = '', name = ''] = each.split('/')
      return components[kind]?.[name]
    })
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      chosen(all, (name) => found.has(`${kind}/${name}`)),
    ]),
  )
}

/** Kind and name of every component that is referred to: `schemas/RefusedEnvelope`. */
const referencesIn = (value: unknown): string[] => [
  ...new Set([...JSON.stringify(value).matchAll(/"#\/components\/([^"]+)"/g)].map(([, name]) => name ?? '')),
]

const chosen = <T>(all: Readonly<Record<string, T>>, isChosen: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => isChosen(name)))
