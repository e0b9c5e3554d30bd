/**
 * JSON of checked members in which two requests with the same members are the same text: without white space, without
 * absent members, and in the order of the names. A schema bounds the depth of what it checked.
 */
export function canonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  const members = value as Readonly<Record<string, unknown>>
  let text = ''
  for (const name of Object.keys(members).sort())
    if (members[name] != null) text += `${text === '' ? '' : ','}"${name}":${canonicalText(members[name])}`
  return `{${text}}`
}
