import type { FixturesFile } from '../fixture-files/schema.ts'
import { builtIn, type Catalogue } from '../fixtures.ts'

/** Files are read by what only a sandbox with fixtures of its own has to load. Errors: FixturesError. */
export async function catalogueFor(fixtures: string | FixturesFile | undefined): Promise<Catalogue> {
  if (fixtures === undefined) return builtIn
  const { readFixtures } = await import('../fixture-files/read.ts')
  return readFixtures(fixtures)
}
