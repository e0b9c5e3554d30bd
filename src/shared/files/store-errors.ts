/** The remedy for a client while a database or node is away. assumption: postgres-session */
export const resendRemedy =
  'Send the request again with the same ids, in a second: it happens once, however often it is sent'

/** An error of a store that says itself what to do. */
export abstract class StoreError extends Error {
  abstract readonly remedy: string
}

/** The state belongs to another sandbox now: nothing is acknowledged, and nothing in it is changed. */
export class LostState extends StoreError {
  override readonly name = 'LostState'
  readonly remedy: string =
    'Another sandbox may go on with it: send the request again with the same ids. Start one where none runs'
  /** `stateName`: the state's name at the beginning of a sentence. */
  constructor(
    readonly stateName: string,
    why: string,
  ) {
    super(`${stateName} is not this sandbox's any more: ${why}`)
  }
}

/**
 * A store that cannot be used; `remedy` says how to fix it, for example a setting, or a statement for the
 * owner of the database.
 */
export abstract class MendableError extends StoreError {
  override readonly name: string = 'MendableError'
  constructor(
    readonly why: string,
    readonly remedy: string,
  ) {
    super(`${why}. ${remedy}`)
  }
}
