import type { QueryValues } from '../../frame/page-view.tsx'

/** Longest text of a filter. */
const longestText = 64

/** Reads the parameters of a query. */
export type QueryReader = ReturnType<typeof queryReader>

/** Reads parameters. A wrong one counts as left out, and adds a sentence to `problems`. assumption: dashboard-list */
export function queryReader(query: QueryValues) {
  const problems: string[] = []
  const text = (name: string, isValid: (text: string) => boolean, problem: string): string => {
    const value = query[name]?.trim() ?? ''
    if (value === '' || isValid(value)) return value
    problems.push(problem)
    return ''
  }
  return {
    problems,
    text,
    /** A text of at most 64 characters; `label` names it in the sentence. */
    shortText: (name: string, label: string): string =>
      text(name, ({ length }) => length <= longestText, `${label} has at most ${longestText} characters.`),
    oneOf: (name: string, choices: readonly string[]): string =>
      text(name, (value) => choices.includes(value), `The ${name} must be one of ${choices.join(', ')}.`),
    /** The position at which a page begins; null for the newest. */
    position: (name: 'before' | 'after'): string | null =>
      text(
        name,
        (value) => /^\d{1,16}$/.test(value),
        `The parameter ${name} must be a number of at most 16 digits, as in the links of the list.`,
      ) || null,
  }
}

/** True when a filter is set. */
export const isFiltered = (filters: object): boolean => Object.values(filters).some((text) => text !== '')

/** `?` and these parameters; empty ones and null are left out. */
export function queryString(...parameters: readonly object[]): string {
  const set = parameters
    .flatMap((each) => Object.entries(each))
    .filter(([, value]) => value !== null && value !== '')
  const query = new URLSearchParams(Object.fromEntries(set)).toString()
  return query === '' ? '' : `?${query}`
}
