import type { Interfaces } from '@oclif/core'
import { string } from '@oclif/core/flags'
import { ServiceRefusal, type Target } from '../../client/client.ts'
import {
  connect,
  type FoundSandbox,
  findSandbox,
  type SandboxAddress,
  sandboxAt,
} from '../../client/discover.ts'
import { Unreachable } from '../../client/http.ts'
import { UsageError } from '../errors/usage-error.ts'
import { apiKeyFlag, keyFor, type SourcedValue, tokenFor } from './credentials.ts'
import { stateFlag, urlFrom, warn } from './sandbox-address.ts'

/** Flags that say where the service is and who calls. Flag before environment before the running sandbox. */
export const connectionFlags = {
  'base-url': string({
    description: 'Base URL of the service; default: the running sandbox.',
    env: 'TILLBOX_BASE_URL',
    helpGroup: 'CONNECTION',
  }),
  'api-key': apiKeyFlag(),
  'app-id': string({ description: 'Application id.', env: 'TILLBOX_APP_ID', helpGroup: 'CONNECTION' }),
  'merchant-id': string({ description: 'Merchant id.', env: 'TILLBOX_MERCHANT_ID', helpGroup: 'CONNECTION' }),
  ...stateFlag,
}

/** The flags as they were given. */
export type ConnectionFlags = Partial<Interfaces.InferredFlags<typeof connectionFlags>>

/** Where to call, as whom, and for whom. */
export interface Profile {
  readonly target: Target
  readonly parties: { readonly appId?: string; readonly merchantId?: string }
  /** True when a sandbox answered for the target. */
  readonly isSandbox: boolean
}

/**
 * Finds out where to call. What is not given comes from the sandbox that runs on the state folder or the default port.
 * Errors: Unreachable; UsageError when another service is named without a key.
 */
export async function profileOf(flags: ConnectionFlags, version: string): Promise<Profile> {
  const { 'app-id': appId, 'merchant-id': merchantId, state } = flags
  const baseUrl = flags['base-url'] === undefined ? undefined : urlFrom(flags['base-url'])
  const apiKey = keyFor(baseUrl, flags['api-key'])
  const own = { ...(appId && { appId }), ...(merchantId && { merchantId }) }
  const userAgent = `tillbox/${version}`
  if (baseUrl === undefined) return profileAt(await findSandbox(state, warn), own, apiKey, userAgent)
  const ours = await sandboxAt(baseUrl, state, warn)
  const address = ours ?? { baseUrl, token: tokenFor(baseUrl) }
  if (apiKey !== undefined)
    return { target: targetAt(address, apiKey, userAgent), parties: own, isSandbox: false }
  const found = ours ?? (await connect(address).catch(askForKey(baseUrl, flags['api-key'])))
  return profileAt(found, own, undefined, userAgent)
}

/** Calls a sandbox that answered. Whoever brings a key of their own is not the sandbox's first merchant. */
function profileAt(
  found: FoundSandbox,
  own: Profile['parties'],
  key: string | undefined,
  userAgent: string,
): Profile {
  const { appId, merchantId } = found
  const parties = key === undefined ? { appId, merchantId, ...own } : own
  return { target: targetAt(found, key ?? found.apiKey, userAgent), parties, isSandbox: true }
}

function targetAt({ baseUrl, ca, token }: SandboxAddress, apiKey: string, userAgent: string): Target {
  return { baseUrl, ca, token, apiKey, userAgent }
}

/** What is no sandbox tells no key. `withheld`: the key of the environment, which belongs elsewhere. */
const askForKey =
  (url: string, withheld: SourcedValue | undefined) =>
  (error: Error): never => {
    if (error instanceof Unreachable) throw error
    if (error instanceof ServiceRefusal && error.envelope.code === 'SBX_TOKEN') throw error
    throw new UsageError(
      `${url} is not a tillbox sandbox, and no API key is set for it`,
      withheld === undefined
        ? 'Pass its key with --api-key, or set TILLBOX_API_KEY and TILLBOX_BASE_URL'
        : 'TILLBOX_API_KEY was not sent: it belongs to TILLBOX_BASE_URL. Pass the key of this URL with --api-key',
      'api-key',
    )
  }
