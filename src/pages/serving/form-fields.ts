import { limitLength } from '../../http/body.ts'
import { type Call, headerOf } from '../../http/call.ts'

/**
 * What a form posted, by the names that are asked for. A field that is sent twice counts as left out: nobody can tell
 * which one was meant. Errors: SBX_TOO_LARGE.
 */
export async function fieldsOf(
  call: Call,
  names: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  await limitLength(call)
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(headerOf(call, 'content-type') ?? '')) return {}
  const sent = new URLSearchParams(await call.req.text())
  const once = (name: string) => sent.getAll(name).length === 1
  return Object.fromEntries(names.filter(once).map((name) => [name, sent.get(name) ?? '']))
}
