import { structuredPatch } from 'diff'
import type { Child, PropsWithChildren } from 'hono/jsx'
import { shortDuration } from '../../../shared/text/duration-words.ts'
import { wallTime } from '../../../shared/timers.ts'
import { Submit } from '../../components/actions.tsx'
import { Fold } from '../../components/basics.tsx'
import { WholeWords } from '../../components/command.tsx'
import { formatDay, formatNumber, plural } from '../../components/format.ts'
import { Body, indented } from '../../components/http-message.tsx'
import { Pairs, PanelHead } from '../../components/panel.tsx'
import type { FormState } from '../../frame/page-view.tsx'
import { RefusedNotice } from '../payments/form-parts.tsx'

/** What one side sent. */
export interface Message {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  readonly empty: string
  /** True when only the beginning of the body is kept. */
  readonly cut?: boolean
}

/** A request with its answer, as one of several tries. */
export interface Try {
  /** From 1 on; a stack may lack the first ones. */
  readonly number: number
  /** Names it among the others: `Attempt 2`. */
  readonly name: string
  /** Status or code of the answer, or why there is none. */
  readonly result: string
  readonly isGood: boolean
  readonly durationMs: number
  /** When it was made, by the wall clock, in ISO 8601. */
  readonly at: string
  /** What else is to be said of it: its URL, a fault. */
  readonly note?: string
  /** What leads to it in the editor. */
  readonly edit: string
  readonly request: Message
  readonly answer: Message
}

/** Two columns; in one, the answer comes first: lines run upwards, so that the end is its top. */
export const besideEachOther = 'wb-columns flex flex-wrap-reverse items-end gap-4 *:flex-[1_1_26rem]'

/** A request in an editor, and the answers beside it. The script sends it and takes its part of the page. */
export const Workbench = ({ editor, children }: PropsWithChildren<{ readonly editor: Child }>) => (
  <div class="wb" id="wb">
    <div class={besideEachOther}>
      {editor}
      <section class="panel min-w-0" aria-labelledby="wb-tries">
        <PanelHead title="Attempts" id="wb-tries">
          <span class="text-note text-ink-soft">wall clock, UTC</span>
        </PanelHead>
        {children}
      </section>
    </div>
  </div>
)

interface EditorProps {
  readonly action: string
  readonly lead: string
  readonly form: FormState
  /** Which try the fields hold, where they are not the request as it came, and what leads back to that. */
  readonly holds?: { readonly name: string; readonly restore: string } | undefined
  readonly note: Child
}

/** The form of a request. Its fields are inside; Ctrl or ⌘ with Enter sends it. */
export const Editor = ({ action, form, holds, ...editor }: PropsWithChildren<EditorProps>) => (
  <form class="wb-editor panel grid grid-cols-1 gap-3 min-w-0" method="post" action={action} data-send-here>
    <h2 class="font-mono text-base font-semibold">
      <WholeWords text={editor.lead} />
    </h2>
    {holds !== undefined && (
      <p class="flex items-center justify-between gap-3 text-sm rounded-md px-3 min-h-control bg-warm-tint text-warm">
        <strong>{holds.name}</strong>
        <a href={holds.restore}>
          Restore<span class="sr-only"> the request as it came</span>
        </a>
      </p>
    )}
    <div class="empty:hidden" data-send-problem role="alert">
      {form.refusal !== undefined && !((form.refusal.field ?? '') in form.values) && (
        <RefusedNotice refusal={form.refusal} />
      )}
    </div>
    {editor.children}
    <div>
      <Submit look="main" id="wb-send" aria-keyshortcuts="Control+Enter Meta+Enter">
        Send as edited
        <kbd class="with-scripts ms-2 font-[inherit] text-[1em] opacity-80" data-send-keys>
          Ctrl ↵
        </kbd>
      </Submit>
    </div>
    <p class="text-note text-ink-soft">{editor.note}</p>
  </form>
)

const mostShownTries = 50

/**
 * Tries in a stack, the latest on top, each with its difference to the one before. `tries`: the oldest first.
 * `open`: index of the one that is open.
 */
export const drawTries = (tries: readonly Try[], open: number) => {
  const shown = tries.slice(-mostShownTries)
  const earlier = (shown[0]?.number ?? 1) - 1
  const now = wallTime()
  const dayOf = ({ at }: Try) => formatDay(Date.parse(at), now, 'UTC')
  return (
    <>
      <ol reversed>
        {shown.toReversed().map((each, index, all) => {
          const at = tries.indexOf(each)
          const day = dayOf(each)
          const later = all[index - 1]
          const isSaid = later !== undefined && dayOf(later) === day
          return oneTry(each, tries[at - 1], at === open, isSaid ? null : day)
        })}
      </ol>
      {earlier > 0 && <p class="text-note text-ink-soft mt-1">{formatNumber(earlier)} earlier not shown.</p>}
    </>
  )
}

