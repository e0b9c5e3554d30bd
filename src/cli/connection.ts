import { string } from '@oclif/core/flags'
import { ServiceRefusal, type Target } from '../client/client.ts'
import { connect, findSandbox, placeAt } from '../client/discover.ts'
import { Unreachable } from '../client/http.ts'
import { requireKey } from './api-key.ts'
import { stateFlag } from './base-command.ts'
import { urlFrom } from './place.ts'
import { UsageError } from './usage-error.ts'

/** Flags that say where the service is and who calls. Flag before environment before the running sandbox. */
export const connectionFlags = {
  'base-url': string({
    description: 'Base URL of the service; left out, the sandbox that runs here.',
    env: 'TILLBOX_BASE_URL',
    helpGroup: 'CONNECTION',
  }),
  'api-key': string({
    description: 'API key; left out, the key of the sandbox.',
    env: 'TILLBOX_API_KEY',
    helpGroup: 'CONNECTION',
  }),
  'app-id': string({ description: 'Application.', env: 'TILLBOX_APP_ID', helpGroup: 'CONNECTION' }),
  'merchant-id': string({ description: 'Merchant.', env: 'TILLBOX_MERCHANT_ID', helpGroup: 'CONNECTION' }),
  state: stateFlag,
}

/** The flags as they were given. */
export interface ConnectionFlags {
  readonly 'base-url'?: string | undefined
  readonly 'api-key'?: string | undefined
  readonly 'app-id'?: string | undefined
  readonly 'merchant-id'?: string | undefined
  readonly state?: string | undefined
}

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
  const { 'api-key': key, 'app-id': appId, 'merchant-id': merchantId } = flags
  const given = flags['base-url'] === undefined ? undefined : urlFrom(flags['base-url'])
  if (key !== undefined) requireKey(key)
  const own = { ...(appId && { appId }), ...(merchantId && { merchantId }) }
  const userAgent = `tillbox/${version}`
  if (given === undefined) {
    const { baseUrl, ca, token, apiKey, ...sandbox } = await findSandbox(flags.state)
    const parties = key === undefined ? { appId: sandbox.appId, merchantId: sandbox.merchantId, ...own } : own
    return { target: { baseUrl, ca, token, apiKey: key ?? apiKey, userAgent }, parties, isSandbox: true }
  }
  const place = placeAt(given, flags.state)
  if (key !== undefined)
    return { target: { ...place, apiKey: key, userAgent }, parties: own, isSandbox: false }
  const { apiKey, appId: theirs, merchantId: its } = await connect(place).catch(askForKey(given))
  return {
    target: { ...place, apiKey, userAgent },
    parties: { appId: theirs, merchantId: its, ...own },
    isSandbox: true,
  }
}

/** What is no sandbox tells no key. */
const askForKey =
  (url: string) =>
  (error: Error): never => {
    if (error instanceof Unreachable) throw error
    if (error instanceof ServiceRefusal && error.envelope.code === 'SBX_TOKEN') throw error
    throw new UsageError(
      `${url} is no sandbox that would tell its key`,
      'Give the key with TILLBOX_API_KEY or --api-key',
      'api-key',
    )
  }
