/** The state folder is not this sandbox's any more: nothing is acknowledged, and nothing in it is changed. */
export class LostState extends Error {
  override readonly name = 'LostState'
  constructor(
    readonly folder: string,
    why: string,
  ) {
    super(`The state folder ${folder} is not this sandbox's any more: ${why}`)
  }
}
