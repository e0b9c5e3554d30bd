import { reject } from '../../../contract/errors.ts'
import { sandboxHeaders } from '../../../contract/headers.ts'
import type { OperationName } from '../../../contract/operations.ts'
import type { RequestStory } from '../../../contract/sandbox/request-log-answers.ts'
import { baseUrlOf, idInPath } from '../../../http/call.ts'
import { requestNamed } from '../../../request-log/request-views.ts'
import { shortDuration } from '../../../text/duration-words.ts'
import { Select } from '../../components/actions.tsx'
import { AnswerBadge, Fold } from '../../components/basics.tsx'
import { CopyButton, CopyText, Sentence, WholeWords } from '../../components/command.tsx'
import { formatDateTime, formatTime } from '../../components/format.ts'
import { Body, indented } from '../../components/http-message.tsx'
import { Pairs, RecordHead } from '../../components/panel.tsx'
import {
  defaultTimeZone,
  type FormState,
  type MakePage,
  type PageAction,
  type PagesContext,
  type Values,
} from '../../frame/page-view.tsx'
import { readFields } from '../../serving/form-fields.ts'
import { formFields, newTransactionRequestId, outcomeOptions } from '../payments/form-parts.tsx'
import { drawTries, Editor, Side, type Try, Workbench } from '../workbench/workbench.tsx'

/** One request with its answer, and what was sent from here, in a stack beside the editor. Errors: SBX_REQ_NONE. */
export const requestPage: MakePage = (context, { id, query: { attempt } }) => {
  const story = requestNamed(context, id)
  const again = context.tries.requests.of(id).filter((each) => context.log.find(each))
  const stories = [story, ...again.map((each) => requestNamed(context, each))]
  const asked = Number(attempt) - 1
  const open = stories[asked] === undefined ? stories.length - 1 : asked
  const form = { values: requestDraft(stories[open] ?? story) }
  return {
    title: `${story.method} ${story.path}, ${story.status}`,
    section: 'requests',
    body: () => (
      <div class="request">
        {requestHead(story, defaultTimeZone(context))}
        <Workbench editor={requestEditor(context, story, form, open)}>
          {drawTries(stories.map(requestTry(context, story)), open)}
        </Workbench>
      </div>
    ),
  }
}

/** One try: the first one is the request of the page. */
const requestTry =
  (context: PagesContext, first: RequestStory) =>
  (story: RequestStory, at: number): Try => {
    const { status, code, refusal, durationMs, fault, request, answer } = story
    return {
      number: at + 1,
      name: at === 0 ? 'Try 1, as it came' : `Try ${at + 1}`,
      result: refusal === null ? `${status} accepted` : `${status} ${code}`,
      isGood: refusal === null,
      durationMs,
      time: formatTime(story.at, context.clock.wall(), defaultTimeZone(context)),
      note: fault === null || code === 'SBX_INJECTED' ? '' : `Answer without the fault ${fault}`,
      why: refusal !== null && <Why refusal={refusal} />,
      ...(sendableAs(story) !== null && { edit: `/requests/${first.traceId}?attempt=${at + 1}` }),
      request: {
        ...request,
        compared: request.headers.filter(([header]) => isOutcomeHeader(header)),
        empty: withoutBody(story),
      },
      answer: { ...answer, empty: bodyNotLogged },
    }
  }

/** The operation of a request that the log holds completely; null for one that cannot be sent again. */
const sendableAs = ({ operation, curl }: RequestStory): OperationName | null =>
  curl === null ? null : (operation as OperationName | null)

function requestDraft({ url, request }: RequestStory): Values {
  const query = new URL(url || '/', 'http://sandbox').searchParams
  const isQuery = request.body === '' && query.size > 0
  return {
    body: isQuery ? JSON.stringify(Object.fromEntries(query), null, 2) : indented(request.body),
    outcome: request.headers.find(([name]) => isOutcomeHeader(name))?.[1] ?? '',
    ids: 'new',
  }
}

const isOutcomeHeader = (name: string): boolean => name.toLowerCase() === sandboxHeaders.outcome.toLowerCase()

