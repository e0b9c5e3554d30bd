import type { IncomingMessage } from 'node:http'

/** The space in the path of a request, and the path within the space. */
interface SpacePath {
  readonly name: string
  readonly path: string
}

const prefix = /^\/s\/([^/?#]*)(.*)$/

/** The space in the path of a request; undefined when the path names none. */
export function spacePathOf({ url }: Pick<IncomingMessage, 'url'>): SpacePath | undefined {
  const [, name, rest] = prefix.exec(url ?? '') ?? []
  if (name === undefined || rest === undefined) return undefined
  return { name, path: rest.startsWith('/') ? rest : `/${rest}` }
}
