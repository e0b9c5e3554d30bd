import type { SessionList, SessionView } from '../../contract/sandbox/control-answers.ts'
import { amountText } from '../../presentation/money.ts'
import { hintText } from '../hints/hint-text.ts'
import { paintState } from '../output/checkout-session.ts'
import { cleaned } from '../output/clean.ts'
import { timeColumn } from '../output/render-time.ts'
import { type Column, fittingTable } from '../output/table.ts'
import { type Theme, themeOf } from '../output/theme.ts'

/** Sessions of the hosted page in a line each, newest first. `isFiltered`: something was asked for beside all of them. */
export function renderSessions(list: SessionList, isFiltered: boolean): string {
  const { sessions, more } = cleaned(list)
  const theme = themeOf('stdout')
  if (sessions.length === 0)
    return `${hintText(isFiltered ? 'No session matches. tillbox checkout list shows all.' : 'No sessions yet. Open one: tillbox checkout create --amount 24.90', theme)}\n`
  const note = more ? `\n\n${theme.faint(`Only the newest ${sessions.length}; --limit shows more.`)}` : ''
  return `${fittingTable(sessions, columnsOf(theme), theme)}${note}\n`
}

const columnsOf = (theme: Theme): Column<SessionView>[] => [
  { head: 'status', cell: ({ state }) => paintState(state, theme) },
  { head: 'amount', cell: ({ amount, currency }) => amountText(amount, currency), isNumber: true },
  { ...timeColumn('created', ({ createdAt }) => createdAt, theme), yields: 3 },
  { ...timeColumn('expires', ({ expiresAt }) => expiresAt, theme), yields: 1 },
  { head: 'transaction', cell: ({ transactionId }) => transactionId, yields: 4 },
  { head: 'order', cell: ({ referenceOrderId }) => referenceOrderId ?? '', yields: 5 },
  { head: 'session', cell: ({ sessionId }) => sessionId },
  { head: 'page', cell: ({ checkoutUrl }) => theme.link(checkoutUrl), yields: 2 },
]
