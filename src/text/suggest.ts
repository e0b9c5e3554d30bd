/** Edits (insert, delete, replace) that turn one word into the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (letter === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** The known word that the mistyped one most likely meant, or undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const typed = word.slice(0, 64).toLowerCase()
  let best: string | undefined
  let least = Math.max(2, Math.floor(typed.length / 3)) + 1
  for (const candidate of known) {
    const edits = distance(typed, candidate.toLowerCase())
    if (edits < least) [best, least] = [candidate, edits]
  }
  return best
}

/** So many names that begin as the typed one are proposed. */
const mostProposed = 5

/** What to say of a name that is not among the known: those that begin so, the one that was meant, or all of them. */
export function suggestion(word: string, known: readonly string[]): string {
  const begin = word.length < 3 ? [] : known.filter((name) => name.startsWith(word))
  if (begin.length > 0 && begin.length <= mostProposed)
    return `did you mean ${[begin.slice(0, -1).join(', '), begin.at(-1)].filter(Boolean).join(' or ')}?`
  const meant = nearest(word, known)
  return meant === undefined ? `the names are ${known.join(', ')}` : `did you mean ${meant}?`
}