/** `day`: of it and those below it; null where the one above it has the same. */
const oneTry = (made: Try, before: Try | undefined, isOpen: boolean, day: string | null) => {
  const { name, result, isGood, durationMs, at, note, edit, request, answer } = made
  return (
    <li class="wb-try border-t py-2" id={`try-${made.number}`}>
      {day !== null && <p class="text-note font-semibold text-ink-soft">{day}</p>}
      <details open={isOpen}>
        <summary class="wb-summary flex items-center flex-wrap gap-2 min-h-7">
          <strong>{name}</strong>
          <span class={`state min-w-0 tone-${isGood ? 'success' : 'fail'}`}>
            <span class="truncate">{result}</span>
          </span>
          <span class="ms-auto flex items-center gap-3 text-note text-ink-soft tabular-nums">
            {shortDuration(durationMs)}
            <time datetime={at}>{at.slice(11, 23)}</time>
          </span>
        </summary>
        {note && <p class="text-note text-ink-soft">{note}</p>}
        <div class="flex justify-between items-baseline">
          <h3 class="mt-3 mb-1 text-note">Answer</h3>
          <a class="wb-edit text-note text-ink-soft" href={edit}>
            Edit<span class="sr-only"> {name}</span>
          </a>
        </div>
        <Side label={`Body of the answer of ${name}`} message={answer} />
        <Fold summary="Request" look="small" className="fold mt-3">
          <Side label={`Body of the request of ${name}`} message={request} />
        </Fold>
        {before !== undefined && changes(before, made)}
      </details>
    </li>
  )
}

/** What differs from the attempt before; folded where a time alone does. */
const changes = (before: Try, made: Try) => {
  const results = before.result === made.result ? '' : `: ${before.result} → ${made.result}`
  const isNews = (side: 'request' | 'answer') =>
    messageLines(before[side], saysWhen).join('\n') !== messageLines(made[side], saysWhen).join('\n')
  return (
    <Fold
      summary={`Changed since ${before.name.toLowerCase()}${results}`}
      look="small"
      open={isNews('request') || isNews('answer')}
    >
      {textDiff(messageLines(before.request), messageLines(made.request), 'The same request.')}
      {textDiff(messageLines(before.answer), messageLines(made.answer), 'The same answer.')}
    </Fold>
  )
}

/** Headers that only say when it was, or are of the connection. */
const changesAlways = /^(date|connection|keep-alive|content-length|transfer-encoding)$/i

/** Those, and the time of a webhook with the signature that covers it. */
const saysWhen = /^(date|connection|keep-alive|content-length|transfer-encoding|x-timestamp|webhook-.*)$/i

const messageLines = ({ headers, body }: Message, without = changesAlways): string[] => [
  ...headers.filter(([name]) => !without.test(name)).map(([name, value]) => `${name}: ${value}`),
  ...(body === '' ? [] : indented(body).split('\n')),
]

/** Headers, which fold, and the body. */
export const Side = ({ label, message }: { readonly label: string; readonly message: Message }) => {
  const { headers, body, empty, cut } = message
  return (
    <>
      {headers.length > 0 && (
        <Fold summary={plural(headers.length, 'header')} look="small">
          <Pairs kind="members" pairs={headers} />
        </Fold>
      )}
      {body === '' ? (
        <p class="quiet text-note text-ink-soft">{empty}</p>
      ) : (
        <Body label={label} text={body} />
      )}
      {cut && <p class="quiet text-note text-ink-soft">Truncated: the log keeps only the beginning.</p>}
    </>
  )
}

/** How a line of a patch begins, the class of what is drawn, and what a reader hears. */
const diffSides = {
  ' ': ['', ''],
  '-': ['diff-before bg-bad-tint text-bad', 'Removed: '],
  '+': ['diff-after bg-good-tint text-good', 'Added: '],
} as const

/** Most changed lines that are looked for; with more, two messages are shown as different. */
const mostChanges = 1_000

/** Changed lines with those around them. `same`: text when no line is changed. */
function textDiff(before: readonly string[], now: readonly string[], same: string) {
  const joinLines = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
  const options = { context: 1, maxEditLength: mostChanges }
  const patch = structuredPatch('', '', joinLines(before), joinLines(now), '', '', options)
  if (patch === undefined) return <p class="quiet text-note text-ink-soft">Nearly every line differs.</p>
  if (patch.hunks.length === 0) return <p class="quiet text-note text-ink-soft">{same}</p>
  const ends = patch.hunks.map(({ oldStart, oldLines }) => oldStart + oldLines)
  return (
    <ol class="diff bg-sunken border rounded-md">
      {patch.hunks.map(({ oldStart, lines }, index) => (
        <>
          {gap(oldStart - (ends[index - 1] ?? 1))}
          {lines.map((line) => {
            const [side, heard] = diffSides[line[0] as keyof typeof diffSides]
            return (
              <li class={side} data-sign={line[0]?.replace('-', '−')}>
                {heard !== '' && <span class="sr-only">{heard}</span>}
                {line.slice(1)}
              </li>
            )
          })}
        </>
      ))}
      {gap(before.length + 1 - (ends.at(-1) ?? 1))}
    </ol>
  )
}

const gap = (lines: number) =>
  lines > 0 && <li class="font-sans text-ink-soft">{plural(lines, 'line')} not changed</li>
