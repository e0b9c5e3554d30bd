/** The named item does not exist, with a remedy. */
export class NothingFound extends Error {
  override readonly name = 'NothingFound'
  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message)
  }
}
