import type { AttemptView, WebhookStory } from '../../../contract/sandbox/webhooks.ts'
import { safeHeaders } from '../../../http/hide-addresses.ts'
import { shortDuration } from '../../../text/duration-words.ts'
import { Fold } from '../../components/basics.tsx'
import { plural } from '../../components/format.ts'
import { Body, Headers } from '../../components/http-message.tsx'

/**
 * Index of the attempt that is shown in full, over the attempts of all deliveries; `wanted` counts from 1. The last
 * one of the first delivery when nothing fits; undefined without any.
 */
export function selectedOf(deliveries: WebhookStory['deliveries'], wanted: string): number | undefined {
  const count = deliveries.reduce((sum, { tries }) => sum + tries.length, 0)
  const index = Number(wanted) - 1
  if (Number.isInteger(index) && index >= 0 && index < count) return index
  const tried = deliveries.find(({ tries }) => tries.length > 0)
  if (tried === undefined) return undefined
  return tried.tries.length - 1
}

interface AttemptListProps {
  readonly tries: readonly AttemptView[]
  /** Attempts of the deliveries before it. */
  readonly first: number
  /** Attempts that were made and are not kept: the others count on from them. */
  readonly missing: number
  readonly selected: number | undefined
  readonly path: string
}

/** The attempts of a delivery, the last one first, each with its status, how long it took, and the time since the one before. */
export const AttemptList = ({ tries, first, missing, selected, path }: AttemptListProps) => (
  <ol class="attempt-list" reversed start={missing + tries.length}>
    {tries
      .map((attempt, index) => (
        <li>
          <a
            id={`attempt-${first + index + 1}`}
            href={`${path}?attempt=${first + index + 1}`}
            aria-current={first + index === selected ? 'true' : undefined}
          >
            <span class={`state tone-${attempt.status === 200 ? 'success' : 'fail'}`}>
              <span class="cut">
                Attempt {missing + index + 1}: {resultOf(attempt)}
              </span>
            </span>
            <span class="under block">
              {shortDuration(attempt.durationMs)}
              {index > 0 && `, ${sinceBefore(attempt, tries[index - 1])} later`}
            </span>
          </a>
        </li>
      ))
      .reverse()}
  </ol>
)

const resultOf = ({ status, error }: AttemptView): string => String(status ?? error ?? 'no answer')

/** Time since the attempt before, by the wall clock: `+1.2 s`. */
const sinceBefore = (attempt: AttemptView, before: AttemptView | undefined): string =>
  shortDuration(Math.max(0, Date.parse(attempt.at) - Date.parse(before?.at ?? attempt.at)))

interface AttemptDetailProps {
  readonly tries: readonly AttemptView[]
  readonly missing: number
  /** Which of them, from 0. */
  readonly index: number
}

/** One attempt in full; headers that equal those of the previous attempt are folded. */
export const AttemptDetail = ({ tries, missing, index }: AttemptDetailProps) => {
  const attempt = tries[index]
  if (attempt === undefined) return null
  const before = tries[index - 1]
  const { at, status, error, fault, requestBody, responseBody } = attempt
  const name = `attempt ${missing + index + 1}`
  return (
    <section class="attempt-detail shrinks" aria-label={name}>
      <p class="under block">
        {at.slice(0, 23).replace('T', ' ')} UTC, wall clock
        {fault !== null && fault !== '' && `, fault: ${fault}`}
      </p>
      <div class="exchange stack gap-4 above-3 one-column">
        <div>
          <h3>Request</h3>
          <ChangedHeaders now={attempt.requestHeaders} before={before?.requestHeaders} />
          <ChangedBody
            label={`Body of the request of ${name}`}
            now={requestBody}
            before={before?.requestBody}
          />
        </div>
        <div>
          <h3>Response</h3>
          {status === null ? (
            <p class="quiet soft small">{error ?? 'No answer.'}</p>
          ) : (
            <>
              <ChangedHeaders now={attempt.responseHeaders} before={before?.responseHeaders} />
              {responseBody !== '' && (
                <ChangedBody
                  label={`Body of the response of ${name}`}
                  now={responseBody}
                  before={before?.responseBody}
                />
              )}
            </>
          )}
        </div>
      </div>
    </section>
  )
}

type HeadersByName = Readonly<Record<string, string>>

/** Headers that differ from the previous attempt; the others are folded. */
const ChangedHeaders = ({
  now,
  before,
}: {
  readonly now: HeadersByName
  readonly before: HeadersByName | undefined
}) => {
  const shown = safeHeaders(now)
  const isSame = ([name]: readonly [string, string]) => before?.[name] === now[name]
  const same = before === undefined ? [] : shown.filter(isSame)
  return (
    <>
      <Headers headers={shown.filter((each) => !same.includes(each))} />
      {same.length > 0 && (
        <Fold summary={`${plural(same.length, 'header')} as in the attempt before`}>
          <Headers headers={same} />
        </Fold>
      )}
    </>
  )
}

interface ChangedBodyProps {
  readonly label: string
  readonly now: string
  readonly before: string | undefined
}

/** A body; one that is that of the attempt before folds away. */
const ChangedBody = ({ label, now, before }: ChangedBodyProps) =>
  now === before ? (
    <Fold summary="Body as in the attempt before" open>
      <Body label={label} text={now} />
    </Fold>
  ) : (
    <Body label={label} text={now} />
  )
