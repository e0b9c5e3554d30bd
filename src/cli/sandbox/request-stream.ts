import { viewOf } from '../../client/record.ts'
import { formatAmount } from '../../contract/currencies.ts'
import type { Story } from '../../contract/sandbox/answers.ts'
import { isFinal, type Status } from '../../contract/statuses.ts'
import { type RequestOutcome, renderRequest, type ShownRequest } from '../output/request-line.ts'

/** Requests that wait for their outcome, at most; those beyond are shown without one. */
const mostWaiting = 50

/** Transactions whose last outcome is remembered. */
const mostRemembered = 1000

/** A request with what tells its transaction. */
interface StreamedRequest extends ShownRequest {
  readonly traceId: string
  /** Path and query. */
  readonly target: string
}

/** What the sandbox tells. Errors: where it cannot be asked any more. */
interface TransactionSource {
  /** The transaction that a request is about. */
  readonly transactionOf: (traceId: string) => Promise<string | null>
  readonly storyOf: (transactionId: string) => Promise<Story>
}

/**
 * The lines of the window in which a sandbox runs, in the order of their requests. Calls of the control interface are left
 * out, and so is a look-up, unless its transaction has ended since its last line.
 */
export function requestStream(
  write: (line: string) => void,
  source: TransactionSource,
): (entry: StreamedRequest) => void {
  const seen = new Map<string, Status>()
  let waiting = 0
  let last = Promise.resolve()
  const isFolded = (entry: StreamedRequest) => isLookUp(entry) && !isOpen(seen.get(askedFor(entry) ?? ''))
  const tell = async (entry: StreamedRequest) => {
    if (isFolded(entry)) return // another look-up was first
    const id = await transactionFor(entry, source).catch(() => null) // a line without it says what is known
    const outcome = id === null ? undefined : await outcomeOf(id, source).catch(() => undefined)
    if (isLookUp(entry) && (outcome === undefined || !isFinal(outcome.status))) return
    if (id !== null && outcome !== undefined) remember(seen, id, outcome.status)
    write(renderRequest(entry, outcome))
  }
  return (entry) => {
    if (entry.path.startsWith('/_sandbox/')) return
    if (waiting >= mostWaiting) return isLookUp(entry) ? undefined : write(renderRequest(entry))
    waiting += 1
    last = last
      .then(() => tell(entry))
      .finally(() => {
        waiting -= 1
      })
  }
}

/** True for a look-up that was answered: they come by the dozen. */
const isLookUp = ({ method, code }: StreamedRequest): boolean => method === 'GET' && code === '0'

const isOpen = (status: Status | undefined): boolean => status !== undefined && !isFinal(status)

/** The transaction that a look-up names; undefined for one that names it otherwise. */
const askedFor = ({ target }: StreamedRequest): string | undefined =>
  /[?&]transactionId=(\d+)/.exec(target)?.[1]

async function transactionFor(entry: StreamedRequest, source: TransactionSource): Promise<string | null> {
  if (entry.code !== '0' || entry.operation == null) return null
  return isLookUp(entry) ? (askedFor(entry) ?? null) : source.transactionOf(entry.traceId)
}

async function outcomeOf(id: string, { storyOf }: TransactionSource): Promise<RequestOutcome> {
  const { record, status, waitsFor } = await storyOf(id)
  const { transactionAmount, currency, resultCode, resultMessage } = viewOf(record)
  const result = status === 'FAIL' ? [resultCode, resultMessage].filter(Boolean).join(' ') : ''
  return {
    amount: `${formatAmount(transactionAmount, currency)} ${currency}`,
    status,
    why: isFinal(status) ? result : (waitsFor ?? ''),
  }
}

function remember(seen: Map<string, Status>, id: string, status: Status): void {
  seen.delete(id)
  seen.set(id, status)
  const [oldest] = seen.keys()
  if (seen.size > mostRemembered && oldest !== undefined) seen.delete(oldest)
}
