import { shownMembers } from '../../client/tolerant.ts'
import type { SessionAnswer } from '../../contract/answers.ts'
import type { SessionState, SessionView } from '../../contract/sandbox/answers.ts'
import { cleaned } from './clean.ts'
import { pairs } from './table.ts'
import { type Theme, themeOf } from './theme.ts'
import { timeText } from './time.ts'

/** A page to send the shopper to. */
export function renderSession(answer: SessionAnswer): string {
  const { checkoutUrl, sessionId, expiresAt, ...ids } = shownMembers({ ...cleaned(answer) }, [
    'checkoutUrl',
    'sessionId',
    'expiresAt',
    'transactionRequestId',
    'referenceOrderId',
  ])
  const theme = themeOf('stdout')
  const facts = pairs(
    [
      ['page', theme.link(checkoutUrl)],
      ['session', sessionId],
      ['request', ids.transactionRequestId],
      ['order', ids.referenceOrderId],
      ['expires', timeText(expiresAt)],
    ],
    theme,
  )
  const next = [
    `tillbox checkout pay ${sessionId}`,
    `tillbox checkout pay ${sessionId} --card visa-declined`,
    `tillbox query --transaction-request-id ${ids.transactionRequestId}`,
  ]
  return `${theme.open(words.open)}\n${facts}\n\n${theme.faint('Open the page, or without a browser:')}\n${next.map((line) => `  ${line}\n`).join('')}`
}

const words: Readonly<Record<SessionState, string>> = {
  open: '… OPEN',
  processing: '… PROCESSING',
  paid: '✓ PAID',
  failed: '✗ FAILED',
  expired: '■ EXPIRED',
  cancelled: '■ CANCELLED',
}

const paint = (state: SessionState, theme: Theme): string => {
  if (state === 'paid') return theme.good(words[state])
  return state === 'open' || state === 'processing' ? theme.open(words[state]) : theme.bad(words[state])
}

/** Where a session stands after the shopper acted. */
export function renderSessionView(view: SessionView): string {
  const { state, declined, tries, ...session } = cleaned(view)
  const theme = themeOf('stdout')
  const facts = pairs(
    [
      [
        state === 'paid' ? 'before' : 'declined',
        declined === null ? undefined : `${declined.code} ${declined.message}`,
      ],
      ['tries', tries === 0 ? undefined : `${tries} of 3 declined`],
      ['transaction', theme.link(session.transactionId)],
      ['request', session.transactionRequestId],
      ['session', session.sessionId],
      ['expires', state === 'open' ? timeText(session.expiresAt) : undefined],
    ],
    theme,
  )
  return `${paint(state, theme)}\n${facts}\n`
}
