import { distance } from 'fastest-levenshtein'

/** The known word that the mistyped one most likely meant, or undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const mistyped = word.slice(0, 64).toLowerCase()
  let best: string | undefined
  let least = Math.max(2, Math.floor(mistyped.length / 3)) + 1
  for (const candidate of known) {
    const edits = distance(mistyped, candidate.toLowerCase())
    if (edits < least) [best, least] = [candidate, edits]
  }
  return best
}

/** Names with the same beginning that are proposed at most. */
const maxProposed = 5

/** A remedy for an unknown name: those that begin so, the nearest one, or all of them. */
export function suggestion(word: string, known: readonly string[]): string {
  const begin = word.length < 3 ? [] : known.filter((name) => name.startsWith(word))
  if (begin.length > 0 && begin.length <= maxProposed)
    return `did you mean ${[begin.slice(0, -1).join(', '), begin.at(-1)].filter(Boolean).join(' or ')}?`
  const near = nearest(word, known)
  return near === undefined ? `the names are ${known.join(', ')}` : `did you mean ${near}?`
}
