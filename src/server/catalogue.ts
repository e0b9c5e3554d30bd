import type { FixturesFile } from '../fixture-files/fixtures-schema.ts'
import { builtIn, type Catalogue } from '../fixtures.ts'

/** Files are read by what only a sandbox with fixtures of its own has to load. Errors: FixturesError. */
export async function catalogueFor(fixtures: string | FixturesFile | undefined): Promise<Catalogue> {
  if (fixtures === undefined) return builtIn
  const { readFixtures } = await import('../fixture-files/read-fixtures.ts')
  return readFixtures(fixtures)
}
