import { capitalize } from '../../text/capitalize.ts'
import { suggestion } from '../../text/suggest.ts'

/** The command line is wrong: what, and what to do instead. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
  constructor(
    message: string,
    readonly remedy: string,
    readonly field?: string,
  ) {
    super(message)
  }
}

/** The item with that name. Errors: UsageError with the most likely name, worded by `suggest`. */
export function requireKnownName<T extends { readonly name: string }>(
  what: string,
  name: string,
  known: readonly T[],
  field = what,
  suggest: (name: string, known: readonly T[]) => string = nearName,
): T {
  const found = known.find((each) => each.name === name)
  if (found !== undefined) return found
  throw new UsageError(`There is no ${what} ${name}`, capitalize(suggest(name, known)), field)
}

const nearName = (name: string, known: readonly { readonly name: string }[]): string =>
  suggestion(
    name,
    known.map((each) => each.name),
  )
