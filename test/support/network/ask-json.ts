import type { AnyJson } from '../any-json.ts'

/** Sends a request with JSON; resolves to the members of its answer, with the status as `httpStatus`. */
export async function askJson(
  url: string,
  method = 'GET',
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<AnyJson> {
  const answer = await fetch(url, {
    method,
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { httpStatus: answer.status, ...(text === '' ? {} : JSON.parse(text)) }
}
