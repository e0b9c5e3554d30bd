/**
 * A store that cannot be used; `remedy` says how to fix it, for example a setting, or a statement for the owner of the
 * database.
 */
export abstract class MendableError extends Error {
  override readonly name: string = 'MendableError'
  constructor(
    readonly why: string,
    readonly remedy: string,
  ) {
    super(`${why}. ${remedy}`)
  }
}
