import type { StartRecord } from '../../contract/control/state-folder.ts'
import { isDatabaseUrl, isHttpUrl } from '../../shared/text/http-url.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'

/** A record for display: without secrets, and URLs without password and query. */
export const shownRecord = (record: StartRecord): StartRecord =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      name === 'api-key' || name === 'token' ? '***' : withoutSecrets(value),
    ]),
  )

const withoutSecrets = (value: StartRecord[string]): StartRecord[string] =>
  typeof value === 'string' && (isHttpUrl(value) || isDatabaseUrl(value)) ? shownUrl(value) : value

/** A URL without its user, its password and its query. What a server gives in place of one is as it came. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') [url.username, url.password] = ['***', '']
  if (url.search !== '') url.search = '?***'
  return url.href
}

/** Flags of a record that may be shown, as they are typed. */
export const typedRecord = (record: StartRecord): string =>
  Object.entries(record)
    .flatMap(([name, value]) => {
      if (typeof value === 'boolean') return [value ? `--${name}` : `--no-${name}`]
      return [value].flat().map((each) => `--${name} ${shellQuote(String(each))}`)
    })
    .join(' ')
