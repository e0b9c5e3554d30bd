import type { Story } from '../../contract/control/control-answers.ts'
import { onlineTerminal, readAmountRange } from '../../contract/control/transaction-list.ts'
import { type FollowUpName, followUpNames } from '../../contract/operations.ts'
import { moneyDirection, parseStatuses, typeNamed } from '../../contract/statuses.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import { hasLapsed } from '../../domain/model/parts.ts'
import { amountOf } from '../../domain/model/transaction.ts'
import { outcomeStands } from '../../domain/screen-flow.ts'
import { type Call, sharedBaseUrlOf } from '../http/call.ts'
import { refusalOfFollowUp } from '../views/possible-follow-ups.ts'
import {
  newestTransactions,
  type OwnedTransaction,
  transactionMatcher,
  transactionRow,
} from '../views/transaction-text.ts'
import { transactionNamed } from '../views/views.ts'
import type { ControlContext, ControlHandler } from './control-context.ts'
import { sessionState, sessionView } from './sessions.ts'
import { merchantNamed, terminalNamed } from './terminals.ts'

/** Default number of listed transactions. */
const usualLimit = 50

/** Matching transactions, newest first. */
export const listTransactions: ControlHandler<'transactions'> = async (context, wanted) => {
  const { status, type, terminal, order, last4, merchant, since, amount, allows } = wanted
  const matches = transactionMatcher({
    statuses: status == null ? undefined : parseStatuses(status),
    type: type == null ? undefined : typeNamed(type),
    terminal: terminal ?? undefined,
    orderId: order ?? undefined,
    last4: last4 ?? undefined,
    since: since == null ? undefined : Date.parse(since),
    amount: amount == null ? undefined : readAmountRange(amount),
  })
  const limit = requestedLimit(wanted)
  const now = context.clock.now()
  const found = await newestTransactions(ledgersOf(context, merchant), {
    matches: (owned) => matches(owned) && (allows == null || allowsFollowUp(owned, allows, now)),
    show: transactionRow,
    limit: limit + 1,
  })
  if (found.length === 0 && terminal != null && terminal !== onlineTerminal)
    requireTerminalOnce(context, terminal)
  return { transactions: found.slice(0, limit), more: found.length > limit }
}

/** True when the rules accept the follow-up, and the host was not asked yet, whose answer would stand. */
const allowsFollowUp = ({ ledger, transaction }: OwnedTransaction, name: FollowUpName, now: number) =>
  !outcomeStands(transaction) && refusalOfFollowUp(ledger, transaction, name, now) === null

/** What the time decides: follow-ups that the rules allow on a transaction now. */
export function possibleNow(
  { engine, clock }: ControlContext,
  id: string,
): Pick<Story, 'allows' | 'expired'> {
  const owned = transactionNamed(engine.state.ledgers, id)
  const now = clock.now()
  return {
    allows: followUpNames.filter((name) => allowsFollowUp(owned, name, now)),
    ...(hasLapsed(owned.ledger, owned.transaction, now) && { expired: true }),
  }
}

/** Counts and sums of online payments, by currency. */
export const sumUpOnline: ControlHandler<'online-totals'> = async (context, { merchant }) => {
  const online = await newestTransactions(ledgersOf(context, merchant), {
    matches: ({ transaction: { online, status, type } }) =>
      online !== null && status === 'SUCCESS' && moneyDirection[type] !== 0,
    show: ({ transaction }) => transaction,
    limit: Number.MAX_SAFE_INTEGER,
  })
  const totals = new Map<string, { currency: string; count: number; net: number }>()
  for (const transaction of online) {
    const { currency, type } = transaction
    const { count, net } = totals.get(currency) ?? { count: 0, net: 0 }
    const sum = net + moneyDirection[type] * amountOf(transaction)
    totals.set(currency, { currency, count: count + 1, net: sum })
  }
  return { totals: [...totals.values()] }
}

/** Matching sessions, newest first. */
export const listSessions: ControlHandler<'sessions', [call: Call]> = async (context, wanted, call) => {
  const { state, merchant } = wanted
  const limit = requestedLimit(wanted)
  const baseUrl = sharedBaseUrlOf(call)
  const sessions = await newestTransactions(ledgersOf(context, merchant), {
    matches: ({ transaction }) =>
      transaction.online?.sessionId != null && (state == null || sessionState(transaction) === state),
    show: ({ ledger, transaction }) => sessionView(ledger, transaction, baseUrl),
    limit: limit + 1,
  })
  return { sessions: sessions.slice(0, limit), more: sessions.length > limit }
}

const requestedLimit = ({ limit }: { readonly limit?: string | null | undefined }): number =>
  limit == null ? usualLimit : Number(limit)

const ledgersOf = (context: ControlContext, merchantId: string | null | undefined): Iterable<Ledger> =>
  merchantId == null ? context.engine.state.ledgers.values() : [merchantNamed(context, merchantId)]

/** Accepts a removed terminal, which may have transactions, but not an unknown one. */
function requireTerminalOnce(context: ControlContext, terminalSn: string): void {
  for (const { removed } of context.engine.state.ledgers.values()) if (removed.has(terminalSn)) return
  terminalNamed(context, terminalSn)
}
