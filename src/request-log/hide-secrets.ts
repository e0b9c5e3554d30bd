import { madeTokens } from '../contract/sandbox/access/token.ts'
import { hiddenMark } from '../contract/sandbox/request-log-answers.ts'
import type { Settings } from '../domain/settings.ts'
import type { Directory } from '../engine/directory.ts'
import { holdsCardData } from '../http/card-data.ts'
import { hideAddresses } from '../http/hide-addresses.ts'
import { secretsOf } from '../webhooks/secrets.ts'

/** Where the secrets of a sandbox are. */
export interface SecretHolders {
  readonly directory: Directory
  readonly settings: { readonly data: Pick<Settings, 'secrets'> }
  readonly options: { readonly token: string | null }
}

/** Returns a function that hides secrets in a text: keys, webhook secrets, tokens, secrets in URLs, and card data. */
export function secretHiderOf({ directory, settings, options }: SecretHolders): (text: string) => string {
  const secrets = directory.applications.flatMap((application) => {
    const { current, previous } = secretsOf(settings.data, application)
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
