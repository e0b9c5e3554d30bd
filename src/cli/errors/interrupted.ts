/** The user answered a question with no: the command ends, and changes nothing. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed'
  constructor() {
    super('Nothing was changed.')
  }
}

/** The exit code of shells for a command that Ctrl-C ended. */
export const interruptedCode = 130

/** Ctrl-C at a question: the command ends, and changes nothing. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  constructor() {
    super('Interrupted')
  }
}
