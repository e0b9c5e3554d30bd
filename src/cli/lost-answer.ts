/** A request was sent, but its answer did not come: it may have been carried out. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer'
  constructor(
    override readonly cause: Error,
    readonly transactionRequestId: string,
  ) {
    super(cause.message)
  }
}
