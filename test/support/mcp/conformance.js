// Loaded before the conformance suite: it imports `fs.globSync` for a command of its own, and Node 20 has none.
import { register } from 'node:module'

const hooks = `export async function load(url, context, next) {
  const loaded = await next(url, context)
  if (!url.includes('/@modelcontextprotocol/conformance/')) return loaded
  return { ...loaded, source: String(loaded.source).replace(/,globSync as \\w+/, '') }
}`

register(`data:text/javascript,${encodeURIComponent(hooks)}`)
