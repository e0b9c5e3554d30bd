import { isPublished } from '../fixtures.ts'
import { checkTargets } from '../webhooks/webhook-target.ts'
import { catalogueFor } from './catalogue.ts'
import { exposedHosts, PublishedKey, TokenNeeded } from './listening.ts'

type GivenOptions = Parameters<typeof exposedHosts>[0] &
  Parameters<typeof checkTargets>[0] & {
    readonly token?: string | null
    readonly apiKey?: string | undefined
    readonly fixtures?: Parameters<typeof catalogueFor>[0]
    readonly triggerAmounts?: boolean
  }

/** The options of a start, checked before anything is opened. Errors: TokenNeeded, PublishedKey, UnusableTarget, FixturesError. */
export async function checkedOptions<T extends GivenOptions>(options: T) {
  const [exposed] = exposedHosts(options)
  if (exposed !== undefined && options.token == null) throw new TokenNeeded(exposed)
  if (exposed !== undefined && isPublished(options.apiKey ?? '')) throw new PublishedKey(exposed)
  const isShared = exposed !== undefined
  const webhookHosts = checkTargets({ ...options, isShared })
  const catalogue = await catalogueFor(options.fixtures, options.triggerAmounts)
  return { ...options, isShared, webhookHosts, catalogue }
}
