import { control } from '../../client/client.ts'
import type { FoundSandbox } from '../../client/discover.ts'
import { hintText } from '../hints/hint-text.ts'
import { clean } from '../output/clean.ts'
import { themeOf } from '../output/theme.ts'

/** Which secret signs notifications and how to print it, in a line; the secret itself only when `isShown`. */
export async function secretHint(sandbox: FoundSandbox, isShown: boolean): Promise<string> {
  const { secret, signature } = await control(sandbox, 'webhook-secret')
  if (signature === 'none')
    return 'Notifications are not signed: the sandbox was started with signature none\n'
  if (isShown) return `Signed with the webhook secret ${clean(secret)}\n`
  const signed = `Signed with the webhook secret of ${clean(sandbox.appId)}. Print it: tillbox webhook secret`
  return `${hintText(signed, themeOf('stderr'))}\n`
}
