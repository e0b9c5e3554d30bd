import { capitalize } from '../../text/capitalize.ts'
import { suggestion } from '../../text/suggest.ts'

/** The command line is wrong: what, and what to do instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  constructor(
    message: string,
    readonly remedy: string,
    readonly field?: string,
  ) {
    super(message)
  }
}

/** What has that name. Errors: UsageError with the name that was probably meant. */
export function requireNamed<T extends { readonly name: string }>(
  what: string,
  name: string,
  known: readonly T[],
  field = what,
): T {
  const found = known.find((each) => each.name === name)
  if (found !== undefined) return found
  const names = known.map((each) => each.name)
  throw new UsageError(`There is no ${what} ${name}`, capitalize(suggestion(name, names)), field)
}
