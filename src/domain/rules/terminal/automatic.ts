import { cardFor, readAtTerminal } from '../../model/cards.ts'
import type { Stamp, Wake } from '../../model/commands.ts'
import type { Event, Events } from '../../model/events.ts'
import { type Ledger, type Terminal, terminalOf } from '../../model/ledger.ts'
import type { Transaction } from '../../model/transaction.ts'
import {
  firstScreen,
  isOverdue,
  screenAfterCard,
  screenAfterTip,
  showScreen,
  tipForPercent,
  verificationMethod,
  waitsForPerson,
} from '../../screen-flow.ts'
import { askHost, endSignature, hostAnswer } from './host.ts'

/**
 * Performs the due step of a transaction: the next screen of its terminal, the host's answer, or its expiry.
 * Empty when it is too early, or another transaction's turn. assumption: terminal-queue
 */
export function wake(ledger: Ledger, { transactionId }: Wake, stamp: Stamp): Events {
  const transaction = ledger.transactions.get(transactionId)
  if (transaction?.wakeAt == null || transaction.wakeAt > stamp.at) return []
  if (transaction.screen === 'host')
    return [hostAnswer(ledger, transaction, transaction.outcome ?? 'approve', stamp)]
  if (isOverdue(transaction, stamp.at)) return [{ type: 'closed', id: transaction.id, reason: 'expiry' }]
  if (transaction.inCloud) {
    const hostEvents = askHost(ledger, transaction, stamp)
    const takenUp = { type: 'taken-up', id: transactionId, screen: 'processing' } as const
    return transaction.status === 'INITIAL' ? [takenUp, ...hostEvents] : hostEvents
  }
  const terminal = terminalOf(ledger, transaction)
  if (transaction.screen === 'signature') {
    const signs = terminal?.profile.mode === 'auto' && terminal.profile.online !== false
    return endSignature(ledger, transaction, signs ? 'signed' : 'signature-skipped', stamp)
  }
  if (terminal?.line[0] !== transactionId || terminal.profile.online === false) return []
  return passScreen(ledger, transaction, terminal, stamp)
}

/** Moves to the next screen; an attended terminal stays on a screen that waits for a person. */
function passScreen(ledger: Ledger, transaction: Transaction, terminal: Terminal, stamp: Stamp): Events {
  const { id, screen } = transaction
  const show = showScreen(ledger, transaction, stamp.at)
  if (screen === 'waiting') {
    const first = firstScreen(transaction, terminal)
    const takenUp = { type: 'taken-up', ...show(first) } as const
    const card = cardFor(ledger, terminal, transaction.instructions)
    return first === 'present-card' && card === undefined ? [takenUp, noCardFits(ledger, id)] : [takenUp]
  }
  if (terminal.profile.mode === 'attended' && waitsForPerson(screen)) return []
  if (terminal.profile.cancels) return [{ type: 'closed', id, reason: 'cancel' }]
  switch (screen) {
    case 'present-card':
    case 'insert-card': {
      const card = cardFor(ledger, terminal, transaction.instructions)
      if (card === undefined) return [noCardFits(ledger, id)]
      const cardRead = readAtTerminal(card, transaction.instructions)
      const next = screenAfterCard(transaction, terminal, cardRead.authenticationMethod)
      return [{ type: 'card-presented', card: card.name, cardRead, ...show(next) }]
    }
    case 'tip': {
      const tipAmount = tipForPercent(transaction, terminal.profile.tipPercent ?? 0, ledger.settings)
      return [{ type: 'tip-chosen', tipAmount, ...show(screenAfterTip(verificationMethod(transaction))) }]
    }
    case 'pin':
      return [{ type: 'pin-entered', ...show('processing') }]
    case 'processing':
      return askHost(ledger, transaction, stamp)
    case 'host':
    case 'signature':
    case 'done':
      return []
  }
}

/** Without a card that the request allows, the payment is declined. assumption: cards */
const noCardFits = ({ catalogue: { noCardAnswer } }: Ledger, id: string): Event => {
  const { name: outcome, code, message } = noCardAnswer
  return { type: 'declined', id, rule: 'card', outcome, code, message }
}
