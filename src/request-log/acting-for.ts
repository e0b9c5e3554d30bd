import type { Members } from '../contract/validate.ts'
import type { Directory } from '../engine/directory.ts'
import { keyVariable } from '../presentation/copy-as.ts'

/** Whom a command acts for. It takes the first application, its key and its first merchant by itself. */

/** Members of a request without the application and the merchant that the commands take by themselves. */
export function withoutOwn(directory: Directory, { appId, merchantId, ...members }: Members): Members {
  return isOwn(directory, { appId, merchantId }) ? members : { appId, merchantId, ...members }
}

function isOwn({ defaultApplication }: Directory, { appId, merchantId }: Members): boolean {
  return appId === defaultApplication.appId && merchantId === defaultApplication.merchants[0]?.merchantId
}

/** The key of the application where it is one of the fixtures': whoever started the sandbox knows it. Null for any other. */
export function publicKeyOf(directory: Directory, appId: string): string | null {
  const application = directory.applicationNamed(appId)
  const current = application && directory.currentKey(application)
  return application?.keys.find(({ key }) => key === current)?.key ?? null
}

/** The flag for another application's key, with a leading space; a key that is not public becomes a shell variable. */
export const keyFlag = ({ defaultApplication }: Directory, appId: unknown, key: string | null): string =>
  appId == null || appId === defaultApplication.appId ? '' : ` --api-key ${key ?? `"${keyVariable}"`}`

/** The command made to act for that application and merchant. */
export function actingFor(
  directory: Directory,
  { appId, merchantId }: { readonly appId: string; readonly merchantId: string },
  command: string,
): string {
  if (isOwn(directory, { appId, merchantId })) return command
  return `${command} --app-id ${appId} --merchant-id ${merchantId}${keyFlag(directory, appId, publicKeyOf(directory, appId))}`
}
