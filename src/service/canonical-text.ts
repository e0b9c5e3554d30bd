/**
 * Canonical JSON of validated members: equal members give equal text. It has no white space and no absent members, and
 * names are sorted. The schema bounds the depth of the members.
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
