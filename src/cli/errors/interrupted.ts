import { NamedError } from '../../named-error.ts'

/** Ctrl-C answered a question: the command ends there, and changes nothing. */
export class Interrupted extends NamedError {
  static override readonly name = 'Interrupted'
  constructor() {
    super('Interrupted')
  }
}
