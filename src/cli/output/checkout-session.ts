import { shownMembers } from '../../client/tolerant.ts'
import type { SessionList, SessionView } from '../../contract/control/control-answers.ts'
import type { SessionAnswer } from '../../contract/operations/checkout.ts'
import { amountText } from '../../contract/presentation/money.ts'
import type { SessionState } from '../../contract/statuses.ts'
import { isObject } from '../../shared/is-object.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { commandText, hintText } from '../hints/hint-text.ts'
import { clean, cleaned } from './clean.ts'
import { timeColumn, timeText } from './render-time.ts'
import { type Column, fittingTable, pairs } from './table.ts'
import { theme } from './theme.ts'

/** A page to send the shopper to. */
export function renderSession(answer: SessionAnswer): string {
  const { checkoutUrl, sessionId, expiresAt, ...ids } = shownMembers({ ...cleaned(answer) }, [
    'checkoutUrl',
    'sessionId',
    'expiresAt',
    'transactionRequestId',
    'referenceOrderId',
  ])
  const facts = pairs([
    ['amount', sessionAmount(answer)],
    ['page', theme.link(checkoutUrl)],
    ['session', sessionId],
    ['request', ids.transactionRequestId],
    ['order', ids.referenceOrderId],
    ['expires', timeText(expiresAt)],
  ])
  const next = [
    `tillbox checkout pay ${shellQuote(sessionId)}`,
    `tillbox checkout pay ${shellQuote(sessionId)} --card visa-declined`,
    `tillbox query --transaction-request-id ${shellQuote(ids.transactionRequestId ?? '')}`,
  ]
  return `${paintState('open')}\n${facts}\n\n${theme.faint('Open the page, or without a browser:')}\n${next.map((command) => `${commandText(command)}\n`).join('')}`
}

/** The amount to pay; undefined when the service does not repeat it. */
function sessionAmount({ amount }: Partial<SessionAnswer>): string | undefined {
  if (!isObject(amount)) return undefined
  const names = ['orderAmount', 'taxAmount', 'surchargeAmount', 'tipAmount', 'cashbackAmount'] as const
  const { priceCurrency, orderAmount, ...parts } = shownMembers(amount, ['priceCurrency'], names)
  if (orderAmount === 0 || priceCurrency === '') return undefined
  const total = Object.values(parts).reduce((sum, part) => sum + Number(part), orderAmount)
  return clean(amountText(total, priceCurrency))
}

const marks = {
  open: ['…', 'open'],
  processing: ['…', 'open'],
  paid: ['✓', 'good'],
  failed: ['✗', 'bad'],
  expired: ['■', 'faint'],
  cancelled: ['■', 'faint'],
} as const satisfies Record<SessionState, unknown>

/** A state with its mark, in its colour. */
export function paintState(state: SessionState): string {
  const [sign, style] = marks[state]
  return theme[style](`${sign} ${state}`)
}

/** State of a session. */
export function renderSessionView(view: SessionView): string {
  const { state, declined, tries, ...session } = cleaned(view)
  const facts = pairs([
    ['amount', amountText(session.amount, session.currency)],
    ['page', state === 'open' ? theme.link(session.checkoutUrl) : undefined],
    [state === 'paid' ? 'before' : 'declined', declined && `${declined.code} ${declined.message}`],
    ['tries', tries === 0 ? undefined : `${tries} of 3 declined`],
    ['transaction', theme.link(session.transactionId)],
    ['request', session.transactionRequestId],
    ['order', session.referenceOrderId],
    ['session', session.sessionId],
    ['created', timeText(session.createdAt)],
    ['expires', state === 'open' ? timeText(session.expiresAt) : undefined],
  ])
  return `${paintState(state)}\n${facts}\n`
}

/** Sessions of the hosted page in a line each, newest first. `isFiltered`: not all were asked for. */
export function renderSessions(list: SessionList, isFiltered: boolean): string {
  const { sessions, more } = cleaned(list)
  if (sessions.length === 0)
    return `${hintText(isFiltered ? 'No session matches. `tillbox checkout list` shows all.' : 'No sessions yet. Open one: `tillbox checkout create --amount 24.90`')}\n`
  const note = more ? `\n\n${theme.faint(`Only the newest ${sessions.length}; --limit shows more.`)}` : ''
  return `${fittingTable(sessions, sessionColumns)}${note}\n`
}

const sessionColumns: Column<SessionView>[] = [
  { head: 'status', cell: ({ state }) => paintState(state) },
  { head: 'amount', cell: ({ amount, currency }) => amountText(amount, currency), isNumber: true },
  { ...timeColumn('created', ({ createdAt }) => createdAt), yields: 3 },
  { ...timeColumn('expires', ({ expiresAt }) => expiresAt), yields: 1 },
  { head: 'transaction', cell: ({ transactionId }) => transactionId, yields: 4 },
  { head: 'order', cell: ({ referenceOrderId }) => referenceOrderId ?? '', yields: 5 },
  { head: 'session', cell: ({ sessionId }) => sessionId },
  { head: 'page', cell: ({ checkoutUrl }) => theme.link(checkoutUrl), yields: 2 },
]
