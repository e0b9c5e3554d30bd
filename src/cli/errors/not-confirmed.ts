import { NamedError } from '../../named-error.ts'

/** The user answered a question with no: the command ends, and changes nothing. */
export class NotConfirmed extends NamedError {
  static override readonly name = 'NotConfirmed'
  constructor() {
    super('Nothing was changed.')
  }
}
