import type { CardEntry } from '../../../contract/control/screens.ts'
import { rejectField, rejectSaying } from '../../../contract/errors.ts'
import type { Card } from '../../fixtures.ts'
import { cardFits, possibleEntries, readAtTerminal, usualEntry } from '../../model/cards.ts'
import type { Stamp, TerminalAction } from '../../model/commands.ts'
import type { Events } from '../../model/events.ts'
import type { Ledger, Terminal } from '../../model/ledger.ts'
import { amountOf, type Screen, type Transaction } from '../../model/transaction.ts'
import {
  isOverdue,
  pinTriesLeft,
  screenAfterCard,
  screenAfterTip,
  showScreen,
  verificationMethod,
} from '../../screen-flow.ts'
import { endSignature } from './host.ts'
import { requireTip } from './instructions.ts'
import { refuseAt, requireCard, requireOutcome } from './refuse-at.ts'
import { requireTerminal } from './set-terminal.ts'

/** Default contactless limit of an attended terminal, in minor units. assumption: attended-terminal */
const usualContactlessLimit = 25_000

type ActionOf<T extends TerminalAction['type']> = Extract<TerminalAction, { type: T }>

/** Performs an action of a person or a script at a terminal. assumption: attended-terminal */
export function actAtTerminal(ledger: Ledger, action: TerminalAction, stamp: Stamp): Events {
  const terminal = requireTerminal(ledger, action.terminalSn)
  const transaction = shownAt(ledger, terminal, action, stamp)
  const show = showScreen(ledger, transaction, stamp.at)
  switch (action.type) {
    case 'present-card':
      return presentCard(ledger, terminal, transaction, action, show)
    case 'choose-tip':
      requireScreen(terminal, transaction, 'a tip is chosen', ['tip'])
      requireTip(ledger, transaction, action.tipAmount)
      return [
        {
          type: 'tip-chosen',
          tipAmount: action.tipAmount,
          ...show(screenAfterTip(verificationMethod(transaction))),
        },
      ]
    case 'enter-pin':
      requireScreen(terminal, transaction, 'a PIN is entered', ['pin'])
      return action.correct
        ? [{ type: 'pin-entered', ...show('processing') }]
        : wrongPin(ledger, transaction, show)
    case 'sign':
      requireScreen(terminal, transaction, 'a signature is given', ['signature'])
      return endSignature(ledger, transaction, 'signed', stamp)
    case 'cancel':
      return cancel(ledger, terminal, transaction, stamp)
  }
}

/** The transaction that the terminal shows. */
function shownAt(ledger: Ledger, terminal: Terminal, action: TerminalAction, { at }: Stamp): Transaction {
  const { terminalSn, profile, line } = terminal
  if (profile.online === false)
    refuseAt('SBX_TERM_OFFLINE', terminalSn, { message: `${terminalSn} is offline` })
  if (profile.mode !== 'attended' && action.type !== 'cancel')
    refuseAt('SBX_TERM_AUTO', terminalSn, { message: `${terminalSn} is automatic and takes no input` })
  const transaction = ledger.transactions.get(line[0] ?? '')
  if (transaction === undefined || isOverdue(transaction, at))
    return refuseAt('SBX_TERM_SCREEN', terminalSn, {
      field: action.transactionId && 'transactionId',
      message: `${terminalSn} has no payment`,
    })
  if (action.transactionId !== undefined && action.transactionId !== transaction.id)
    refuseAt('SBX_TERM_SCREEN', terminalSn, {
      field: 'transactionId',
      detail: `${terminalSn} shows ${transaction.id}, not ${action.transactionId}`,
    })
  return transaction
}

function requireScreen(
  { terminalSn }: Terminal,
  { screen }: Transaction,
  what: string,
  screens: readonly Screen[],
): void {
  if (screens.includes(screen)) return
  const action = actionAt[screen]
  refuseAt('SBX_TERM_SCREEN', terminalSn, {
    detail: `${terminalSn} shows the screen ${screen}; ${what} on the screen ${screens.join(' or ')}`,
    remedy: action && { action, terminalSn },
  })
}

/** What takes a screen on; nothing for a screen that waits for nobody. */
const actionAt: Partial<Readonly<Record<Screen, 'present' | 'choose-tip' | 'enter-pin' | 'sign'>>> = {
  'present-card': 'present',
  'insert-card': 'present',
  tip: 'choose-tip',
  pin: 'enter-pin',
  signature: 'sign',
}

type ShowScreen = ReturnType<typeof showScreen>

function presentCard(
  { catalogue }: Ledger,
  terminal: Terminal,
  transaction: Transaction,
  action: ActionOf<'present-card'>,
  show: ShowScreen,
): Events {
  requireScreen(terminal, transaction, 'a card is presented', ['present-card', 'insert-card'])
  const card = requireCard(catalogue, action.card)
  const outcome = action.outcome === undefined ? undefined : requireOutcome(catalogue, action.outcome).name
  if (!cardFits(card, transaction.instructions))
    rejectSaying('card', `The card ${card.name} is not of the kind that the request asks for`)
  const entry = entryFor(card, action.entry)
  if (transaction.screen === 'insert-card' && entry === 'tap')
    refuseAt('SBX_TERM_SCREEN', terminal.terminalSn, {
      field: 'entry',
      detail: `${terminal.terminalSn} asks to insert the card, because of the limit for contactless`,
    })
  const limit = terminal.profile.contactlessLimit ?? usualContactlessLimit
  if (entry === 'tap' && amountOf(transaction) > limit)
    return [{ type: 'insert-asked', ...show('insert-card') }]
  const cardRead = readAtTerminal(card, transaction.instructions, entry)
  return [
    {
      type: 'card-presented',
      card: card.name,
      cardRead,
      outcome,
      byPerson: true,
      ...show(screenAfterCard(transaction, terminal, cardRead.authenticationMethod)),
    },
  ]
}

/** The entry mode. */
function entryFor(card: Card, wanted: CardEntry | undefined): CardEntry {
  const ways = possibleEntries(card)
  const entry = wanted ?? usualEntry(card)
  return ways.includes(entry)
    ? entry
    : rejectField('entry', `must be ${ways.join(' or ')} with ${card.name}, but is ${entry}`)
}

/** A wrong PIN; after the last try the payment is declined: pin-tries-exceeded. */
function wrongPin({ catalogue }: Ledger, transaction: Transaction, show: ShowScreen): Events {
  if (pinTriesLeft(transaction) > 1) return [{ type: 'pin-wrong', ...show('pin') }]
  const { name: outcome, code, message } = catalogue.wrongPinAnswer
  return [{ type: 'declined', id: transaction.id, rule: 'person', outcome, code, message }]
}

/** Before the host is asked, the payment is closed; a signature is skipped. */
function cancel(ledger: Ledger, terminal: Terminal, transaction: Transaction, stamp: Stamp): Events {
  const { id, screen } = transaction
  if (screen === 'signature') return endSignature(ledger, transaction, 'signature-skipped', stamp)
  if (screen === 'host')
    refuseAt('SBX_TERM_SCREEN', terminal.terminalSn, {
      detail: `${terminal.terminalSn} waits for the host; it is too late to cancel`,
    })
  return [{ type: 'closed', id, reason: 'cancel' }]
}
