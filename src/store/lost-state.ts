import { NamedError } from '../named-error.ts'

/** The state no longer belongs to this sandbox: nothing is acknowledged, and nothing in it is changed. */
export class LostState extends NamedError {
  static override readonly name = 'LostState'
  /** `place`: as a sentence begins with it. */
  constructor(
    readonly place: string,
    why: string,
  ) {
    super(`${place} is not this sandbox's any more: ${why}`)
  }
}
