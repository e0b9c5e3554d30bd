import type { AttemptView, WebhookStory } from '../../../contract/sandbox/webhooks.ts'
import { statusOf, statusWordOf } from '../../../contract/statuses.ts'
import { hideInAddress } from '../../../http/hide-addresses.ts'
import { safeHeaders } from '../../../http/hide-headers.ts'
import { showWebhook } from '../../../webhooks/deliveries.ts'
import { DeliveryBadge } from '../../components/badges.tsx'
import { Command } from '../../components/command.tsx'
import { formatDuration, plural } from '../../components/format.ts'
import { Body, Headers } from '../../components/http-message.tsx'
import { Empty, Panel, RecordHead } from '../../components/panel.tsx'
import type { PagesContext } from '../../frame/context.ts'
import { html, type PageRequest, type PageView } from '../../frame/page-view.tsx'

/** One notification with every attempt in full. Errors: SBX_WEBHOOK_NONE. */
export async function webhookPage(context: PagesContext, { id, origin }: PageRequest): Promise<PageView> {
  const { deliveries } = await showWebhook(context, id)
  const [first] = deliveries
  const title = first?.event ?? 'Result'
  return {
    title: `Webhook ${title}`,
    section: 'webhooks',
    live: {
      path: `/webhooks/${id}/live`,
      topics: first === undefined ? [] : [`transaction ${first.transactionId}`], // not of others: it reads a file
    },
    fragments: async () => ({ headline: '', story: storyPart(await showWebhook(context, id), origin) }),
    body: (slot) => (
      <>
        {slot('headline')}
        <RecordHead
          title={title}
          state={<span class="code">{id}</span>}
          facts={[
            ['Transaction', <a href={`/transactions/${first?.transactionId}`}>{first?.transactionId}</a>],
            ['Status at that time', first && statusInWords(first.transactionStatus)],
          ]}
        >
          <Command text={`tillbox webhook show ${id}`} origin={origin} />
          {deliveries.some(({ listener }) => !listener) && (
            <form method="post" action={`/webhooks/${id}/resend`}>
              <button class="action" type="submit">
                Send again
              </button>
            </form>
          )}
        </RecordHead>
        {slot('story')}
      </>
    ),
  }
}

/** `approved (S)`: in words, and as the notification has it. */
function statusInWords(letter: string): string {
  const known = statusOf(letter)
  return known === undefined ? letter : `${statusWordOf(known)} (${letter})`
}

const whyHeld = 'Webhooks are held back: none is sent until it is released, or the hold ends.'
const whyWaiting =
  'Webhooks to one URL are sent one after another, by the sandbox clock. With --webhook-order strict they also wait ' +
  'for one that is retried; with concurrent several are sent at once.'

const storyPart = ({ deliveries }: WebhookStory, origin: string): string =>
  html(
    <div>
      {deliveries.map(({ url, listener, state, held, attempts, fault, nextAt, tries }, index) => (
        <Panel
          title={hideInAddress(url)}
          name={`delivery-${index + 1}`}
          note={
            <span class="panel-note">
              <DeliveryBadge state={state} held={held === true} />,{' '}
              {plural(Math.max(attempts, tries.length), 'attempt')}
              {listener && ', by tillbox listen'}
              {nextAt !== null &&
                attempts > 0 &&
                held !== true &&
                `, next at ${nextAt.slice(0, 19).replace('T', ' ')} UTC`}
              {fault !== null && fault !== '' && `, fault: ${fault}`}
            </span>
          }
        >
          {tries.length === 0 && (
            <Empty
              title="No attempt yet"
              commands={[held ? 'tillbox webhook release' : 'tillbox sandbox clock']}
              origin={origin}
            >
              <p>{held ? whyHeld : whyWaiting}</p>
            </Empty>
          )}
          {tries.map((attempt, place) => <Attempt attempt={attempt} place={place + 1} />).reverse()}
        </Panel>
      ))}
    </div>,
  )

const Attempt = ({ attempt, place }: { readonly attempt: AttemptView; readonly place: number }) => {
  const { at, status, error, durationMs, fault, requestHeaders, requestBody, responseHeaders, responseBody } =
    attempt
  return (
    <section class="attempt">
      <div class="attempt-head">
        <h3>
          Attempt {place}: {status ?? error ?? 'no answer'}
        </h3>
        <span class="under">
          {at.slice(0, 23).replace('T', ' ')} UTC, {formatDuration(durationMs)}
          {fault !== null && fault !== '' && `, fault: ${fault}`}
        </span>
      </div>
      <div class="exchange">
        <div>
          <h4>Request</h4>
          <Headers headers={safeHeaders(requestHeaders)} />
          <Body label={`Body of the request of attempt ${place}`} text={requestBody} />
        </div>
        <div>
          <h4>Response</h4>
          {status === null ? (
            <p class="quiet">{error ?? 'No answer.'}</p>
          ) : (
            <>
              <Headers headers={safeHeaders(responseHeaders)} />
              {responseBody !== '' && (
                <Body label={`Body of the response of attempt ${place}`} text={responseBody} />
              )}
            </>
          )}
        </div>
      </div>
    </section>
  )
}
