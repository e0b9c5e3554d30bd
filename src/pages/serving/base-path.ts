/**
 * What the pages of a space write leads to that space. Pages are written as those of the first space are, with paths from
 * the root; on their way out they get the path below which the space is served. assumption: space-paths
 */

/** Attributes that hold a path, and `<html>`, which tells it to the scripts. Values have no quotes: the renderer escapes them. */
const places = / (action|formaction|href|hx-get|hx-post|src|sse-connect)="(?=\/)|<html(?= )/g

/** HTML whose paths begin with the base path; as it is for the first space, which has none. */
export const withBasePath = (html: string, basePath: string): string =>
  basePath === ''
    ? html
    : html.replace(places, (_, name?: string) =>
        name === undefined ? `<html data-base="${basePath}"` : ` ${name}="${basePath}`,
      )

/** Headers that lead to a page, with the path that they may have at their end. */
const leading: readonly (readonly [name: string, path: RegExp])[] = [
  ['Location', /^(?=\/)/],
  ['Refresh', /(?<=^\d+; url=)(?=\/)/],
]

type Fetch<A extends readonly unknown[]> = (...given: A) => Response | Promise<Response>

/** The same answers, with the base path in headers and pages. Event streams of pages get it in each of their messages. */
export const writingBasePath =
  <A extends readonly unknown[]>(fetch: Fetch<A>, basePath: string): Fetch<A> =>
  async (...given) => {
    const response = await fetch(...given)
    const { status, headers } = response
    for (const [name, path] of leading) {
      const value = headers.get(name)
      if (value !== null) headers.set(name, value.replace(path, basePath))
    }
    const isPage = headers.get('Content-Type')?.startsWith('text/html') && response.body !== null
    return isPage
      ? new Response(withBasePath(await response.text(), basePath), { status, headers })
      : response
  }
