import { type RecordView, recordView } from '../../client/record-view.ts'
import { asText } from '../../client/tolerant.ts'
import type { Story } from '../../contract/control/control-answers.ts'
import { formatAmount } from '../../contract/currencies.ts'
import { amountText } from '../../contract/presentation/money.ts'
import { stateInWords, typeInWords } from '../../contract/presentation/status.ts'
import { closedBecause } from '../../contract/presentation/why-status.ts'
import type { TransactionRecord } from '../../contract/records.ts'
import { parseStatus, statusLetters } from '../../contract/statuses.ts'
import { clean, cleaned } from './clean.ts'
import { timeText } from './render-time.ts'
import { pairs } from './table.ts'
import { paintStatus, theme } from './theme.ts'

/** A transaction as a card of a few lines; `rawStory`: its story, if a sandbox has it. */
export function renderRecord(record: TransactionRecord, rawStory?: Story): string {
  const [view, story] = [recordView(cleaned(record)), cleaned(rawStory)]
  const { status } = view
  const facts = { ...story, isOnline: typeof story?.sessionId === 'string' }
  const state = status === undefined ? 'unknown status' : stateInWords({ ...view, ...facts, status })
  const amount = amountText(view.transactionAmount, view.currency)
  const title = `${paintStatus(view, state)}  ${theme.strong(typeInWords(view.type))}  ${theme.strong(amount)}${parts(view)}`
  const rows = [
    ['transaction', theme.link(view.transactionId)],
    ['in the API', status && `${status} (${statusLetters[status]})`],
    ['request', view.transactionRequestId],
    ['order', view.referenceOrderId],
    ['why', story && closedBecause(story)],
    ['waits for', story && waitingText(story)],
    [
      'original',
      story?.originalTransactionId ?? (story?.record.transactionType === 'REFUND' ? 'not linked' : undefined),
    ],
    ['result', [view.resultCode, view.resultMessage].filter(Boolean).join(' ')],
    ['card', [view.card, view.entry && theme.faint(`(${view.entry})`)].filter(Boolean).join(' ')],
    [
      'outcome',
      story && story.rule !== null && story.status !== 'CLOSED'
        ? `${story.outcome} ${theme.faint(`(rule: ${story.rule})`)}`
        : undefined,
    ],
    ['later', story && followUpText(story, view)],
    ['auth code', view.authCode],
    ['terminal', view.terminalSn],
    ['batch', view.batchNo],
    [
      story?.expired ? 'expired' : 'capture by',
      story?.capturableUntil && `${timeText(story.capturableUntil, story.timeZone)} (sandbox clock)`,
    ],
    ['created', timeText(view.createTime ?? '', story?.timeZone)],
    ['completed', timeText(view.completeTime ?? '', story?.timeZone)],
  ] as const
  return `${title}\n${pairs(rows)}\n`
}

const waitingText = ({ waitsFor, expiresAt, timeZone }: Story): string | undefined =>
  waitsFor === null
    ? undefined
    : `${waitsFor}${expiresAt === null ? '' : `; expires ${timeText(expiresAt, timeZone)} (sandbox clock)`}`

function followUpText({ refundedAmount, authorisedAmount, tree }: Story, view: RecordView): string {
  const show = (amount: number) => amountText(amount, view.currency)
  const toRefund = refundedAmount > 0 ? `${show(view.transactionAmount - refundedAmount)} left to refund` : ''
  const raised =
    (authorisedAmount ?? 0) > view.orderAmount ? `${show(authorisedAmount ?? 0)} authorised in all` : ''
  const children = tree.followUps.map(({ transactionId: id, status }) =>
    status === 'SUCCESS' ? id : `${id} (${stateInWords({ status })})`,
  )
  const by = children.length > 0 ? `followed by ${children.join(', ')}` : ''
  return [toRefund, raised, by].filter(Boolean).join(', ')
}

/** The parts of the amount, if there is more than the order. */
function parts(view: RecordView): string {
  const names = ['tip', 'tax', 'surcharge', 'cashback'] as const
  const all = names
    .filter((name) => view[`${name}Amount`] > 0)
    .map((name) => `${name} ${formatAmount(view[`${name}Amount`], view.currency)}`)
  return all.length === 0
    ? ''
    : `  (order ${formatAmount(view.orderAmount, view.currency)}, ${all.join(', ')})`
}

/** Members that the card of a transaction has, by the names that it gives them. */
const names: Readonly<Record<string, string>> = {
  transactionId: 'transaction',
  transactionRequestId: 'request',
  referenceOrderId: 'order',
  originalTransactionId: 'original',
  transactionStatus: 'status',
}

/** Names and values of an answer that is not a record. */
export function renderAnswer(title: string, data: object): string {
  const rows = Object.entries(data).map(([name, value]) => {
    const status = name === 'transactionStatus' ? parseStatus(asText(value) ?? '') : undefined
    const text =
      status === undefined
        ? clean(asText(value) ?? JSON.stringify(value))
        : paintStatus({ status }, stateInWords({ status }))
    return [names[name] ?? clean(name), text] as const
  })
  return `${title}\n${pairs(rows)}\n`
}
