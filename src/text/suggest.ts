import { distance } from 'fastest-levenshtein'
import { command } from './commands.ts'
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

/** An outcome, as far as a mistyped one may mean it: by name, code, message, or by how it ends. */
interface NamedOutcome {
  readonly name: string
  readonly code: string
  readonly message?: string
  readonly status?: string
}

/** Words for how an outcome ends. */
const endings: Readonly<Record<string, readonly string[]>> = {
  SUCCESS: ['approved', 'success', 'accepted'],
  FAIL: ['declined', 'failed', 'refused', 'rejected'],
}

/** Outcomes that are proposed where none has nearly that name. */
const outcomesProposed = 3

/** A remedy for an unknown outcome: the one or those with nearly that name, or those that come closest. */
export function outcomeSuggestion(word: string, outcomes: readonly NamedOutcome[]): string {
  const names = outcomes.map(({ name }) => name)
  if (outcomes.length <= outcomesProposed || isNearName(word, names)) return suggestion(word, names)
  const coded = outcomes.find(({ code }) => code === word.toUpperCase())
  if (coded !== undefined) return `did you mean ${coded.name}?`
  const mistyped = word.slice(0, 64).toLowerCase()
  const closest = outcomes
    .map((outcome) => ({ name: outcome.name, far: Math.min(...wordsFor(outcome).map(farFrom(mistyped))) }))
    .filter(({ far }) => far < 0.5)
    .sort((one, other) => one.far - other.far)
    .slice(0, outcomesProposed)
    .map(({ name }) => name)
  if (closest.length === 0) return 'list them: `tillbox outcomes`'
  return `did you mean ${joined(closest, 'or')}? All of them: ${command('outcomes')}`
}

const wordsFor = ({ name, code, message = '', status = '' }: NamedOutcome): string[] => [
  name,
  ...name.split('-'),
  code.toLowerCase(),
  message.toLowerCase(),
  ...(endings[status] ?? []),
]

/** How far a word is from another: 0 where it begins it, up to 1 where they have nothing in common. */
const farFrom =
  (mistyped: string) =>
  (word: string): number =>
    mistyped !== '' && word.startsWith(mistyped)
      ? 0
      : distance(mistyped, word) / Math.max(mistyped.length, word.length, 1)

const isNearName = (word: string, names: readonly string[]): boolean =>
  beginningWith(word, names).length > 0 || nearest(word, names) !== undefined

/** Names that begin with the word; of a short one none, and of many none. */
function beginningWith(word: string, names: readonly string[]): readonly string[] {
  const begin = word.length < 3 ? [] : names.filter((name) => name.startsWith(word))
  return begin.length <= maxProposed ? begin : []
}

/** A remedy for an unknown name: those that begin so, the nearest one, those that end so, all of them, or that there are none. */
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
