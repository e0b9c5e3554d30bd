/** The user answered a question with no: the command ends, and changes nothing. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed'
  constructor() {
    super('Nothing was changed.')
  }
}
