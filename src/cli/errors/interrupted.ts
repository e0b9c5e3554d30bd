/** Ctrl-C answered a question: the command ends there, and changes nothing. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  constructor() {
    super('Interrupted')
  }
}
