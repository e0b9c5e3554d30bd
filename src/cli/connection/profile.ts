import type { Interfaces } from '@oclif/core'
import { string } from '@oclif/core/flags'
import type { Target } from '../../client/client.ts'
import { type FoundSandbox, runsAt, type SandboxAddress } from '../../client/discover.ts'
import { Unreachable } from '../../client/http.ts'
import { userAgents } from '../../contract/headers.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { type SettingName, settingOf } from '../settings/effective.ts'
import { apiKeyFlags, keyFor, typedKey } from './credentials.ts'
import {
  addressAt,
  connectHere,
  connectNamed,
  doubtOf,
  isRefusedBySandbox,
  sandboxFlags,
  type Told,
} from './sandbox-address.ts'
import { type NamedTarget, namedTarget } from './target.ts'

/** Flags that say where the service is and who calls. */
export const connectionFlags = {
  ...sandboxFlags,
  'base-url': string({
    description:
      'Base URL of the service; default: the profile’s, or the running sandbox. Environment: TILLBOX_BASE_URL.',
    helpGroup: 'CONNECTION',
  }),
  ...apiKeyFlags,
  'app-id': string({
    description: 'Application id. Environment: TILLBOX_APP_ID.',
    helpGroup: 'CONNECTION',
  }),
  'merchant-id': string({
    description: 'Merchant id. Environment: TILLBOX_MERCHANT_ID.',
    helpGroup: 'CONNECTION',
  }),
}

/** The flags as they were typed. */
export type ConnectionFlags = Readonly<Partial<Interfaces.InferredFlags<typeof connectionFlags>>>

/** Which service to call, with which credentials, and for which application and merchant. */
export interface Profile {
  readonly target: Target
  readonly parties: { readonly appId?: string; readonly merchantId?: string }
  /** Serial number of the terminal that the environment or the profile names. */
  readonly terminal: string | undefined
  /** True when a sandbox answered for the target. */
  readonly isSandbox: boolean
  /** Name of the profile in use. */
  readonly name: string | undefined
}

/**
 * Finds out where to call; `told`: who is told where that is, if nobody named it. What is not given comes
 * from the sandbox that runs on the state folder or the default port.
 */
export async function resolveProfile(
  flags: ConnectionFlags,
  version: string,
  told: Told = 'everybody',
): Promise<Profile> {
  const named = namedTarget(flags)
  const key = keyFor(named, await typedKey(flags))
  const { baseUrl, state } = named
  const { parties: namedParties, ...about } = profileFacts(named)
  const userAgent = `${userAgents.command}${version}`
  if (baseUrl === undefined)
    return {
      ...profileAt(await connectHere(named, told), namedParties, key?.value, userAgent),
      ...about,
    }
  const doubt = doubtOf(named, told)
  const { ours, address } = await addressAt(named, baseUrl.value)
  if (key !== undefined)
    return {
      target: targetAt({ ...address, doubt }, key.value, userAgent),
      parties: namedParties,
      isSandbox: runsAt(state, baseUrl.value),
      ...about,
    }
  const sandbox = ours ?? (await connectNamed(named, address).catch(askForKey(baseUrl.value)))
  return { ...profileAt({ ...sandbox, doubt }, namedParties, undefined, userAgent), ...about }
}

/** What settings say of the caller, and the profile that they are from. */
function profileFacts({ settings }: NamedTarget): Pick<Profile, 'parties' | 'terminal' | 'name'> {
  const settingText = (name: SettingName) => settingOf(settings, name)?.value
  const [appId, merchantId] = [settingText('appId'), settingText('merchantId')]
  const parties = { ...(appId && { appId }), ...(merchantId && { merchantId }) }
  return { parties, terminal: settingText('terminal'), name: settings.profile?.value }
}

function profileAt(
  sandbox: FoundSandbox,
  namedParties: Profile['parties'],
  key: string | undefined,
  userAgent: string,
): Pick<Profile, 'target' | 'parties' | 'isSandbox'> {
  const { appId, merchantId } = sandbox
  const parties = key === undefined ? { appId, merchantId, ...namedParties } : namedParties
  return { target: targetAt(sandbox, key ?? sandbox.apiKey, userAgent), parties, isSandbox: true }
}

function targetAt(
  { baseUrl, ca, token, elsewhere, doubt }: SandboxAddress,
  apiKey: string,
  userAgent: string,
): Target {
  return { baseUrl, ca, token, elsewhere, doubt, apiKey, userAgent }
}

/** Asks for an API key: only a sandbox tells its own. */
const askForKey =
  (url: string) =>
  (error: Error): never => {
    if (error instanceof Unreachable) throw error
    if (isRefusedBySandbox(error)) throw error
    throw new UsageError(
      `${url} is not a tillbox sandbox, and no API key is set for it`,
      'Keep its key in a profile: `tillbox profile set <name>`. Or pass it with --api-key @file, or set TILLBOX_API_KEY and TILLBOX_BASE_URL',
      'api-key',
    )
  }
