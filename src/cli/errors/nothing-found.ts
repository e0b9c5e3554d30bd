import { NamedError } from '../../named-error.ts'

/** What was asked for is not there: what, and what to do instead. */
export class NothingFound extends NamedError {
  static override readonly name = 'NothingFound'
  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message)
  }
}
