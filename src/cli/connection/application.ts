import type { Interfaces } from '@oclif/core'
import { string } from '@oclif/core/flags'
import { BaseCommand } from '../base-command.ts'
import { settingOf } from '../settings/effective.ts'
import { apiKeyFlags, keyFor, typedKey } from './credentials.ts'
import { sandboxFlags } from './sandbox-address.ts'
import { namedTarget } from './target.ts'

/** Flags of a command about what an application has: keys, addresses, webhook secret, merchants. */
export const applicationFlags = {
  application: string({
    description:
      'Application; default: the profile’s, that of the API key, or the first one. Environment: TILLBOX_APP_ID.',
    helpValue: '<id>',
  }),
  merchant: string({
    description:
      'Merchant whose application to use; default: the profile’s. Environment: TILLBOX_MERCHANT_ID.',
    helpValue: '<id>',
  }),
  ...apiKeyFlags,
  ...sandboxFlags,
}

/** Shared flags of such a command that also has those of a sandbox, in the order of its help. */
export const applicationBaseFlags = { ...BaseCommand.baseFlags, ...apiKeyFlags, ...sandboxFlags }

/** `--merchant` of a command that gives a terminal to a merchant. `what`: the merchant, in words. */
export const terminalMerchantFlag = (what: string) => ({
  ...applicationFlags.merchant,
  description: `${what}; its application is used. Default: the profile’s, or the first one. Environment: TILLBOX_MERCHANT_ID.`,
})

/** Flags that members of a refused request come from. */
export const applicationMembers = { appId: 'application', merchantId: 'merchant' } as const

type ApplicationFlags = Readonly<Partial<Interfaces.InferredFlags<typeof applicationFlags>>>
/**
 * The application from the flags: application and merchant, otherwise the key. Then from environment and
 * profile, each setting separately, and finally from their key.
 */
export async function callerFrom(flags: ApplicationFlags) {
  const typed = await typedKey(flags)
  const target = namedTarget(flags)
  const apiKey = keyFor(target, typed)?.value
  const { application, merchant } = flags
  if (application !== undefined || merchant !== undefined)
    return { members: { appId: application, merchantId: merchant }, apiKey }
  if (typed !== undefined) return { members: {}, apiKey }
  const appId = settingOf(target.settings, 'appId')?.value
  const merchantId = settingOf(target.settings, 'merchantId')?.value
  return { members: { appId, merchantId }, apiKey }
}
