import { rejectField } from '../../../../contract/errors.ts'
import type { WebhookStory } from '../../../../contract/sandbox/webhooks.ts'
import { composeNotification } from '../../../../control/webhooks/send-edited.ts'
import { hideInAddress } from '../../../../http/hide-addresses.ts'
import { notificationNamed } from '../../../../webhooks/deliveries.ts'
import { compacted, indented, tryReadJson } from '../../../components/bodies/format-json.ts'
import type { PagesContext, RecordsContext } from '../../../frame/pages-context.ts'
import type { Values } from '../../payments/form-parts.tsx'
import { selectedOf } from '../attempts.tsx'

/** The request of an attempt, or the one that would be sent now if there was no attempt. */
export interface OriginalAttempt {
  /** Number of the attempt, counted over all deliveries; empty without one. */
  readonly attempt: string
  /** The URL, without secrets. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The attempt that is asked for, or the last one. `attempt`: its number. Errors: SBX_WEBHOOK_NONE. */
export function originalOf(
  context: Pick<PagesContext, 'clock' | 'engine' | 'signingOf'>,
  id: string,
  { deliveries }: WebhookStory,
  attempt: string,
): OriginalAttempt {
  const selected = selectedOf(deliveries, attempt)
  const made = deliveries.flatMap(({ url, tries }) => tries.map((attempt) => ({ url, attempt })))[
    selected ?? -1
  ]
  if (made === undefined || selected === undefined)
    return { attempt: '', url: deliveries[0]?.url ?? '', ...composeNotification(context, id) }
  const { requestHeaders, requestBody } = made.attempt
  return { attempt: String(selected + 1), url: made.url, headers: requestHeaders, body: requestBody }
}

/** The full URL; undefined when no delivery of the notification has it any more. */
export function calledUrl(context: RecordsContext, id: string, { url }: OriginalAttempt): string | undefined {
  const { notification } = notificationNamed(context, id)
  return context.statistics.current.deliveries
    .ofTransaction(notification.transactionId)
    .find(({ delivery }) => delivery.event === notification.event && hideInAddress(delivery.url) === url)
    ?.delivery.url
}

/** Initial values of the form: a line for each member of the body and for each header. */
export const draftOf = ({ attempt, headers, body }: OriginalAttempt): Values => ({
  attempt,
  body: indented(body),
  headers: Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
  signature: 'new',
})

/** Texts of several lines as they were typed: browsers post each end of a line as CR and LF. */
export const asTyped = (values: Values): Values => ({
  ...values,
  body: (values.body ?? '').replaceAll('\r\n', '\n'),
  headers: (values.headers ?? '').replaceAll('\r\n', '\n'),
})

/** The body in one line, or with a line for each member. Errors: C17 for what would not stay the same JSON. */
export function rewritten(values: Values, how: 'indent' | 'compact'): Values {
  const { body = '' } = values
  if (tryReadJson(body) === null) rejectField('body', 'is not JSON, or would not stay the same')
  return { ...values, body: how === 'indent' ? indented(body) : compacted(body) }
}

/** Headers of a text with one in each line, `name: value`. Errors: C17. */
export function headersIn(text: string): Record<string, string> {
  const headers = new Map<string, string>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const at = line.indexOf(':')
    if (at < 1) rejectField('headers', `line ${index + 1} is not a name, a colon and a value`)
    const name = line.slice(0, at).trim()
    if (headers.has(name)) rejectField('headers', `${name} is given twice`)
    headers.set(name, line.slice(at + 1).trim())
  }
  return Object.fromEntries(headers)
}
