import { NamedError } from '../../named-error.ts'

/** Ctrl-C at a question: the command ends, and changes nothing. */
export class Interrupted extends NamedError {
  static override readonly name = 'Interrupted'
  constructor() {
    super('Interrupted')
  }
}
