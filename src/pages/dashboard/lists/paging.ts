/** Where a page of a list begins, as its links say it, or null; what is wrong with it is said, and the list begins at its newest. */
export function placeIn(
  query: Readonly<Record<string, string>>,
  name: 'before' | 'after',
  problems: string[],
): string | null {
  const text = query[name]?.trim() ?? ''
  if (text === '') return null
  if (/^\d{1,16}$/.test(text)) return text
  problems.push(
    `Where the page begins (${name}) must be a number of at most 16 digits, as its links have it.`,
  )
  return null
}

/** The same as a number. */
export function numberIn(
  query: Readonly<Record<string, string>>,
  name: 'before' | 'after',
  problems: string[],
): number | null {
  const place = placeIn(query, name, problems)
  return place === null ? null : Number(place)
}
