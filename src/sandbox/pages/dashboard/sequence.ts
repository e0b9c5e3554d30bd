import { formatAmount } from '../../../api/currencies.ts'
import { momentsOf } from '../../../domain/timeline.ts'
import { amountOf, type Transaction } from '../../../domain/transaction.ts'
import type { CountedDelivery } from '../../statistics/deliveries.ts'
import type { LoggedAttempt } from '../../webhooks/attempt-log.ts'
import { notificationId } from '../../webhooks/notification.ts'
import { shortTime, typeNames } from './texts.ts'

/** Who takes part; the shopper stands in for the terminal online. */
export type Lane = 'client' | 'service' | 'terminal' | 'host' | 'receiver'

/** One line of the diagram: from one to another, or at one alone. */
export interface Step {
  /** Sandbox time in milliseconds. */
  readonly at: number
  readonly from: Lane
  readonly to: Lane
  readonly what: string
  readonly detail: string | null
  readonly tone: 'plain' | 'success' | 'fail'
  /** Where more is to be seen. */
  readonly link?: string
}

type Telling = Omit<Step, 'at' | 'tone' | 'detail'> & Partial<Pick<Step, 'tone' | 'detail'>>

/** Why an outcome was what it was, in words. assumption: outcome-order */
export const reasons: Readonly<Record<NonNullable<Transaction['rule']>, string>> = {
  header: 'the request’s header X-Sandbox-Outcome decided',
  queue: 'an outcome queued on the terminal decided',
  person: 'the person at the terminal decided',
  terminal: 'the terminal’s own behaviour decided',
  amount: 'the order amount decided',
  card: 'the card decided',
  default: 'no rule decided otherwise',
  settled: 'its batch is closed already',
}

const at = (lane: Lane, what: string, more: Partial<Telling> = {}): Telling => ({
  from: lane,
  to: lane,
  what,
  ...more,
})

/** What a moment of the timeline is in the diagram. */
function tellingOf(transaction: Transaction, what: string, detail: string | null): Telling {
  const { currency, rule, inCloud } = transaction
  const money = (minor: string | null) => `${formatAmount(Number(minor ?? 0), currency)} ${currency}`
  const here: Lane = inCloud ? 'service' : 'terminal'
  switch (what) {
    case 'opened':
      return {
        from: 'client',
        to: 'service',
        what: `${typeNames[transaction.type]} ${money(String(amountOf(transaction)))}`,
        detail: transaction.requestId,
      }
    case 'taken-up':
      return inCloud
        ? at('service', 'Takes it up')
        : { from: 'service', to: 'terminal', what: 'Shows the payment' }
    case 'card-presented':
      return at(here, 'Card is presented', { detail })
    case 'insert-asked':
      return at(here, 'Asks to insert the card')
    case 'pin-wrong':
      return at(here, 'Wrong PIN', { tone: 'fail' })
    case 'pin-entered':
      return at(here, 'PIN is entered')
    case 'tip-chosen':
      return at(here, detail === '0' ? 'No tip is chosen' : `Tip of ${money(detail)} is chosen`)
    case 'host-asked':
      return {
        from: 'service',
        to: 'host',
        what: 'Asks the host',
        detail: rule === null ? detail : `${detail}: ${reasons[rule]}`,
      }
    case 'approved':
      return {
        from: 'host',
        to: 'service',
        what: `Approves, ${detail}`,
        detail: transaction.authCode && `auth code ${transaction.authCode}`,
        tone: 'success',
      }
    case 'try-declined':
      return { from: 'host', to: 'service', what: `Declines a try, ${detail}`, tone: 'fail' }
    case 'declined':
      return {
        from: 'host',
        to: 'service',
        what: `Declines, ${detail}`,
        detail: transaction.resultMsg,
        tone: 'fail',
      }
    case 'signed':
      return at(here, 'Signs on the screen')
    case 'signature-skipped':
      return at(here, 'Leaves the signature out')
    case 'closed':
      return closing(detail)
    case 'abort-too-late':
      return { from: 'client', to: 'service', what: 'Abort comes too late', detail: 'the outcome stands' }
    case 'tip-adjusted':
      return { from: 'client', to: 'service', what: `Tip becomes ${money(detail)}` }
    default:
      return {
        from: 'client',
        to: 'service',
        what: `${what.replace('-', ' ')} succeeds`,
        detail,
        ...(detail !== null && { link: `/transactions/${detail}` }),
      }
  }
}

function closing(reason: string | null): Telling {
  const tone = 'fail'
  if (reason === 'abort') return { from: 'client', to: 'service', what: 'Aborts; closed unpaid', tone }
  if (reason === 'cancel') return { from: 'terminal', to: 'service', what: 'Cancels; closed unpaid', tone }
  return at('service', reason === 'expired' ? 'The session is expired' : 'The time is over; closed unpaid', {
    tone,
  })
}

/**
 * One step for each attempt, or where none is at hand, what is known of the delivery. They stand where the notification
 * was entered: attempts are timed by the wall clock, and the sandbox clock may have been moved since.
 */
function notices({ ledger, delivery }: CountedDelivery, attempts: readonly LoggedAttempt[]): Step[] {
  const what = delivery.event ?? 'Result'
  const link = `/webhooks/${notificationId(ledger.settings.merchantId, delivery)}`
  const common = { from: 'service', to: 'receiver', what, link } as const
  const known = attempts.filter(
    ({ merchantId, number }) => merchantId === ledger.settings.merchantId && number === delivery.number,
  )
  if (known.length === 0)
    return [
      {
        ...common,
        at: delivery.createdAt,
        detail:
          delivery.attempts === 0 ? 'waits to be sent' : `${delivery.last}, attempt ${delivery.attempts}`,
        tone: delivery.delivered ? 'success' : delivery.nextAt === null ? 'fail' : 'plain',
      },
    ]
  return known.map(({ status, error, durationMs, fault }, index) => ({
    ...common,
    at: delivery.createdAt,
    detail: [
      status === null ? (error ?? 'no answer') : `${status} in ${shortTime(durationMs)}`,
      known.length > 1 && `attempt ${index + 1}`,
      fault,
    ]
      .filter(Boolean)
      .join(', '),
    tone: status !== null && status >= 200 && status < 300 ? 'success' : 'fail',
  }))
}

/** Everything that happened to a transaction, in order, with the webhooks that told of it. */
export function stepsOf(
  transaction: Transaction,
  deliveries: readonly CountedDelivery[],
  attempts: readonly LoggedAttempt[],
): Step[] {
  const told = momentsOf(transaction).map(
    ({ at, what, detail }): Step => ({
      detail: null,
      tone: 'plain',
      ...tellingOf(transaction, what, detail),
      at,
    }),
  )
  const sent = deliveries.flatMap((delivery) => notices(delivery, attempts))
  return [...told, ...sent].sort((one, other) => one.at - other.at)
}
