import { NamedError } from '../../named-error.ts'

/** The named item does not exist, with a remedy. */
export class NothingFound extends NamedError {
  static override readonly name = 'NothingFound'
  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message)
  }
}
