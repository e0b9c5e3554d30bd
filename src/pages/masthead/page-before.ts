import type { Call } from '../../http/call.ts'

/** The page on which the button of a call was pressed, as a path of this sandbox; `otherwise` when the browser does not tell. */
export function pageBefore(call: Call, otherwise = '/'): string {
  const from = call.req.header('referer')
  if (from === undefined || !URL.canParse(from)) return otherwise
  const { pathname, searchParams } = new URL(from)
  searchParams.delete('notice')
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}

/** The same, when it shows no single record: another state may not have it. */
export function listBefore(call: Call): string {
  const path = pageBefore(call)
  return path.lastIndexOf('/') === 0 ? path : '/'
}
