import type { AttemptView, WebhookStory } from '../../../contract/control/webhooks.ts'
import { money } from '../../../contract/presentation/money.ts'
import { neededInstead } from '../../../contract/presentation/words.ts'
import { parseStatus, statusWordOf } from '../../../contract/statuses.ts'
import { hideInAddress } from '../../../sandbox/http/hide-addresses.ts'
import { whyPending } from '../../../sandbox/views/why-pending.ts'
import { showWebhook } from '../../../sandbox/webhooks/deliveries.ts'
import { webhookId } from '../../../sandbox/webhooks/notifications/notification.ts'
import { shortDuration } from '../../../shared/text/duration-words.ts'
import { PostButton } from '../../components/actions.tsx'
import { DeliveryBadge } from '../../components/basics.tsx'
import { Command, CopyText } from '../../components/command.tsx'
import { formatNumber, plural } from '../../components/format.ts'
import { RecordHead } from '../../components/panel.tsx'
import { html, type MakePage, type PagesContext } from '../../frame/page-view.tsx'
import { drawTries, Workbench } from '../workbench/workbench.tsx'
import { eventInWords, waitInWords } from './delivery-table.tsx'
import {
  deliveriesNamed,
  findTryIndex,
  originalAttempt,
  shownTries,
  triesMade,
  tryName,
  webhookDraft,
  webhookEditor,
  webhookTries,
} from './webhook-editor.tsx'

/** One notification: its endpoints, an editor, and its tries in a stack. */
export const webhookPage: MakePage = async (context, { id, query, baseUrl }, editor) => {
  const story = await showWebhook(context, id)
  const [first] = story.deliveries
  if (first === undefined) throw new Error(`webhook ${id} has no delivery`)
  const number = editor?.values.attempt ?? query.attempt ?? ''
  const attempt = /^\d{1,6}$/.test(number) ? number : '' // empty: the latest one is open
  const tries = webhookTries(context, id, story)
  const openIn = (each: typeof tries) => (attempt === '' ? each.length - 1 : findTryIndex(each, attempt))
  const open = tries[openIn(tries)]
  const typed = open?.edited
  const original = originalAttempt(context, id, story, editor ? attempt : (typed?.attempt ?? attempt))
  return {
    title: `Webhook ${eventInWords(first)}`,
    section: 'webhooks',
    live: {
      path: `/webhooks/${id}/live${attempt === '' ? '' : `?attempt=${attempt}`}`,
      topics: [`transaction ${first.transactionId}`], // not of others: it reads a file
    },
    ...(editor?.refusal && { status: 422 }),
    fragments: async () => {
      const story = await showWebhook(context, id)
      const tries = webhookTries(context, id, story)
      return {
        headline: html(head(context, id, story.deliveries, tries, baseUrl)),
        endpoints:
          story.deliveries.length === 1
            ? ''
            : html(
                <section class="panel" aria-label="Endpoints">
                  <ul class="grid gap-3">
                    {story.deliveries.map((delivery, index) =>
                      endpoint(context, id, delivery, index, baseUrl),
                    )}
                  </ul>
                </section>,
              ),
        tries: html(
          tries.length === 0 ? (
            <p class="quiet text-ink-soft text-sm">No attempt was made yet.</p>
          ) : (
            drawTries(shownTries(tries, `/webhooks/${id}`), openIn(tries))
          ),
        ),
      }
    },
    body: (slot) => (
      <>
        {slot('headline')}
        {slot('endpoints')}
        <Workbench
          editor={webhookEditor(
            id,
            first.transactionId,
            editor ?? { values: typed ?? webhookDraft(original) },
            open && typed ? tryName(open) : undefined,
            original,
          )}
        >
          {slot('tries')}
        </Workbench>
      </>
    ),
  }
}

type Delivery = WebhookStory['deliveries'][number]

/**
 * Of one delivery it says everything; after that what was answered to an edited attempt, if one was the
 * latest: it changes no delivery.
 */
