import { distance } from 'fastest-levenshtein'

/**
 * How well a text fits what was typed; 0 when a typed word is not found. A word is found by its beginning
 * best, then inside another, and with one letter mistyped. `also`: words that are not shown but find it, too;
 * less well, and only as they are spelt. A word that was typed again counts once: the text is read as often
 * as there are words.
 */
export function matchScore(typed: string, text: string, also = ''): number {
  const [sought, shown, hidden] = [typed, text, also].map((each) => [...new Set(searchWords(each))]) as [
    string[],
    string[],
    string[],
  ]
  let score = 0
  for (const word of sought) {
    const best = Math.max(
      ...shown.map((each) => likeness(word, each)),
      ...hidden.map((each) => Math.min(spelt(word, each), 5)),
    )
    if (best === 0) return 0
    score += best
  }
  return score + (text.toLowerCase().startsWith(typed.trim().toLowerCase()) ? 5 : 0)
}

const searchWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** A word as it is spelt: whole, its beginning, or a part of it. */
function spelt(sought: string, word: string): number {
  if (word === sought) return 10
  if (word.startsWith(sought)) return 8
  return sought.length > 2 && word.includes(sought) ? 4 : 0
}

/** How like a word is, in full or with one wrong letter: `refubd` is like `refund`. Numbers must be exact. */
function likeness(sought: string, word: string): number {
  const asSpelt = spelt(sought, word)
  if (asSpelt > 0 || sought.length < 3 || sought[0] !== word[0] || /\d/.test(sought)) return asSpelt
  return sought.length > 3 && distance(sought, word.slice(0, sought.length)) <= 1 ? 2 : 0
}

/** What fits the typed text, the best first. `searchTexts`: what finds it; `weigh`: how much it counts. */
export function bestMatches<T>(
  typed: string,
  all: readonly T[],
  searchTexts: (each: T) => readonly [text: string, also?: string | undefined],
  weigh: (each: T) => number = () => 1,
): readonly T[] {
  return all
    .map((each) => ({ each, score: matchScore(typed, ...searchTexts(each)) * weigh(each) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ each }) => each)
}
