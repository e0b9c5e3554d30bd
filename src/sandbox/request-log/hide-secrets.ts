import { hiddenMark } from '../../contract/control/request-log-answers.ts'
import { madeTokens } from '../../contract/control/tokens.ts'
import { keyVariable } from '../../contract/presentation/copy-as.ts'
import type { Members } from '../../contract/validate.ts'
import type { Settings } from '../../domain/settings.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import type { Directory } from '../engine/directory.ts'
import { holdsCardData } from '../http/card-data.ts'
import { hideAddresses } from '../http/hide-addresses.ts'
import { webhookSecrets } from '../webhooks/secrets.ts'

/** Where the secrets of a sandbox are. */
export interface SecretHolders {
  readonly directory: Directory
  readonly settings: { readonly data: Pick<Settings, 'secrets'> }
  readonly options: { readonly token: string | null }
}

/** Returns a function that hides secrets in a text: keys, webhook secrets, tokens, and card data. */
export function createSecretHider({ directory, settings, options }: SecretHolders): (text: string) => string {
  const secrets = directory.applications.flatMap((application) => {
    const { current, previous } = webhookSecrets(settings.data, application)
    return [...directory.keysOf(application).map(({ key }) => key), current, previous?.secret]
  })
  const all = [...secrets, options.token].filter((secret) => secret != null && secret !== '') as string[]
  return (text) => {
    let shown = text.replace(madeTokens, hiddenMark)
    for (const secret of all) if (shown.includes(secret)) shown = shown.replaceAll(secret, hiddenMark)
    shown = hideAddresses(shown)
    return holdsCardData(shown) ? hiddenMark : shown
  }
}

/** Members of a request, without application and merchant if they are the commands' defaults. */
export function withoutDefaultIds(directory: Directory, { appId, merchantId, ...members }: Members): Members {
  return hasDefaultIds(directory, { appId, merchantId }) ? members : { appId, merchantId, ...members }
}

function hasDefaultIds({ defaultApplication }: Directory, { appId, merchantId }: Members): boolean {
  return appId === defaultApplication.appId && merchantId === defaultApplication.merchants[0]?.merchantId
}

/** The application's current key if it is one of the fixtures, and so not secret; otherwise null. */
export function publicApiKey(directory: Directory, appId: string): string | null {
  const application = directory.applicationNamed(appId)
  const current = application && directory.currentKey(application)
  return application?.keys.find(({ key }) => key === current)?.key ?? null
}

/** The flag for another application's key, with a space; a secret key becomes a shell variable. */
export const keyFlag = ({ defaultApplication }: Directory, appId: unknown, key: string | null): string =>
  appId == null || appId === defaultApplication.appId ? '' : ` --api-key ${key ?? `"${keyVariable}"`}`

/** The command with the flags that make it act for the application and merchant. */
export function actingFor(
  directory: Directory,
  { appId, merchantId }: { readonly appId: string; readonly merchantId: string },
  command: string,
): string {
  if (hasDefaultIds(directory, { appId, merchantId })) return command
  return `${command} --merchant-id ${shellQuote(merchantId)}${keyFlag(directory, appId, publicApiKey(directory, appId))}`
}
