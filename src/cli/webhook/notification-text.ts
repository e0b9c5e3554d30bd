import { parseJson } from '../../client/tolerant.ts'
import { cleanLines } from '../output/clean.ts'
import { theme } from '../output/theme.ts'

/** Indented and coloured JSON; any other text unchanged. */
export function prettyJson(text: string): string {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return cleanLines(text)
  return cleanLines(JSON.stringify(value, null, 2)).replace(
    /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g,
    (token: string, quoted: string | undefined, colon: string | undefined) => {
      if (colon !== undefined) return `${theme.link(quoted ?? '')}${colon}`
      if (quoted !== undefined) return theme.good(quoted)
      return /^[-\d]/.test(token) ? theme.open(token) : theme.faint(token)
    },
  )
}

/** A URL in few columns: `:3000/hook` on this machine, `shop.test/hook` elsewhere; https:// stays. */
export const shortUrl = (url: string): string =>
  url.replace(/^http:\/\/(?:(?:127\.0\.0\.1|localhost|\[::1\])(?=:))?/, '')
