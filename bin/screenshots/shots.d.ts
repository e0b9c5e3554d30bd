/** Name, path or URL of each picture, and what is done there before it. */
export declare function shotsOf(shop: {
  readonly day: Readonly<Record<'refunded' | 'declined' | 'voided' | 'held' | 'waiting', string>>
  readonly terminals: Readonly<Record<string, string>>
  readonly checkouts: Readonly<Record<string, string>>
  readonly webhook: string
  readonly refused: string
}): readonly (readonly [name: string, path: string, act?: unknown])[]

/** Those of a sandbox in which everything is set to something. */
export declare function busyShots(raised: string): ReturnType<typeof shotsOf>
