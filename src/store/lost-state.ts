/** The state belongs to another sandbox now: nothing is acknowledged, and nothing in it is changed. */
export class LostState extends Error {
  override readonly name = 'LostState'
  /** `stateName`: the state's name at the beginning of a sentence. */
  constructor(
    readonly stateName: string,
    why: string,
  ) {
    super(`${stateName} is not this sandbox's any more: ${why}`)
  }
}
