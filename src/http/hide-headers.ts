import { hiddenKey, hiddenMark } from '../contract/sandbox/request-log-answers.ts'
import { secretName } from './hide-addresses.ts'

const isSecret = (name: string): boolean => secretName.test(name)

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

/** A secret header as it is shown: scheme, kind and last four characters of a long bearer key; otherwise hidden. */
function hidden(value: string): string {
  const [, scheme, key = ''] = /^(Bearer|Basic) (.*)$/i.exec(value) ?? []
  if (scheme === undefined) return hiddenMark
  return `${scheme} ${scheme.length === 6 ? hiddenKey(key) : hiddenMark}`
}
