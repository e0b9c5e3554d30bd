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
