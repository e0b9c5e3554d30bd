import type { WebhookStory } from '../../../contract/control/webhooks.ts'
import { rejectSaying } from '../../../contract/errors.ts'
import { composeNotification } from '../../../sandbox/control/webhooks/send-edited.ts'
import { hideInAddress, safeHeaders } from '../../../sandbox/http/hide-addresses.ts'
import {
  deliveriesFor,
  type LedgerDelivery,
  notificationNamed,
} from '../../../sandbox/webhooks/deliveries.ts'
import { shortDuration } from '../../../shared/text/duration-words.ts'
import { Fold } from '../../components/basics.tsx'
import { indented } from '../../components/http-message.tsx'
import type { FormState, PagesContext, Values } from '../../frame/page-view.tsx'
import { formFields } from '../payments/form-parts.tsx'
import { Editor, type Try } from '../workbench/workbench.tsx'
import { longestUrl } from './delivery-table.tsx'

/**
 * Body, headers, URL and signature of a notification. `holds`: name of the edited attempt that the fields
 * hold; undefined for one as it was made.
 */
export function webhookEditor(
  id: string,
  transactionId: string,
  form: FormState,
  holds: string | undefined,
  original: OriginalAttempt,
) {
  return (
    <Editor
      action={`/webhooks/${id}/edit`}
      lead={`POST ${original.url.replace(/^https?:\/\/[^/]+/, '') || '/'}`}
      form={form}
      holds={holds === undefined ? undefined : { name: holds, restore: `/webhooks/${id}?attempt=0` }}
      note={
        <>
          Sent once, without retries and faults: it changes no delivery. Resend makes a delivery again,{' '}
          <a
            class="whitespace-nowrap"
            href={`/transactions/${transactionId}/resend?notification=${id}`}
            data-drawer
          >
            also to another URL
          </a>
          .
        </>
      }
    >
      <input type="hidden" name="attempt" value={form.values.attempt} autocomplete="off" />
      {formFields(form, [{ name: 'body', label: 'Body', rows: 14 }])}
      <Fold
        summary="Headers and URL"
        look="small"
        open={['headers', 'to'].includes(form.refusal?.field ?? '')}
      >
        <div class="grid gap-3 mt-3">
          {formFields(form, [
            { name: 'headers', label: 'Headers', rows: 5 },
            {
              name: 'to',
              label: 'URL',
              optional: true,
              maxLength: longestUrl,
              placeholder: 'http://127.0.0.1:3000/hook',
              hint: `Leave empty to use the original URL: ${original.url}`,
            },
          ])}
        </div>
      </Fold>
      <label class="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          id="sign"
          name="signature"
          value="new"
          checked={form.values.signature === 'new'}
          autocomplete="off"
        />
        Sign again, with a new time
      </label>
    </Editor>
  )
}

/** Something that was sent of a notification. */
type WebhookTry = ReturnType<typeof webhookTries>[number]

/**
 * Attempts of all deliveries, and edited ones that were sent from the page, the oldest first. `number`: as it
 * is shown, counted on from attempts that are not kept; `edited`: as it was typed, null for an attempt of a
 * delivery.
 */
export function webhookTries({ tries }: PagesContext, id: string, { deliveries }: WebhookStory) {
  const kept = deliveries.flatMap((delivery) => delivery.tries.map((sent) => ({ sent, edited: null })))
  const edited = tries.of(id).map(({ sent, values }) => ({ sent, edited: values }))
  const missing = deliveries.reduce((sum, delivery) => sum + triesMade(delivery) - delivery.tries.length, 0)
  return [...kept, ...edited]
    .sort((one, other) => Date.parse(one.sent.at) - Date.parse(other.sent.at))
    .map((each, at) => ({ ...each, number: missing + at + 1 }))
}

/** How many attempts were made; one that a fault sends twice counts once, and is kept twice. */
export const triesMade = ({ totalAttempts, tries }: WebhookStory['deliveries'][number]): number =>
  Math.max(totalAttempts, tries.length)

/** Index of the try with that number; of the latest one of a delivery when nothing fits, -1 without any. */
export function findTryIndex(tries: readonly WebhookTry[], number: string): number {
  const index = tries.findIndex((each) => each.number === Number(number))
  return index === -1 ? tries.findLastIndex(({ edited }) => edited === null) : index
}

/** Name of an attempt: `Attempt 2`, `Edited attempt 3`. */
export const tryName = ({ edited, number }: WebhookTry): string =>
  `${edited ? 'Edited attempt' : 'Attempt'} ${number}`

/** The tries as a stack shows them. `path`: of the page. */
export const shownTries = (tries: readonly WebhookTry[], path: string): readonly Try[] => {
  const urls = new Set(tries.map(({ sent }) => sent.url))
  return tries.map((each, index) => {
    const { at, status, error, fault, durationMs, url, ...sent } = each.sent
    const before = tries[index - 1]?.sent.at
    const later = before && `${shortDuration(Date.parse(at) - Date.parse(before))} later`
    return {
      number: each.number,
      name: tryName(each),
      result: String(status ?? 'no answer'),
      isGood: status === 200,
      durationMs,
      at,
      note: [urls.size > 1 && url, fault && `fault: ${fault}`, later].filter(Boolean).join(', '),
      edit: `${path}?attempt=${each.number}`,
      request: { headers: safeHeaders(sent.requestHeaders), body: sent.requestBody, empty: 'No body.' },
      answer: {
        headers: safeHeaders(sent.responseHeaders),
        body: sent.responseBody,
        empty: status === null ? (error ?? 'No answer.') : 'The answer had no body.',
      },
    }
  })
}

/** The request of an attempt, or the one that would be sent now if there was no attempt. */
type OriginalAttempt = ReturnType<typeof originalAttempt>

/**
 * The try with that number, or the last attempt. `attempt`: its number as it is shown, empty without one;
 * `url`: without secrets.
 */
export function originalAttempt(context: PagesContext, id: string, story: WebhookStory, number: string) {
  const tries = webhookTries(context, id, story)
  const found = tries[findTryIndex(tries, number)]
  if (found === undefined)
    return { attempt: '', url: story.deliveries[0]?.url ?? '', ...context.send(composeNotification, id) }
  const { url, requestHeaders, requestBody } = found.sent
  return { attempt: String(found.number), url, headers: requestHeaders, body: requestBody }
}

/** Deliveries of the notification, in the order in which it is shown. */
export function deliveriesNamed(context: PagesContext, id: string): readonly LedgerDelivery[] {
  const { ledger, notification } = notificationNamed(context, id)
  return deliveriesFor(ledger, notification).map((delivery) => ({ ledger, delivery }))
}

/** The full URL; undefined when no delivery of the notification has it any more. */
export const calledUrl = (context: PagesContext, id: string, { url }: OriginalAttempt): string | undefined =>
  deliveriesNamed(context, id).find(({ delivery }) => hideInAddress(delivery.url) === url)?.delivery.url

/** Initial values of the editor: a line for each member of the body and for each header. */
export const webhookDraft = ({ attempt, headers, body }: OriginalAttempt): Values => ({
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

/** Headers of a text with one in each line, `name: value`. */
export function headersIn(text: string): Record<string, string> {
  const headers = new Map<string, string>()
  const refuse = (message: string): never => rejectSaying('headers', message)
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const at = line.indexOf(':')
    if (at < 1) refuse(`Line ${index + 1} is not a name, a colon and a value`)
    const name = line.slice(0, at).trim()
    if (headers.has(name)) refuse(`${name} is given twice`)
    headers.set(name, line.slice(at + 1).trim())
  }
  return Object.fromEntries(headers)
}
