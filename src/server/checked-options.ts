import { type RecordedClaim, settingsOf } from '../contract/evidence/recorded.ts'
import { builtIn, type Catalogue, catalogueOf, isPublished } from '../domain/fixtures.ts'
import type { FixturesFile } from '../sandbox/fixture-files/fixtures-schema.ts'
import { checkTargets } from '../sandbox/webhooks/webhook-target.ts'
import { exposedHosts, PublishedKey, TokenNeeded } from './listening.ts'
import type { SandboxOptions } from './sandbox/options.ts'

type GivenOptions = Parameters<typeof exposedHosts>[0] &
  Parameters<typeof checkTargets>[0] & {
    readonly token?: string | null
    readonly apiKey?: string | undefined
    readonly fixtures?: Parameters<typeof catalogueFor>[0]
    readonly triggerAmounts?: boolean
    readonly metrics?: boolean
    readonly recorded?: string
    readonly onRequest?: SandboxOptions['onRequest'] | undefined
  }

/**
 * Checked options of a start, over the settings that were recorded at the service. Errors: TokenNeeded,
 * PublishedKey, UnusableTarget, FixturesError, WrongRecordedFile.
 */
export async function checkedOptions<T extends GivenOptions>(given: T) {
  const recorded = given.recorded === undefined ? [] : await loadRecorded(given.recorded)
  const options: T = { ...settingsOf(recorded), ...given }
  const [exposed] = exposedHosts(options)
  if (exposed !== undefined && options.token == null) throw new TokenNeeded(exposed)
  if (exposed !== undefined && isPublished(options.apiKey ?? '')) throw new PublishedKey(exposed)
  const isShared = exposed !== undefined
  const webhookHosts = checkTargets({ ...options, isShared })
  const catalogue = await catalogueFor(options.fixtures, options.triggerAmounts)
  const meter = options.metrics === true ? new (await import('./metrics.ts')).Metrics() : undefined
  const onRequest = meter?.counting(options.onRequest) ?? options.onRequest ?? null
  return { ...options, recorded, isShared, webhookHosts, catalogue, meter, onRequest }
}

/**
 * The catalogue of a sandbox; loads the reader of fixtures only when they are given. `triggerAmounts`: false
 * for outcomes that no amount selects.
 */
export async function catalogueFor(
  fixtures: string | FixturesFile | undefined,
  triggerAmounts = true,
): Promise<Catalogue> {
  const catalogue = fixtures === undefined ? builtIn : await loadFixtures(fixtures)
  if (triggerAmounts) return catalogue
  return catalogueOf({
    ...catalogue,
    outcomes: catalogue.outcomes.map(({ amount: _, ...outcome }) => outcome),
  })
}

const loadRecorded = async (path: string): Promise<readonly RecordedClaim[]> =>
  (await import('../sandbox/fixture-files/recorded-file.ts')).readRecorded(path)

const loadFixtures = async (fixtures: string | FixturesFile): Promise<Catalogue> =>
  (await import('../sandbox/fixture-files/read-fixtures.ts')).readFixtures(fixtures)
