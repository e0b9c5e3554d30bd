import type { FixturesFile } from '../fixture-files/fixtures-schema.ts'
import { builtIn, type Catalogue, catalogueOf } from '../fixtures.ts'

/**
 * The catalogue of a sandbox; loads the reader of fixtures only when they are given. `triggerAmounts`: false for outcomes
 * that no amount selects. Errors: FixturesError.
 */
export async function catalogueFor(
  fixtures: string | FixturesFile | undefined,
  triggerAmounts = true,
): Promise<Catalogue> {
  const catalogue = fixtures === undefined ? builtIn : await readFixturesOf(fixtures)
  if (triggerAmounts) return catalogue
  return catalogueOf({
    ...catalogue,
    outcomes: catalogue.outcomes.map(({ amount: _, ...outcome }) => outcome),
  })
}

const readFixturesOf = async (fixtures: string | FixturesFile): Promise<Catalogue> =>
  (await import('../fixture-files/read-fixtures.ts')).readFixtures(fixtures)
