import type { RequestSummary } from '../../../contract/sandbox/request-log-answers.ts'
import { secretHiderOf } from '../../../request-log/hide-secrets.ts'
import { summaryOf } from '../../../request-log/request-views.ts'
import { shortDuration } from '../../../text/duration-words.ts'
import { AnswerBadge } from '../../components/basics.tsx'
import { formatTime } from '../../components/format.ts'
import { Table } from '../../components/panel.tsx'
import { defaultTimeZone, type PagesContext } from '../../frame/page-view.tsx'
import type { RequestRow } from './request-search.ts'

interface RequestTableProps {
  readonly context: PagesContext
  readonly rows: readonly RequestRow[]
  /** The trace id of the request that is shown beside the list; empty for none. */
  readonly chosen?: string
  /** Address of a request. */
  readonly to: (traceId: string) => string
}

/** Requests, a line each. Their times are of the wall clock, in the time zone of the first merchant. */
export const RequestTable = ({ context, rows, chosen, to }: RequestTableProps) => {
  const hide = secretHiderOf(context)
  const timeZone = defaultTimeZone(context) // the log runs by the wall clock, and belongs to no merchant
  const now = context.clock.wall()
  return (
    <Table
      kind="table dense"
      caption="Requests, newest first"
      heads={[
        'Request',
        'Answer',
        ['Result', 'from-wide'],
        ['Transaction', 'from-medium'],
        ['Took', 'from-small figure'],
        ['Wall clock', 'figure'],
      ]}
    >
      {rows.map(({ entry, times, since, until }) => {
        const request = summaryOf(context, entry, hide)
        const { method, path, operation, traceId, transactionId } = request
        const time = (at: number) => formatTime(at, now, timeZone)
        return (
          <tr class={traceId === chosen ? 'row-chosen' : undefined}>
            <th scope="row" title={`${method} ${path}`}>
              <a
                id={`row-${traceId}`}
                class={operation === null ? 'row-link code' : 'row-link'}
                href={to(traceId)}
                aria-current={traceId === chosen ? 'true' : undefined}
              >
                {operation ?? `${method} ${path}`}
              </a>
              {times > 1 && (
                <span
                  class="times soft tabular"
                  title={`${times} look-ups, ${time(since)} to ${time(until)}`}
                >
                  {` ×${times}`}
                </span>
              )}
            </th>
            <td>
              <AnswerBadge request={request} />{' '}
              <span class="under-status soft tabular">{request.status}</span>
            </td>
            <td class="from-wide why">{resultInShort(request)}</td>
            <td class="from-medium code">
              {transactionId !== null && (
                <a class="over-row" href={`/transactions/${transactionId}`}>
                  {transactionId}
                </a>
              )}
            </td>
            <td class="from-small figure time">{shortDuration(request.durationMs)}</td>
            <td class="figure time">{time(until)}</td>
          </tr>
        )
      })}
    </Table>
  )
}

/** The injected fault, and the reason of a refusal; for an accepted request its note. */
function resultInShort({ refusal, fault, notes }: RequestSummary): string {
  const exact = refusal && [refusal.field, refusal.detail].filter((each) => each !== null).join(': ')
  return [fault && `injected fault: ${fault}`, refusal === null ? notes.join('; ') : exact || refusal.message]
    .filter(Boolean)
    .join(', ')
}
