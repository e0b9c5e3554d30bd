import { isFinal } from '../../contract/statuses.ts'
import { evolve } from '../evolve.ts'
import type { Stamp } from '../model/commands.ts'
import type { Event, Events } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import type { Transaction } from '../model/transaction.ts'
import { deliveriesToFollowers, type Follower } from '../notifications.ts'
import { decide } from './decide.ts'

/** Most transactions that act within one command's entry; others get their own entries. */
const actsPerEntry = 100

/**
 * Applies events and those that follow immediately: the screens of a terminal without a pace, the host's
 * answer, the next in line. `next` makes a stamp of the same time for each further transaction. Each event is
 * followed by its deliveries to `followers`. Returns every event in order, and the affected transactions.
 */
export function applyDecision(
  ledger: Ledger,
  decided: Events,
  stamp: Stamp,
  next: () => Stamp,
  followers: readonly Follower[] = [],
): { readonly events: Events; readonly touched: readonly Transaction[] } {
  const events: Event[] = []
  const acting = new Set<string>()
  const applyOne = (event: Event) => {
    evolve(ledger, event, stamp.at, stamp.setBack)
    events.push(event)
    for (const posted of deliveriesToFollowers(ledger, event, stamp.at, followers)) applyOne(posted)
  }
  for (const event of decided) {
    applyOne(event)
    const id = actingTransactionId(ledger, event)
    if (id !== undefined) acting.add(id)
  }
  const touched: Transaction[] = []
  for (const id of acting) {
    const transaction = ledger.transactions.get(id)
    if (transaction === undefined) continue
    if (acting.size <= actsPerEntry) act(ledger, transaction, acting.size === 1 ? stamp : next(), applyOne)
    touched.push(transaction)
    const first =
      transaction.screen === 'done' ? firstInLine(ledger, transaction.terminalSn ?? '') : undefined
    if (first !== undefined) acting.add(first)
  }
  return { events, touched }
}

/** Runs the automatic steps of a transaction until it has to wait. */
function act(ledger: Ledger, transaction: Transaction, stamp: Stamp, applyOne: (event: Event) => void): void {
  while (isDue(transaction, stamp.at)) {
    const events = decide(ledger, { type: 'wake', transactionId: transaction.id }, stamp)
    if (events.length === 0) return
    for (const event of events) applyOne(event)
  }
}

/** True when the transaction acts by itself at that time. */
export const isDue = ({ wakeAt, status }: Transaction, at: number): boolean =>
  wakeAt !== null && wakeAt <= at && !isFinal(status)

/** The transaction that may act after the event: its own, or the first in line at a changed terminal. */
function actingTransactionId(ledger: Ledger, event: Event): string | undefined {
  if ('id' in event) return event.id
  return event.type === 'terminal-set' ? firstInLine(ledger, event.profile.terminalSn) : undefined
}

const firstInLine = (ledger: Ledger, terminalSn: string): string | undefined =>
  ledger.terminals.get(terminalSn)?.line[0]
