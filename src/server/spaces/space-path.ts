import type { IncomingMessage } from 'node:http'

/** A space that the path of a request names, and the path as the space sees it. */
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
