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

/** A name that is not among the known, with the one that was probably meant. */
export function unknownName(what: string, name: string, known: readonly string[], field: string): UsageError {
  return new UsageError(`There is no ${what} ${name}`, capitalize(suggestion(name, known)), field)
}
