import { type Call, guardLength, headerOf, isChunked, limitChunks } from '../../guard.ts'

/** The fields of a posted form. A field that is sent twice counts as left out. Errors: SBX_TOO_LARGE. */
export async function fieldsOf(call: Call): Promise<Readonly<Record<string, string>>> {
  if (isChunked(call)) await limitChunks(call)
  else guardLength(call)
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(headerOf(call, 'content-type') ?? '')) return {}
  const sent = new URLSearchParams(await call.req.text())
  const once = [...new Set(sent.keys())].filter((name) => sent.getAll(name).length === 1)
  return Object.fromEntries(once.map((name) => [name, sent.get(name) ?? '']))
}
