import { rejectField } from '../../../../contract/errors.ts'
import type { WebhookStory } from '../../../../contract/sandbox/webhooks.ts'
import { composeNotification } from '../../../../control/webhooks/send-edited.ts'
import { hideInAddress } from '../../../../http/hide-addresses.ts'
import { isSignatureHeader } from '../../../../signature/signature.ts'
import { type DiffLine, diffLines } from '../../../../text/line-diff.ts'
import { notificationNamed } from '../../../../webhooks/deliveries.ts'
import { plural } from '../../../components/format.ts'
import { compacted, indented, tryReadJson } from '../../../components/http-message.tsx'
import { Panel } from '../../../components/panel.tsx'
import type { PagesContext } from '../../../frame/page-view.tsx'
import type { Values } from '../../payments/form-parts.tsx'
import { selectedOf } from '../attempts.tsx'

interface ChangesProps {
  readonly original: OriginalAttempt
  readonly values: Values
}

/** The difference between the edited webhook and the previous attempt: headers, then the body. */
export const Changes = ({ original, values }: ChangesProps) => {
  const { body = '', headers = '', signature } = values
  const isSigned = signature !== 'kept'
  const [headersBefore, headersNow] = [draftOf(original).headers ?? '', headers].map((text) =>
    linesOf(text).filter((line) => !(isSigned && isSignatureHeader(line.split(':')[0]?.trim() ?? ''))),
  )
  const headerLines = diffLines(headersBefore ?? [], headersNow ?? [])
  const bodyLines = diffLines(indented(original.body).split('\n'), indented(body).split('\n'))
  const isSame = original.body === body
  return (
    <Panel
      title="Changes"
      name="changes"
      note={
        <span class="panel-note note">
          against {original.attempt === '' ? 'a new one' : `attempt ${original.attempt}`}
        </span>
      }
    >
      <h3>Headers</h3>
      <Diff lines={headerLines} same="No header is changed." />
      {isSigned ? (
        <p class="quiet soft small">Time and signature are regenerated when it is sent.</p>
      ) : (
        !isSame && (
          <p class="diff-warning">
            The old signature does not fit this body: a receiver that verifies it will reject it.
          </p>
        )
      )}
      <h3>Body</h3>
      <Diff
        lines={bodyLines}
        same={isSame ? 'Not changed: the same bytes.' : 'The same JSON, with other white space.'}
      />
    </Panel>
  )
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

/** Unchanged lines that are shown on each side of a changed one. */
const around = 2

interface DiffProps {
  readonly lines: readonly DiffLine[]
  /** Text when no line is changed. */
  readonly same: string
}

/** Changed lines with those around them. */
const Diff = ({ lines, same }: DiffProps) => {
  if (lines.every((line) => line.in === 'both')) return <p class="quiet soft small">{same}</p>
  return (
    <ol class="diff on-sunken lined round-s">
      {partsOf(lines).map((part) =>
        typeof part === 'number' ? (
          <li class="diff-gap soft">{plural(part, 'line')} not changed</li>
        ) : (
          <li class={`diff-${part.in}`}>
            {part.in !== 'both' && (
              <span class="visually-hidden">{part.in === 'before' ? 'Removed: ' : 'Added: '}</span>
            )}
            {part.text}
          </li>
        ),
      )}
    </ol>
  )
}

/** Lines that are shown, and between them how many are left out. */
function partsOf(lines: readonly DiffLine[]): (DiffLine | number)[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some((line) => line.in !== 'both')
  const parts: (DiffLine | number)[] = []
  for (const [at, line] of lines.entries()) {
    const last = parts.at(-1)
    if (isNear(at)) parts.push(line)
    else if (typeof last === 'number') parts[parts.length - 1] = last + 1
    else parts.push(1)
  }
  return parts
}

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
  context: PagesContext,
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
export function calledUrl(context: PagesContext, id: string, { url }: OriginalAttempt): string | undefined {
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
