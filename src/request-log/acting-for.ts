import type { Members } from '../contract/validate.ts'
import type { Directory } from '../engine/directory.ts'
import { keyVariable } from '../presentation/copy-as.ts'

/** The application and merchant of a command: by default the first application, with its key and its first merchant. */

/** Members of a request, without application and merchant if they are the commands' defaults. */
export function withoutOwn(directory: Directory, { appId, merchantId, ...members }: Members): Members {
  return isOwn(directory, { appId, merchantId }) ? members : { appId, merchantId, ...members }
}

function isOwn({ defaultApplication }: Directory, { appId, merchantId }: Members): boolean {
  return appId === defaultApplication.appId && merchantId === defaultApplication.merchants[0]?.merchantId
}

/** The application's current key if it is one of the fixtures, and so not secret; otherwise null. */
export function publicKeyOf(directory: Directory, appId: string): string | null {
  const application = directory.applicationNamed(appId)
  const current = application && directory.currentKey(application)
  return application?.keys.find(({ key }) => key === current)?.key ?? null
}

/** The flag for another application's key, with a leading space; a key that is not public becomes a shell variable. */
export const keyFlag = ({ defaultApplication }: Directory, appId: unknown, key: string | null): string =>
  appId == null || appId === defaultApplication.appId ? '' : ` --api-key ${key ?? `"${keyVariable}"`}`

/** The command with the flags that make it act for the application and merchant. */
export function actingFor(
  directory: Directory,
  { appId, merchantId }: { readonly appId: string; readonly merchantId: string },
  command: string,
): string {
  if (isOwn(directory, { appId, merchantId })) return command
  return `${command} --merchant-id ${merchantId}${keyFlag(directory, appId, publicKeyOf(directory, appId))}`
}
