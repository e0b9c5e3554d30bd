import type { RequestStory, ShownMessage } from '../../../contract/sandbox/request-log-answers.ts'
import { requestNamed } from '../../../request-log/request-views.ts'
import { shortDuration } from '../../../text/duration-words.ts'
import { AnswerBadge, Fold } from '../../components/basics.tsx'
import { CopyButton, CopyText } from '../../components/command.tsx'
import { formatDateTime, plural } from '../../components/format.ts'
import { Body, Headers } from '../../components/http-message.tsx'
import { Pairs, Panel, RecordHead } from '../../components/panel.tsx'
import {
  defaultTimeZone,
  type PageRequest,
  type PagesContext,
  type PageView,
} from '../../frame/page-view.tsx'

interface RequestDetailProps {
  readonly context: PagesContext
  readonly story: RequestStory
}

/** A request with its answer: how it went and why, both sides, and how to send it again. */
const RequestDetail = ({ context, story }: RequestDetailProps) => (
  <div class="request">
    {headOf(story, defaultTimeZone(context))}
    {story.refusal !== null && <Why refusal={story.refusal} />}
    <Panel title="Exchange" name="exchange">
      <div class="exchange stack gap-4 above-3 one-column">
        <Side
          title="Request"
          message={story.request}
          lead={`${story.method} ${story.url || story.path}`}
          empty={withoutBody(story)}
        />
        <Side
          title={
            story.fault === null || story.code === 'SBX_INJECTED' ? 'Answer' : 'Answer without the fault'
          }
          message={story.answer}
          lead={String(story.status)}
          empty={bodyNotLogged}
        />
      </div>
    </Panel>
    {sendAgain(story)}
  </div>
)

const headOf = (story: RequestStory, timeZone: string) => (
  <RecordHead
    title={story.operation ?? `${story.method} ${story.path}`}
    state={
      <>
        <AnswerBadge request={story} />
        <span>{story.status}</span>
      </>
    }
    facts={[
      [
        'Transaction',
        story.transactionId && <a href={`/transactions/${story.transactionId}`}>{story.transactionId}</a>,
      ],
      ['Received, wall clock', formatDateTime(story.at, timeZone)],
      ['Repeated', repeatedText(story, timeZone)],
      ['Duration', shortDuration(story.durationMs)],
      ['Trace id', <CopyText text={story.traceId} />],
      ['Injected fault', story.fault && <span class="code">{story.fault}</span>],
      ['Notes', story.refusal === null && story.notes.length > 0 ? story.notes.join('; ') : null],
    ]}
  >
    {story.curl !== null && <CopyButton text={story.curl}>Copy as curl</CopyButton>}
    {story.command !== null && <CopyButton text={story.command}>Copy as tillbox command</CopyButton>}
  </RecordHead>
)

/** How many equal look-ups followed, and when the last of them came; null for none. */
function repeatedText({ times = 1, at, lastAt }: RequestStory, timeZone: string): string | null {
  if (times === 1) return null
  const more = times === 2 ? 'once' : `${times - 1} times`
  return `${more} more, until ${formatDateTime(lastAt ?? at, timeZone)}`
}

/** Why it was refused, where exactly, and what to do. */
const Why = ({ refusal }: { readonly refusal: NonNullable<RequestStory['refusal']> }) => (
  <Panel title="Why it was refused" name="why">
    <Pairs
      kind="reasons"
      pairs={[
        ['Reason', refusal.message],
        ['Field', refusal.field],
        ['Detail', refusal.detail],
        ['What to do', refusal.remedy],
        ...(refusal.others ?? []).map(
          ({ message, field, detail, remedy }) =>
            ['Also wrong', [field, detail ?? message, remedy].filter(Boolean).join(': ')] as [string, string],
        ),
      ]}
    />
  </Panel>
)

interface SideProps {
  readonly title: 'Request' | 'Answer' | 'Answer without the fault'
  readonly message: ShownMessage
  /** The line that it began with. */
  readonly lead: string
  /** Text when there is no body. */
  readonly empty: string
}

const Side = ({ title, message: { headers, body, cut }, lead, empty }: SideProps) => (
  <div>
    <h3>{title}</h3>
    <p class="exchange-lead breaks below-3 code">{lead}</p>
    {headers.length > 0 && (
      <Fold summary={plural(headers.length, 'header')}>
        <Headers headers={headers} />
      </Fold>
    )}
    {body === '' ? (
      <p class="quiet soft small">{empty}</p>
    ) : (
      <Body label={`Body of the ${title.toLowerCase()}`} text={body} />
    )}
    {cut && <p class="quiet soft small">Truncated: the log keeps only the beginning.</p>}
  </div>
)

/** Of pages, and where it held card data. */
const bodyNotLogged = 'The log does not keep this body.'

/** Why no body of the request is shown. */
function withoutBody({ url, refusal, request }: RequestStory): string {
  if (url === '') return bodyNotLogged
  const length = request.headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? '0'
  return refusal !== null && length !== '0'
    ? 'The body was not read: the request was refused first.'
    : 'The request had no body.'
}

/** The request for a shell. */
const sendAgain = ({ curl, command }: RequestStory) => (
  <Panel title="Send it again" name="again">
    {curl === null && command === null && (
      <p class="quiet soft small">The log does not hold the complete request, so it cannot be sent again.</p>
    )}
    {command !== null && <Body label="Command of tillbox" text={command} />}
    {curl !== null && <Body label="Command of curl" text={curl} />}
    {curl?.includes('TILLBOX_API_KEY:?') && (
      <p class="quiet soft small">
        The request used your own API key, which is hidden. Set <code>TILLBOX_API_KEY</code> first.
      </p>
    )}
  </Panel>
)

/** One request with its answer. It is over, so it does not change. Errors: SBX_REQ_NONE. */
export function requestPage(context: PagesContext, { id }: PageRequest): PageView {
  const story = requestNamed(context, id)
  return {
    title: `Request ${story.operation ?? story.path}`,
    section: 'requests',
    body: () => <RequestDetail context={context} story={story} />,
  }
}
