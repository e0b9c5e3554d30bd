import type { RequestStory } from '../../../contract/control/request-log-answers.ts'
import { requestNamed } from '../../../sandbox/request-log/request-views.ts'
import { whyRequest } from '../../../sandbox/views/why.ts'
import { shortDuration } from '../../../shared/text/duration-words.ts'
import { AnswerBadge, Fold } from '../../components/basics.tsx'
import { CopyButton, CopyText, Sentence, WholeWords } from '../../components/command.tsx'
import { formatDateTime } from '../../components/format.ts'
import { Body } from '../../components/http-message.tsx'
import { Pairs, Panel, RecordHead } from '../../components/panel.tsx'
import { defaultTimeZone, type MakePage } from '../../frame/page-view.tsx'
import { besideEachOther, Side } from '../workbench/workbench.tsx'
import { WhyFold } from './why-fold.tsx'

/** One request with its answer. */
export const requestPage: MakePage = (context, { id }) => {
  const story = requestNamed(context, id)
  const { method, url, path, fault, code, refusal, request, answer } = story
  return {
    title: `${method} ${path}, ${story.status}`,
    section: 'requests',
    body: () => (
      <div class="request wb">
        {requestHead(story, defaultTimeZone(context))}
        <div class={`mt-3 ${besideEachOther}`}>
          <Panel title="Request" name="request">
            {url.includes('?') && (
              <p class="code mb-2">
                <WholeWords text={url.slice(url.indexOf('?'))} />
              </p>
            )}
            <Side label="Body of the request" message={{ ...request, empty: withoutBody(story) }} />
            {fromShell(story)}
          </Panel>
          <Panel title="Answer" name="answer">
            {refusal !== null && <Why refusal={refusal} />}
            {fault !== null && code !== 'SBX_INJECTED' && (
              <p class="text-note text-ink-soft">Answer without the fault {fault}</p>
            )}
            <Side label="Body of the answer" message={{ ...answer, empty: bodyNotLogged }} />
            <WhyFold answer={whyRequest(context, id)} />
          </Panel>
        </div>
      </div>
    ),
  }
}

const fromShell = ({ curl, command }: RequestStory) =>
  (command !== null || curl !== null) && (
    <Fold summary="The same from a shell" look="small">
      {command !== null && <Body label="Command of tillbox" text={command} />}
      {curl !== null && <Body label="Command of curl" text={curl} />}
      {curl?.includes('TILLBOX_API_KEY:?') && (
        <p class="text-note text-ink-soft mt-1">
          The request used your own API key, which is hidden. Set <code>TILLBOX_API_KEY</code> first.
        </p>
      )}
    </Fold>
  )

function requestHead(story: RequestStory, timeZone: string) {
  const { method, path, status, durationMs, transactionId, fault, refusal, notes, curl, command } = story
  return (
    <RecordHead
      title={
        <span class="block font-mono text-[clamp(0.9375rem,3.5cqi,1.25rem)]/[1.3] font-semibold tracking-tight">
          {method}{' '}
          {path.split(/(?<=[^/]\/)/).map((piece) => (
            <span class="inline-block max-w-full">{piece}</span>
          ))}
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
        ['Transaction', transactionId && <a href={`/transactions/${transactionId}`}>{transactionId}</a>],
        ['Received, wall clock', formatDateTime(story.at, timeZone)],
        ['Repeated', repeatedText(story, timeZone)],
        ['Trace id', <CopyText text={story.traceId} />, '@sm:col-span-2'],
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
  <div class="mb-2">
    <h3 class="mb-2">Why it was refused</h3>
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
  </div>
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
