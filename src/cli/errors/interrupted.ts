import { NamedError } from '../../named-error.ts'

/** The exit code of shells for a command that Ctrl-C ended. */
export const interruptedCode = 130

/** Ctrl-C at a question: the command ends, and changes nothing. */
export class Interrupted extends NamedError {
  static override readonly name = 'Interrupted'
  constructor() {
    super('Interrupted')
  }
}
