import { basePathOf, type Call } from '../../http/call.ts'

/**
 * Address of the page on which the button of a call was pressed, its path as this sandbox serves it; undefined when the
 * browser sends no referrer, or it is not a page of this sandbox.
 */
function addressBefore(call: Call): URL | undefined {
  const from = call.req.header('referer')
  if (from === undefined || !URL.canParse(from)) return undefined
  const address = new URL(from)
  const basePath = basePathOf(call)
  if (basePath === '') return address
  if (!`${address.pathname}/`.startsWith(`${basePath}/`)) return undefined
  address.pathname = address.pathname.slice(basePath.length)
  return address
}

/** The page with the pressed button, as a path of this sandbox; `otherwise` when that is unknown. */
export function pageBefore(call: Call, otherwise = '/'): string {
  const address = addressBefore(call)
  if (address === undefined) return otherwise
  const { pathname, searchParams } = address
  searchParams.delete('notice')
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}

/** The same, when it shows no single record: another state may not have it. */
export function listBefore(call: Call): string {
  const path = pageBefore(call)
  return path.lastIndexOf('/') === 0 ? path : '/'
}
