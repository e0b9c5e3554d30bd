import { notHttpUrl } from '../../text/http-url.ts'
import { UsageError } from '../errors/usage-error.ts'

/**
 * The URL of a receiver as typed. `http://` is the default scheme, and this machine the default host:
 * `localhost:3000/hook`, `:3000/hook` and `3000/hook` are the same. `input`: where it was typed. Errors: UsageError unless it is a URL.
 */
export function targetFrom(text: string, field: string, input = `--${field}`): string {
  const url = /^https?:\/\/./i.test(text) ? text : `http://${text.replace(/^:?(?=\d+(\/|$))/, 'localhost:')}`
  const isUrlLike = /^https?:/i.test(text) || /[:/]|^\d+$/.test(text) // a bare word is mostly a mistyped flag
  const isHost = /^https?:\/\/([\w.-]*\w|\[[\da-f:.]+\])(:\d+)?([/?#]|$)/i.test(url)
  const isMistyped = /^https?\/\//i.test(text) || /^[a-z]+:(?!\d|\/\/)/i.test(text) // a scheme without its colon or slashes
  if (isHost && isUrlLike && !isMistyped && URL.canParse(url)) return url
  throw new UsageError(
    notHttpUrl(input, text),
    'Write host, port and path: http://localhost:3000/hook, or 3000/hook for this machine',
    field,
  )
}
