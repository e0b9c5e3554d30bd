import type { FixturesFile } from '../fixture-files/fixtures-schema.ts'
import { builtIn, type Catalogue } from '../fixtures.ts'

/** The catalogue of a sandbox; loads the reader of fixtures only when they are given. Errors: FixturesError. */
export async function catalogueFor(fixtures: string | FixturesFile | undefined): Promise<Catalogue> {
  if (fixtures === undefined) return builtIn
  const { readFixtures } = await import('../fixture-files/read-fixtures.ts')
  return readFixtures(fixtures)
}
