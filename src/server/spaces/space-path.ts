import type { IncomingMessage } from 'node:http'

/** A space that the path of a request names, and the path as the space sees it. */
interface SpacePath {
  readonly name: string
  readonly path: string
}

const prefix = /^\/s\/([^/?#]*)(.*)$/

/** The space that a request names by its path; undefined for one that names none. */
export function spacePathOf({ url }: Pick<IncomingMessage, 'url'>): SpacePath | undefined {
  const [, name, rest] = prefix.exec(url ?? '') ?? []
  if (name === undefined || rest === undefined) return undefined
  return { name, path: rest.startsWith('/') ? rest : `/${rest}` }
}
