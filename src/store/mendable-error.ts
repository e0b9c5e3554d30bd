import { NamedError } from '../named-error.ts'

/** A store that cannot be used as it stands; `remedy` says what mends it, such as a setting or a statement of the database's owner. */
export abstract class MendableError extends NamedError {
  static override readonly name: string = 'MendableError'
  constructor(
    readonly why: string,
    readonly remedy: string,
  ) {
    super(`${why}. ${remedy}`)
  }
}
