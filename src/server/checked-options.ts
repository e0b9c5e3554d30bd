import { checkTargets } from '../webhooks/webhook-target.ts'
import { catalogueFor } from './catalogue.ts'
import { exposedHosts, TokenNeeded } from './listening.ts'

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
