import type { RequestSummary } from '../../contract/sandbox/request-log-answers.ts'
import type { DeliveryState } from '../../contract/sandbox/webhooks.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import { capitalize } from '../../text/capitalize.ts'
import { statusGroupOf } from '../../views/statistics/contribution.ts'
import { statusInWords } from '../../views/status-in-words.ts'

/** Status of a transaction, as a dot and words; the title has the status on the wire. */
export const StatusBadge = ({ transaction }: { readonly transaction: Transaction }) => (
  <span class={`state tone-${statusGroupOf(transaction.status)}`} title={transaction.status}>
    {statusInWords(transaction)}
  </span>
)

const stateTones = { delivered: 'success', failed: 'fail', pending: 'open' } as const

/** The state of a delivery as a dot and a word. */
export const DeliveryBadge = ({ state, held }: { readonly state: DeliveryState; readonly held: boolean }) => (
  <span class={`state tone-${stateTones[state]}`}>{held ? 'Held' : capitalize(state)}</span>
)

/** How a request was answered, as a dot and a word; of a refused one its code, which may break between its parts. */
export const AnswerBadge = ({ request: { refusal, code } }: { readonly request: RequestSummary }) => (
  <span class={`state tone-${refusal === null ? 'success' : 'fail'}`}>
    {refusal === null ? 'Accepted' : <span>{code.split(/(?<=_)/).map((part) => [part, <wbr />])}</span>}
  </span>
)
