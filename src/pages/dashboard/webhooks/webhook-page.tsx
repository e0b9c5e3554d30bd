import type { WebhookStory } from '../../../contract/sandbox/webhooks.ts'
import { statusOf, statusWordOf } from '../../../contract/statuses.ts'
import { hideInAddress } from '../../../http/hide-addresses.ts'
import { money } from '../../../presentation/money.ts'
import { type PendingContext, whyPending } from '../../../views/why-pending.ts'
import { type DeliveryLog, notificationNamed, showWebhook } from '../../../webhooks/deliveries.ts'
import { PostButton, Submit } from '../../components/actions.tsx'
import { DeliveryBadge, Notice } from '../../components/basics.tsx'
import { Command } from '../../components/command.tsx'
import { plural } from '../../components/format.ts'
import { Empty, Panel, RecordHead } from '../../components/panel.tsx'
import { html, type PageRequest, type PagesContext, type PageView } from '../../frame/page-view.tsx'
import { AttemptDetail, AttemptList, selectedOf } from './attempts.tsx'
import { eventInWords, waitInWords } from './delivery-table.tsx'
import { longestUrl } from './webhook-filter-form.tsx'

/** The context of `whyPending`, and the records of a page. */
type WaitContext = PendingContext & PagesContext

/** A URL that was refused, and why. */
interface RefusedUrl {
  readonly to: string
  readonly detail: string
}

/** One notification with its attempts, one of them in full. Errors: SBX_WEBHOOK_NONE, SBX_NO_NOTIFYURL. */
export async function webhookPage(
  context: WaitContext & DeliveryLog,
  { id, query, baseUrl }: PageRequest,
  refused: RefusedUrl | null = null,
): Promise<PageView> {
  const { deliveries } = await showWebhook(context, id)
  const [first] = deliveries
  if (first === undefined) throw new Error(`webhook ${id} has no delivery`)
  const { event, transactionId, transactionStatus, amount, currency } = first
  const title = eventInWords(event, first)
  const { attempt = '' } = query
  const shown = /^\d{1,6}$/.test(attempt) ? `?attempt=${attempt}` : ''
  return {
    title: `Webhook ${title}`,
    section: 'webhooks',
    live: {
      path: `/webhooks/${id}/live${shown}`,
      topics: [`transaction ${transactionId}`], // not of others: it reads a file
    },
    ...(refused !== null && { status: 422 }),
    fragments: async () => ({
      headline: '',
      story: storyPart(context, await showWebhook(context, id), { id, attempt, baseUrl }),
    }),
    body: (slot) => (
      <>
        {slot('headline')}
        <RecordHead
          title={event === null ? `${title} ${money(amount, currency)}` : title}
          state={<span class="code">{id}</span>}
          facts={[
            ['Transaction', <a href={`/transactions/${transactionId}`}>{transactionId}</a>],
            ['Status at that time', statusInWords(transactionStatus)],
          ]}
        >
          <Command text={`tillbox webhook show ${id}`} baseUrl={baseUrl} />
          <a class="action action-plain" id="edit" href={`/webhooks/${id}/edit${shown}`}>
            Edit and resend
          </a>
          {deliveries.some(({ listener }) => !listener) && (
            <PostButton action={`/webhooks/${id}/resend`} look="large" aria-keyshortcuts="r">
              Resend
            </PostButton>
          )}
        </RecordHead>
        {slot('story')}
        <OtherUrl id={id} refused={refused} />
      </>
    ),
  }
}

/** `approved (S)`: in words, and as the notification has it. */
function statusInWords(letter: string): string {
  const known = statusOf(letter)
  return known === undefined ? letter : `${statusWordOf(known)} (${letter})`
}

/** Sends the notification to a URL that it did not go to; a URL that was refused stays as it was typed. */
const OtherUrl = ({ id, refused }: { readonly id: string; readonly refused: RefusedUrl | null }) => (
  <Panel title="Resend to another URL" name="other-url">
    {refused !== null && (
      <Notice tone="error" title="The notification was not sent">
        <p id="to-problem">{refused.detail}</p>
      </Notice>
    )}
    <form class="flex gap-2" method="post" action={`/webhooks/${id}/resend-to`}>
      <label class="visually-hidden" for="to">
        URL
      </label>
      <input
        id="to"
        class="url-field pad-0-3 grows"
        name="to"
        type="url"
        required
        maxlength={longestUrl}
        value={refused?.to}
        placeholder="http://127.0.0.1:3000/hook"
        aria-invalid={refused === null ? undefined : 'true'}
        aria-describedby={refused === null ? undefined : 'to-problem'}
        autocomplete="off"
      />
      <Submit look="large-plain">Resend</Submit>
    </form>
  </Panel>
)

interface StoryProps {
  readonly id: string
  /** Number of the attempt that is shown in full, counted over all deliveries; any other text: the last one. */
  readonly attempt: string
  readonly baseUrl: string
}

function storyPart(
  context: WaitContext,
  { deliveries }: WebhookStory,
  { id, attempt, baseUrl }: StoryProps,
): string {
  const selected = selectedOf(deliveries, attempt)
  let before = 0
  return html(
    <div>
      {deliveries.map((delivery, index) => {
        const { url, listener, state, held, fault, tries } = delivery
        const made = madeOf(delivery)
        const first = before
        before += tries.length
        const isSelected = selected !== undefined && selected >= first && selected < before
        return (
          <Panel
            title={hideInAddress(url)}
            name={`delivery-${index + 1}`}
            note={
              <span class="panel-note note">
                <DeliveryBadge state={state} held={held === true} />, {plural(made, 'attempt')}
                {tries.length > 0 && tries.length < made && `, ${tries.length} of them kept`}
                {listener && ', by tillbox listen'}
                {fault !== null && fault !== '' && `, fault: ${fault}`}
              </span>
            }
          >
            {state === 'pending' && <Empty {...waitOf(context, id, delivery)} baseUrl={baseUrl} />}
            {tries.length > 0 && (
              <div class={`attempts stack gap-4 one-column${isSelected ? ' attempts-open' : ''}`}>
                <AttemptList
                  tries={tries}
                  first={first}
                  missing={made - tries.length}
                  selected={selected}
                  path={`/webhooks/${id}`}
                />
                {isSelected && (
                  <AttemptDetail tries={tries} missing={made - tries.length} index={selected - first} />
                )}
              </div>
            )}
          </Panel>
        )
      })}
    </div>,
  )
}

/** How many attempts were made; one that a fault sends twice counts once, and is kept twice. */
const madeOf = ({ attempts, totalAttempts, tries }: WebhookStory['deliveries'][number]): number =>
  Math.max(totalAttempts ?? attempts, tries.length)

/** Why no attempt is made now, and the commands that continue. */
function waitOf(context: WaitContext, id: string, { url, listener }: WebhookStory['deliveries'][number]) {
  const { ledger, notification } = notificationNamed(context, id)
  const counted = context.statistics.current.deliveries
    .ofTransaction(notification.transactionId)
    .find(
      ({ delivery }) =>
        delivery.event === notification.event &&
        (delivery.listener !== undefined) === listener &&
        hideInAddress(delivery.url) === url,
    )
  const waits = counted === undefined ? null : whyPending(context, counted)
  const words = waitInWords(waits, context.clock.now(), ledger.settings.timeZone)
  return { title: `Next attempt: ${words}`, commands: waits?.command == null ? [] : [waits.command] }
}
