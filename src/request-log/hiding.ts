import { hiddenMark } from '../contract/sandbox/request-log.ts'
import { holdsCardData } from '../http/body.ts'
import { hideAddresses, secretName } from '../http/hide-addresses.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { secretsOf } from '../webhooks/secrets.ts'

/** What nobody is shown: secrets in headers, in addresses, and anywhere else. assumption: request-log, dashboard-secrets */

/** Whether names of headers are secret ones; names come from callers, so only so many are remembered. */
const known = new Map<string, boolean>()
const mostKnown = 500

function isSecret(name: string): boolean {
  const before = known.get(name)
  if (before !== undefined) return before
  const secret = secretName.test(name)
  if (known.size < mostKnown) known.set(name, secret)
  return secret
}

/** A copy of raw headers, names and values in turn, without the secrets in them. */
export function hideHeaders(raw: readonly string[]): readonly string[] {
  const shown = raw.slice()
  for (let index = 0; index < shown.length; index += 2)
    if (isSecret(shown[index] as string)) shown[index + 1] = hidden(shown[index + 1] as string)
  return shown
}

/** Headers by name in their order, without the secrets in them. */
export const safeHeaders = (headers: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? hidden(value) : value])

/** Shortest secret whose last characters may be shown. */
const longEnough = 16

/** Scheme and last four characters of a bearer key that is long enough; of anything else nothing. */
function hidden(value: string): string {
  const [, scheme, key = ''] = /^(Bearer|Basic) (.*)$/i.exec(value) ?? []
  if (scheme === undefined) return hiddenMark
  return `${scheme} ${hiddenMark}${scheme.length === 6 && key.length >= longEnough ? key.slice(-4) : ''}`
}

/** Hides every secret of the sandbox, those in addresses, and card data, in a text that is shown. */
export function hiderOf({ directory, settings, options }: Sandbox): (text: string) => string {
  const secrets = directory.applications.flatMap((application) => {
    const { current, previous } = secretsOf(settings.data, application)
    return [...directory.keysOf(application).map(({ key }) => key), current, previous?.secret]
  })
  const all = [...secrets, options.token].filter((secret) => secret != null && secret !== '') as string[]
  return (text) => {
    let shown = text
    for (const secret of all) if (shown.includes(secret)) shown = shown.replaceAll(secret, hiddenMark)
    shown = hideAddresses(shown)
    return holdsCardData(shown) ? hiddenMark : shown
  }
}
