import { suggestion } from '../api/suggest.ts'

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
  const remedy = suggestion(name, known)
  return new UsageError(
    `There is no ${what} ${name}`,
    (remedy[0]?.toUpperCase() ?? '') + remedy.slice(1),
    field,
  )
}
