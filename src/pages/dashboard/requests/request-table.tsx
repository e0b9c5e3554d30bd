import type { RequestSummary } from '../../../contract/sandbox/request-log-answers.ts'
import { amountOf } from '../../../domain/model/transaction.ts'
import { secretHiderOf } from '../../../request-log/hide-secrets.ts'
import { summaryOf } from '../../../request-log/request-views.ts'
import { shortDuration } from '../../../text/duration-words.ts'
import { AnswerBadge } from '../../components/basics.tsx'
import { formatTime } from '../../components/format.ts'
import { defaultTimeZone, type PagesContext } from '../../frame/page-view.tsx'
import { type Column, type RowLink, Sum, TransactionLink } from '../lists/list-table.tsx'
import type { RequestRow } from './request-search.ts'

/** A row of the log, with its request as it is shown. */
interface ShownRequest extends RequestRow {
  readonly request: RequestSummary
}

/** The rows as they are shown: without secrets. */
export function shownRequests(context: PagesContext, rows: readonly RequestRow[]): readonly ShownRequest[] {
  const hide = secretHiderOf(context)
  return rows.map((row) => ({ ...row, request: summaryOf(context, row.entry, hide) }))
}

/** A request leads to its page. */
export const requestLink = ({ request: { traceId } }: ShownRequest): RowLink => ({
  id: `row-${traceId}`,
  href: `/requests/${traceId}`,
})

/** The columns of requests. Times are of the wall clock: the log belongs to no merchant, so in the first one's time zone. */
export function requestColumns(context: PagesContext): readonly Column<ShownRequest>[] {
  const now = context.clock.wall()
  const amountIn = ({ request: { refusal, transactionId } }: ShownRequest) => {
    const found = refusal === null && context.statistics.current.find(transactionId ?? '')?.transaction
    return found && <Sum amount={amountOf(found)} currency={found.currency} />
  }
  const time = (at: number) => formatTime(at, now, defaultTimeZone(context))
  return [
    {
      head: 'Request',
      look: 'w-11',
      title: ({ request }) => pathOf(request),
      cell: ({ request, times, since, until }) => (
        <>
          {request.operation ?? <span class="code">{pathOf(request)}</span>}
          {times > 1 && (
            <span class="times soft light" title={`${times} look-ups, ${time(since)} to ${time(until)}`}>
              {` ×${times}`}
            </span>
          )}
        </>
      ),
      isName: true,
    },
    { head: 'Answer', look: 'w-11', cell: ({ request }) => <AnswerBadge request={request} /> },
    { head: 'Amount', look: 'w-8 sum from-medium figure', cell: amountIn, isUnder: true },
    { head: 'HTTP', look: 'w-5 from-wide figure soft', cell: ({ request }) => request.status },
    {
      head: 'Result',
      look: 'from-medium',
      title: ({ request }) => resultInShort(request),
      cell: ({ request }) => resultInShort(request) || <span class="code soft">{pathOf(request)}</span>,
    },
    {
      head: 'Transaction',
      look: 'w-10 from-wide code',
      cell: ({ request: { transactionId } }) =>
        transactionId !== null && <TransactionLink id={transactionId} />,
    },
    {
      head: 'Took',
      look: 'w-5 from-wide figure soft',
      cell: ({ request }) => shortDuration(request.durationMs),
    },
    {
      head: 'Wall clock',
      look: 'w-7 from-small figure soft',
      cell: ({ until }) => time(until),
      isUnder: true,
    },
  ]
}

const pathOf = ({ method, path }: RequestSummary): string => `${method} ${path}`

/** The injected fault, and the reason of a refusal; for an accepted request its note. */
function resultInShort({ refusal, fault, notes }: RequestSummary): string {
  const exact = refusal && [refusal.field, refusal.detail].filter((each) => each !== null).join(': ')
  return [fault && `injected fault: ${fault}`, refusal === null ? notes.join('; ') : exact || refusal.message]
    .filter(Boolean)
    .join(', ')
}
