/**
 * Makes the links of a space's pages lead to that space. Pages are written with paths from the root, like
 * those of the first space; the base path is added when they are sent. assumption: spaces
 */

/** The path of a page of the server, which no space has, begins with `/./`. */

/** Attributes with a path, and `<html>`, where scripts read it. The renderer escapes quotes. */
const pathAttributes = / (action|formaction|href|hx-get|hx-post|src|sse-connect)="(?=\/(?!\.\/))|<html(?= )/g

/** HTML whose paths begin with the base path; unchanged for the first space. */
export const withBasePath = (html: string, basePath: string): string =>
  basePath === ''
    ? html
    : html.replace(pathAttributes, (_, name?: string) =>
        name === undefined ? `<html data-base="${basePath}"` : ` ${name}="${basePath}`,
      )

/** Headers that lead to a page, with the path that they may have at their end. */
const leading: readonly (readonly [name: string, path: RegExp])[] = [
  ['Location', /^(?=\/)/],
  ['Refresh', /(?<=^\d+; url=)(?=\/)/],
]

type Fetch<A extends readonly unknown[]> = (...input: A) => Response | Promise<Response>

/** Puts the base path into headers and pages of answers, and into each message of pages' streams. */
export const writingBasePath =
  <A extends readonly unknown[]>(fetch: Fetch<A>, basePath: string): Fetch<A> =>
  async (...input) => {
    const response = await fetch(...input)
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
