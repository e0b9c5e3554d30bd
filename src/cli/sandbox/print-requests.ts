import type { RequestTransaction } from '../../contract/sandbox/request-log-answers.ts'
import { isFinal } from '../../contract/statuses.ts'
import { amountText } from '../../presentation/money.ts'
import { renderMore, renderRequest, type ShownRequest } from '../output/request-line.ts'

/** Lines a second at most: more cannot be read, and a slow window would hold the sandbox up. */
const mostLines = 40

const mostRemembered = 1000

/** Shows a request; its transaction is read when it has a line. */
type RequestListener = (entry: ShownRequest, transaction: () => RequestTransaction | null) => void

/**
 * The lines in the window of a sandbox. Calls of the control interface are skipped, and so are look-ups, unless their
 * transaction has ended since its last line. Beyond `most` requests in a second, the rest is counted.
 */
export function requestStream(write: (line: string) => void, most = mostLines): RequestListener {
  const open = new Set<string>()
  let [written, omitted] = [0, 0]
  let counts = false
  const endInterval = () => {
    counts = false
    if (omitted > 0) write(renderMore(omitted))
    written = 0
    omitted = 0
  }
  const remember = ({ transactionId, status }: RequestTransaction) => {
    open.delete(transactionId)
    if (isFinal(status)) return
    open.add(transactionId)
    const [oldest] = open
    if (open.size > mostRemembered && oldest !== undefined) open.delete(oldest)
  }
  return (entry, transaction) => {
    if (entry.path.startsWith('/_sandbox/')) return
    if (isAcceptedLookUp(entry) && (open.size === 0 || written >= most)) return
    if (!counts) setTimeout(endInterval, 1000).unref()
    counts = true
    if (written >= most) {
      omitted += 1
      return
    }
    const shown = entry.code === '0' ? transaction() : null
    // A look-up has a line where its transaction was open at its last line, and is not any more.
    const hasEnded = shown !== null && isFinal(shown.status) && open.has(shown.transactionId)
    if (isAcceptedLookUp(entry) && !hasEnded) return
    written += 1
    if (shown !== null) remember(shown)
    write(renderRequest(entry, shown && { ...shown, amount: amountText(shown.amount, shown.currency) }))
  }
}

/** True for a look-up that was answered: they come by the dozen. */
const isAcceptedLookUp = ({ method, code }: ShownRequest): boolean => method === 'GET' && code === '0'
