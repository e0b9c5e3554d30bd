/** What was asked for is not there: what, and what to do instead. */
export class NothingFound extends Error {
  override readonly name = 'NothingFound'
  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message)
  }
}
