import type { Ledger } from '../../domain/ledger.ts'
import type { Sandbox } from '../sandbox.ts'
import { lastForwarded } from './forwarded.ts'
import { missedSince, pastTold } from './missed.ts'
import { notificationId, toldBy } from './notification.ts'

/**
 * How many notifications `--forward-to` has still to send on; null without it. It is counted when somebody asks, from
 * the transactions. Of the moment of the last one, what other transactions told counts as sent: it may have been.
 */
export function countToForward({
  engine: { book },
  options: { forwardTo, state },
}: Pick<Sandbox, 'engine' | 'options'>): number | null {
  if (forwardTo === null) return null
  const last = lastForwarded(state, forwardTo)
  if (last === undefined) return 0
  const { at, transactionId } = whenTold([...book.ledgers.values()], last)
  return missedSince(book, last).filter((news) => news.createdAt > at || news.transactionId === transactionId)
    .length
}

/** When the notification of that id happened (sandbox time), and of which transaction. */
function whenTold(ledgers: readonly Ledger[], id: string): { at: number; transactionId: string | undefined } {
  const told = toldBy(id)
  const ledger = ledgers.find(({ settings }) => told && notificationId(settings.merchantId, told) === id)
  const past = told && ledger && pastTold(ledger, told)
  return { at: past?.createdAt ?? Number.NEGATIVE_INFINITY, transactionId: told?.transactionId }
}
