import { UsageError } from '../errors/usage-error.ts'
import { headerFrom } from './webhook-input.ts'

/** Headers that a notification has of its own, in lower case: what is sent on is sent on as it is. */
const ownHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'x-client-request-id',
  'x-timestamp',
  'x-signature',
  'x-sandbox-previous-signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
])

/** Headers that are added to each notification, `name:value`. Errors: UsageError. */
export const addedHeaders = (lines: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(lines.map(addedHeader))

function addedHeader(text: string): [name: string, value: string] {
  const [name, value] = headerFrom(text)
  if (!ownHeaders.has(name.toLowerCase())) return [name, value]
  throw new UsageError(
    `--header ${name} would replace the notification's own`,
    'Use another name; tillbox webhook send edits a notification',
    'header',
  )
}
