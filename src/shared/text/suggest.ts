import { distance } from 'fastest-levenshtein'
import { joined } from './words.ts'

/** The known word that the mistyped one most likely meant, or undefined when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const mistyped = word.slice(0, 64).toLowerCase()
  let best: string | undefined
  let least = Math.max(2, Math.floor(mistyped.length / 3)) + 1
  for (const candidate of candidates) {
    const edits = distance(mistyped, candidate.toLowerCase())
    if (edits < least) [best, least] = [candidate, edits]
  }
  return best
}

/** Names with the same beginning that are proposed at most. */
const maxProposed = 5

/** Names that begin with the word; of a short one none, and of many none. */
function beginningWith(word: string, names: readonly string[]): readonly string[] {
  const begin = word.length < 3 ? [] : names.filter((name) => name.startsWith(word))
  return begin.length <= maxProposed ? begin : []
}

/** A remedy for an unknown name: those that begin so, the nearest, those that end so, all, or none. */
export function suggestion(word: string, names: readonly string[]): string {
  const begin = beginningWith(word, names)
  if (begin.length > 0) return `did you mean ${joined(begin, 'or')}?`
  if (names.length === 0) return 'there is none yet'
  const near = nearest(word, names)
  if (near !== undefined) return `did you mean ${near}?`
  const ends = (whole: string, part: string) => whole.toLowerCase().endsWith(part.toLowerCase())
  const end = word.length < 3 ? [] : names.filter((name) => ends(name, word) || ends(word, name))
  return end.length > 0 && end.length <= maxProposed
    ? `did you mean ${joined(end, 'or')}?`
    : `the names are ${names.join(', ')}`
}
