import { NamedError } from '../../named-error.ts'

/** A person answered a question with no: the command ends there, and changes nothing. */
export class NotConfirmed extends NamedError {
  static override readonly name = 'NotConfirmed'
  constructor() {
    super('Nothing was changed.')
  }
}