const head = (
  context: PagesContext,
  id: string,
  deliveries: readonly Delivery[],
  tries: ReturnType<typeof webhookTries>,
  baseUrl: string,
) => {
  const last = tries.findLast(({ edited }) => edited === null)?.sent
  const latest = tries.at(-1)
  const edited = tries.filter(({ edited }) => edited !== null).length
  const [first, ...others] = deliveries as [Delivery]
  const isOne = others.length === 0
  const next = isOne ? nextAttempt(context, id, 0, baseUrl) : null
  const { event, transactionId, transactionStatus, amount, currency } = first
  const title = eventInWords(first)
  return (
    <RecordHead
      title={event === null ? `${title} ${money(amount, currency)}` : title}
      state={
        <>
          <DeliveryBadge delivery={first} retries={context.options.retries} />
          {last !== undefined && <span>{answerInWords(last)}</span>}
          {latest?.edited && (
            <span class="basis-full text-note">
              {tryName(latest)}, which changes no delivery: {answerInWords(latest.sent)}
            </span>
          )}
        </>
      }
      facts={[
        ['Transaction', <a href={`/transactions/${transactionId}`}>{transactionId}</a>],
        ['Status at that time', statusInWords(transactionStatus)],
        ['Delivery', isOne ? attemptsText(first, edited) : null],
        ['Next attempt', next?.words],
        ['Endpoint', isOne ? <CopyText text={hideInAddress(first.url)} /> : null, '@sm:col-span-2'],
        ['Id', <CopyText text={id} />, '@sm:col-span-2'],
      ]}
    >
      {next?.act}
      {deliveries.some(({ listener }) => !listener) && (
        <PostButton
          action={`/webhooks/${id}/resend`}
          look={isOne && first.state === 'failed' ? 'main' : 'plain'}
          aria-keyshortcuts="r"
        >
          Resend
        </PostButton>
      )}
    </RecordHead>
  )
}

/** `200 in 1.5 ms`, or why there is no answer. */
const answerInWords = ({ status, error, durationMs }: AttemptView): string =>
  status === null
    ? (error ?? 'no answer')
    : `${status} in ${shortDuration(durationMs)}${neededInstead(status)}`

/** `approved (S)`: in words, and as the notification has it. */
function statusInWords(letter: string): string {
  const status = parseStatus(letter)
  return status === undefined ? letter : `${statusWordOf(status)} (${letter})`
}

/** How often a delivery was tried, and by what. */
const attemptsText = (delivery: Delivery, edited = 0): string => {
  const { listener, fault, tries, attempts, totalAttempts } = delivery
  const earlier = totalAttempts - attempts
  const made = triesMade(delivery)
  return [
    plural(made, 'attempt') + (edited > 0 ? ` and ${formatNumber(edited)} edited` : ''),
    earlier > 0 && `${formatNumber(earlier)} of them before it was resent`,
    tries.length > 0 && tries.length < made && `${tries.length} of them kept`,
    listener && 'by tillbox listen',
    fault !== null && fault !== '' && `fault: ${fault}`,
  ]
    .filter(Boolean)
    .join(', ')
}

const endpoint = (context: PagesContext, id: string, delivery: Delivery, index: number, baseUrl: string) => {
  const next = nextAttempt(context, id, index, baseUrl)
  return (
    <li class="flex items-center flex-wrap gap-2">
      <span class="code">{hideInAddress(delivery.url)}</span>
      <DeliveryBadge delivery={delivery} retries={context.options.retries} />
      <span class="text-note text-ink-soft">{attemptsText(delivery)}</span>
      {next && <span class="text-sm">Next attempt: {next.words}</span>}
      {next?.act}
    </li>
  )
}

/** When the next attempt of a pending delivery comes, and what continues it. `index`: which delivery. */
const nextAttempt = (context: PagesContext, id: string, index: number, baseUrl: string) => {
  const counted = deliveriesNamed(context, id)[index]
  const waits = counted && whyPending(context, counted)
  if (!waits) return null
  const { number } = counted.delivery
  const now = context.clock.now()
  const { timeZone } = counted.ledger.settings
  const ahead = waits.until === null ? 0 : waits.until - now
  return {
    words: waitInWords(waits, now, timeZone),
    act:
      ahead > 0 ? (
        <PostButton
          action={`/webhooks/${id}/advance`}
          fields={{ delivery: String(number) }}
          look="main"
          aria-keyshortcuts="a"
        >
          Advance {shortDuration(ahead)} and retry
        </PostButton>
      ) : context.courier.isHeld(counted.ledger, counted.delivery) ? (
        <PostButton
          action="/webhooks/release"
          fields={{ delivery: `${number} ${webhookId(counted.ledger, counted.delivery)}` }}
          look="main"
        >
          Release
        </PostButton>
      ) : (
        waits.command !== null && <Command text={waits.command} baseUrl={baseUrl} />
      ),
  }
}
