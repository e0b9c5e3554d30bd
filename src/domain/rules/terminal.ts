import { limits } from '../../api/headers.ts'
import { isFinal } from '../../api/statuses.ts'
import { cardFor, cardReadOf } from '../cards.ts'
import type { Stamp } from '../commands.ts'
import type { Event } from '../events.ts'
import { type Ledger, type Terminal, terminalOf } from '../ledger.ts'
import { amountOf, type Screen, type Transaction } from '../transaction.ts'
import { afterScreen } from '../waking.ts'
import { askHost, hostAnswer } from './host.ts'

/**
 * What a transaction does by itself when its time has come: the next screen of its terminal, the host's answer, or its
 * expiry. Nothing when it is too early, or not its turn.
 */
export function wake(ledger: Ledger, transactionId: string, stamp: Stamp): readonly Event[] {
  const transaction = ledger.transactions.get(transactionId)
  if (transaction?.wakeAt == null || transaction.wakeAt > stamp.at) return []
  if (transaction.screen === 'host')
    return [hostAnswer(ledger, transaction, transaction.outcome ?? 'approve', stamp)]
  if (transaction.expiresAt !== null && transaction.expiresAt <= stamp.at && !isFinal(transaction.status))
    return [{ type: 'closed', id: transaction.id, reason: 'expiry' }]
  if (transaction.inCloud) {
    const asked = askHost(ledger, transaction, stamp)
    const takenUp = { type: 'taken-up', id: transactionId, screen: 'processing' } as const
    return transaction.status === 'INITIAL' ? [takenUp, ...asked] : asked
  }
  const terminal = terminalOf(ledger, transaction)
  if (terminal?.line[0] !== transactionId || terminal.profile.online === false) return []
  return show(ledger, transaction, terminal, stamp)
}

/** One screen of the terminal. An attended terminal goes on only when a person acts. */
function show(ledger: Ledger, transaction: Transaction, terminal: Terminal, stamp: Stamp): readonly Event[] {
  const { id, screen } = transaction
  const wakeAt = afterScreen(ledger, transaction, stamp.at)
  if (screen === 'waiting')
    return [{ type: 'taken-up', id, screen: firstScreen(transaction, terminal), wakeAt }]
  if (screen === 'signature') return [{ type: 'signed', id }]
  if (terminal.profile.mode === 'attended') return []
  if (terminal.profile.cancels) return [{ type: 'closed', id, reason: 'cancel' }]
  switch (screen) {
    case 'present-card': {
      const card = cardFor(terminal, transaction.wishes)
      const next = screenAfterCard(transaction, terminal, card.authenticationMethod)
      return [{ type: 'card-presented', id, card: card.name, screen: next, wakeAt }]
    }
    case 'tip': {
      const read = transaction.originalId === null ? cardReadOf(transaction) : null
      const next = screenAfterTip(read?.authenticationMethod)
      return [{ type: 'tip-chosen', id, tipAmount: tipOf(transaction, terminal), screen: next, wakeAt }]
    }
    case 'pin':
      return [{ type: 'pin-entered', id, screen: 'processing', wakeAt }]
    case 'processing':
      return askHost(ledger, transaction, stamp)
    case 'host':
    case 'done':
      return []
  }
}

/** A follow-up uses the card of its original; everything else asks for one. assumption: follow-up-card */
function firstScreen(transaction: Transaction, terminal: Terminal): Screen {
  if (transaction.originalId === null) return 'present-card'
  return asksTip(transaction, terminal) ? 'tip' : 'processing'
}

const screenAfterCard = (transaction: Transaction, terminal: Terminal, verification: string): Screen =>
  asksTip(transaction, terminal) ? 'tip' : screenAfterTip(verification)

/** assumption: tip-screen */
function asksTip(transaction: Transaction, terminal: Terminal): boolean {
  const takesTip = transaction.type === 'SALE' || transaction.type === 'POST_AUTH'
  const wanted = transaction.wishes?.tip !== undefined || terminal.profile.tipPercent !== undefined
  return takesTip && transaction.tip === 0 && wanted
}

const screenAfterTip = (verification: string | undefined): Screen =>
  verification === 'PIN' ? 'pin' : 'processing'

/** Tip in minor units, rounded half up; 0 where the terminal has no percentage. It stays within the largest amount. */
function tipOf(transaction: Transaction, terminal: Terminal): number {
  const base = transaction.order + (transaction.wishes?.tip?.withTax ? transaction.tax : 0)
  const tip = Math.floor((base * (terminal.profile.tipPercent ?? 0) + 50) / 100)
  return Math.min(tip, limits.amount - amountOf(transaction))
}
