import fc from 'fast-check'

/** How often a property is tried or a round is run: `usual` in `npm test`, `long` in `npm run test:long`. */
export const times = (usual: number, long: number): number => (process.env.TILLBOX_LONG ? long : usual)

/** Tries a property in rounds until everything that is rare was reached, at most a hundred times. */
export function assertUntil<T>(property: fc.IProperty<T>, numRuns: number, isComplete: () => boolean): void {
  for (let round = 0; round === 0 || (round < 100 && !isComplete()); round++) fc.assert(property, { numRuns })
}

/** The same for a property that takes its time. */
export async function assertUntilAsync<T>(
  property: fc.IAsyncProperty<T>,
  numRuns: number,
  isComplete: () => boolean,
): Promise<void> {
  for (let round = 0; round === 0 || (round < 100 && !isComplete()); round++)
    await fc.assert(property, { numRuns })
}