const requestEditor = (context: PagesContext, story: RequestStory, form: FormState, open: number) => {
  const { method, url, path, traceId, curl, command } = story
  const lead = `${method} ${url || path}`
  const same = (command !== null || curl !== null) && (
    <Fold summary="The same from a shell">
      {command !== null && <Body label="Command of tillbox" text={command} />}
      {curl !== null && <Body label="Command of curl" text={curl} />}
      {curl?.includes('TILLBOX_API_KEY:?') && (
        <p class="note above-1">
          The request used your own API key, which is hidden. Set <code>TILLBOX_API_KEY</code> first.
        </p>
      )}
    </Fold>
  )
  if (sendableAs(story) === null)
    return (
      <section class="panel shrinks">
        <h2 class="code bold">{lead}</h2>
        <p class="quiet soft small">
          {story.operation === null
            ? 'Only a request of the payment API can be sent again here.'
            : 'The log does not hold the complete request, so it cannot be sent again.'}
        </p>
        <Side label="Body of the request" message={{ ...story.request, empty: withoutBody(story) }} />
        {same}
      </section>
    )
  const { body = '', ids, outcome } = form.values
  const rows = Math.min(14, body.split('\n').length)
  const hasId = body.includes('"transactionRequestId"')
  return (
    <Editor
      action={`/requests/${traceId}`}
      lead={lead}
      form={form}
      holds={open === 0 ? undefined : { name: `Try ${open + 1}`, restore: `/requests/${traceId}?attempt=1` }}
      note="Sent without API key check and injected faults, as all that these pages send; the log lists each try."
    >
      {formFields(form, [{ name: 'body', label: method === 'GET' ? 'Query, as JSON' : 'Body', rows }])}
      <div class="row wrap gap-3">
        {hasId && (
          <label class="row gap-2 small">
            <input
              type="checkbox"
              id="ids"
              name="ids"
              value="new"
              checked={ids === 'new'}
              autocomplete="off"
            />
            New transaction request id
          </label>
        )}
        {context.options.extras && (
          <label class="row gap-2 small">
            Outcome
            <Select
              id="outcome"
              name="outcome"
              options={outcomeOptions(context)}
              chosen={outcome || undefined}
            />
          </label>
        )}
      </div>
      {same}
    </Editor>
  )
}

/** Sends the request as it was typed; the page of the request then has its answer. Errors: SBX_REQ_NONE, SBX_CARD_DATA, SBX_TOO_LARGE. */
export const sendRequest: PageAction = async (context, call) => {
  const story = requestNamed(context, idInPath(call))
  const { traceId } = story
  const operation =
    sendableAs(story) ??
    reject('SBX_REQ_NONE', { field: 'traceId', detail: `request ${traceId} cannot be sent again` })
  const { body = '', outcome = '', ids } = await readFields(call, ['body', 'outcome', 'ids'])
  const sent = await context.handleTypedRequest({
    operation,
    outcome: outcome || null,
    baseUrl: baseUrlOf(call),
    body: ids === 'new' ? withNewId(body) : body,
  })
  context.tries.requests.add(traceId, sent)
  return `/requests/${traceId}`
}

/** The body with a new transaction request id: with the old one it would be a duplicate. */
const withNewId = (body: string): string =>
  body.replace(/("transactionRequestId"\s*:\s*)"[^"\\]*"/, `$1"${newTransactionRequestId()}"`)

function requestHead(story: RequestStory, timeZone: string) {
  const { method, path, status, durationMs, transactionId, fault, refusal, notes, curl, command } = story
  return (
    <RecordHead
      title={
        <span class="wb-title">
          <WholeWords text={`${method} ${path}`} />
        </span>
      }
      state={
        <>
          <AnswerBadge request={story} />
          <span>
            {status} in {shortDuration(durationMs)}
          </span>
        </>
      }
      facts={[
        ['Operation', story.operation],
        ['Transaction', transactionId && <a href={`/transactions/${transactionId}`}>{transactionId}</a>],
        ['Received, wall clock', formatDateTime(story.at, timeZone)],
        ['Repeated', repeatedText(story, timeZone)],
        ['Trace id', <CopyText text={story.traceId} />, 'wide-fact'],
        ['Injected fault', fault && <span class="code">{fault}</span>],
        ['Notes', refusal === null && notes.length > 0 ? <Sentence text={notes.join('; ')} /> : null],
      ]}
    >
      {curl !== null && <CopyButton text={curl}>Copy as curl</CopyButton>}
      {command !== null && <CopyButton text={command}>Copy as tillbox command</CopyButton>}
    </RecordHead>
  )
}

/** How many equal look-ups followed, and when the last of them came; null for none. */
function repeatedText({ times, at, lastAt }: RequestStory, timeZone: string): string | null {
  if (times === 1) return null
  const more = times === 2 ? 'once' : `${times - 1} times`
  return `${more} more, until ${formatDateTime(lastAt ?? at, timeZone)}`
}

const Why = ({ refusal }: { readonly refusal: NonNullable<RequestStory['refusal']> }) => (
  <>
    <h3>Why it was refused</h3>
    <Pairs
      kind="reasons"
      pairs={[
        ['Reason', refusal.message],
        ['Field', refusal.field],
        ['Detail', refusal.detail],
        ['What to do', <Sentence text={refusal.remedy} />],
        ...refusal.others.map(
          ({ message, field, detail, remedy }) =>
            [
              'Also wrong',
              <Sentence text={[field, detail ?? message, remedy].filter(Boolean).join(': ')} />,
            ] as const,
        ),
      ]}
    />
  </>
)

/** Of pages, and where it held card data. */
const bodyNotLogged = 'The log does not keep this body.'

function withoutBody({ url, refusal, request }: RequestStory): string {
  if (url === '') return bodyNotLogged
  const length = request.headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? '0'
  return refusal !== null && length !== '0'
    ? 'The body was not read: the request was refused first.'
    : 'The request had no body.'
}
