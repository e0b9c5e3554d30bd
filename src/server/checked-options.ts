import type { FixturesFile } from '../fixture-files/fixtures-schema.ts'
import { builtIn, type Catalogue } from '../fixtures.ts'
import { checkTargets } from '../webhooks/webhook-target.ts'
import { exposedHosts, TokenNeeded } from './listening.ts'

/** The catalogue of a sandbox; loads the reader of fixtures only when they are given. Errors: FixturesError. */
async function catalogueFor(fixtures: string | FixturesFile | undefined): Promise<Catalogue> {
  if (fixtures === undefined) return builtIn
  const { readFixtures } = await import('../fixture-files/read-fixtures.ts')
  return readFixtures(fixtures)
}

type GivenOptions = Parameters<typeof exposedHosts>[0] &
  Parameters<typeof checkTargets>[0] & {
    readonly token?: string | null
    readonly fixtures?: Parameters<typeof catalogueFor>[0]
  }

/** The options of a start, checked before anything is opened. Errors: TokenNeeded, UnusableTarget, FixturesError. */
export async function checkedOptions<T extends GivenOptions>(options: T) {
  const [exposed] = exposedHosts(options)
  if (exposed !== undefined && options.token == null) throw new TokenNeeded(exposed)
  const isShared = exposed !== undefined
  const webhookHosts = checkTargets({ ...options, isShared })
  return { ...options, isShared, webhookHosts, catalogue: await catalogueFor(options.fixtures) }
}
