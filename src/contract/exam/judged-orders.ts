/** Orders of a merchant that have ended: by their ids what is wrong, or null. */
export interface JudgedOrders {
  readonly byId: ReadonlyMap<string, string | null>
  /** They tell what was paid back. */
  readonly tellRefunds: boolean
}
