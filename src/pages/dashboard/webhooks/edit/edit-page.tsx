import type { Refusal } from '../../../../contract/errors.ts'
import type { AttemptView, WebhookStory } from '../../../../contract/sandbox/webhooks.ts'
import { baseUrlOf, type Call } from '../../../../http/call.ts'
import { shortDuration } from '../../../../text/duration-words.ts'
import { showWebhook } from '../../../../webhooks/deliveries.ts'
import { PageHead, Panel } from '../../../components/panel.tsx'
import type { PageRequest, PagesContext, PageView } from '../../../frame/page-view.tsx'
import { fieldsOf } from '../../../serving/form-fields.ts'
import { RefusedNotice, shownRefusal, type Values } from '../../payments/form-parts.tsx'
import { AttemptDetail } from '../attempts.tsx'
import { eventInWords } from '../delivery-table.tsx'
import { EditForm } from './edit-form.tsx'
import {
  asTyped,
  Changes,
  calledUrl,
  draftOf,
  headersIn,
  type OriginalAttempt,
  originalOf,
  rewritten,
} from './webhook-changes.tsx'

/** The state of the form and its result. */
interface EditPageState {
  readonly values: Values
  readonly refusal?: Refusal
  readonly sent?: AttemptView
}

/** The form that edits a notification and sends it once. Errors: SBX_WEBHOOK_NONE, SBX_NO_NOTIFYURL. */
export async function editPage(context: PagesContext, request: PageRequest): Promise<PageView> {
  const story = await showWebhook(context, request.id)
  const original = originalOf(context, request.id, story, request.query.attempt ?? '')
  return editView(request, story, original, { values: draftOf(original) })
}

const fields = ['body', 'headers', 'to', 'signature', 'attempt', 'do']

/**
 * Sends the input, shows its changes, or reformats its body. The page shows the receiver's answer, or a refusal with
 * the input. Errors: SBX_CARD_DATA, SBX_TOO_LARGE, SBX_WEBHOOK_NONE, SBX_NO_NOTIFYURL.
 */
export async function editAction(context: PagesContext, call: Call): Promise<PageView> {
  const request: PageRequest = { id: call.req.param('id') ?? '', query: {}, baseUrl: baseUrlOf(call) }
  const values = asTyped(await fieldsOf(call, fields))
  const story = await showWebhook(context, request.id)
  const original = originalOf(context, request.id, story, values.attempt ?? '')
  return editView(request, story, original, await outcomeOf(context, request.id, values, original))
}

async function outcomeOf(
  context: PagesContext,
  id: string,
  values: Values,
  original: OriginalAttempt,
): Promise<EditPageState> {
  try {
    switch (values.do) {
      case 'send':
        return {
          values,
          sent: await context.commands.sendBody(id, orderOf(values, calledUrl(context, id, original))),
        }
      case 'indent':
      case 'compact':
        return { values: rewritten(values, values.do) }
      default:
        return { values }
    }
  } catch (error) {
    return { values, refusal: shownRefusal(error) }
  }
}

/** `own`: where it goes when no URL is typed. */
const orderOf = ({ body = '', headers = '', to = '', signature }: Values, own: string | undefined) => ({
  body,
  headers: headersIn(headers),
  sign: signature !== 'kept',
  to: to.trim() || own,
})

function editView(
  { id }: PageRequest,
  story: WebhookStory,
  original: OriginalAttempt,
  { values, refusal, sent }: EditPageState,
): PageView {
  const [first] = story.deliveries
  const title = first === undefined ? 'Webhook' : eventInWords(first.event, first)
  return {
    title: `Edit webhook ${title}`,
    section: 'webhooks',
    ...(refusal !== undefined && { status: 422 as const }),
    body: () => (
      <>
        <PageHead
          title="Edit and resend"
          lead={
            <>
              <a href={`/webhooks/${id}`}>{title}</a>, sent once and not kept
            </>
          }
        />
        {refusal !== undefined && <RefusedNotice refusal={refusal} />}
        {sent !== undefined && <Answer sent={sent} />}
        <div class="edit-webhook top stack gap-4 one-column">
          <EditForm id={id} form={{ values, refusal }} url={original.url} />
          <Changes original={original} values={values} />
        </div>
      </>
    ),
  }
}

/** The request that was sent, and the receiver's answer. */
const Answer = ({ sent }: { readonly sent: AttemptView }) => {
  const { status, error, durationMs, url } = sent
  return (
    <Panel
      title={status === null ? 'No answer' : `Answered ${status}`}
      name="answer"
      note={
        <span class={`state tone-${status === 200 ? 'success' : 'fail'}`} role="status">
          {status === null ? (error ?? 'no answer') : `${url} in ${shortDuration(durationMs)}`}
        </span>
      }
    >
      <AttemptDetail tries={[sent]} missing={0} index={0} />
    </Panel>
  )
}
