import type { RequestTransaction } from '../../contract/control/request-log-answers.ts'
import { amountText } from '../../contract/presentation/money.ts'
import { isFinal } from '../../contract/statuses.ts'
import { renderRequest, type ShownRequest } from '../output/request-line.ts'

const mostRemembered = 1000

/** Shows a request; its transaction is read when it has a line. */
type RequestListener = (entry: ShownRequest, transaction: () => RequestTransaction | null) => void

/**
 * The lines in the window of a sandbox. Calls of the control interface are skipped, and so are look-ups,
 * unless their transaction has ended since its last line.
 */
export function requestStream(write: (line: string) => void): RequestListener {
  const open = new Set<string>()
  const remember = ({ transactionId, status }: RequestTransaction) => {
    open.delete(transactionId)
    if (isFinal(status)) return
    open.add(transactionId)
    const [oldest] = open
    if (open.size > mostRemembered && oldest !== undefined) open.delete(oldest)
  }
  return (entry, transaction) => {
    if (entry.path.startsWith('/_sandbox/')) return
    if (isAcceptedLookUp(entry) && open.size === 0) return
    const shown = entry.code === '0' ? transaction() : null
    // A look-up has a line where its transaction was open at its last line, and is not any more.
    const hasEnded = shown !== null && isFinal(shown.status) && open.has(shown.transactionId)
    if (isAcceptedLookUp(entry) && !hasEnded) return
    if (shown !== null) remember(shown)
    write(renderRequest(entry, shown && { ...shown, amount: amountText(shown.amount, shown.currency) }))
  }
}

/** True for a look-up that was answered: they come by the dozen. */
const isAcceptedLookUp = ({ method, code }: ShownRequest): boolean => method === 'GET' && code === '0'
