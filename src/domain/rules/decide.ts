import type { Command, Stamp } from '../model/commands.ts'
import type { Event } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { requireTransitions } from '../statuses.ts'
import { abort } from './abort.ts'
import { cancelSession, createSession, expireSession, payDirectly, paySession } from './checkout.ts'
import { refuseReused } from './duplicates.ts'
import { incrementalAuth, postAuth, tipAdjust } from './follow-up.ts'
import { pay } from './payment.ts'
import { refund, refundOnline } from './refund.ts'
import { closeBatch } from './settlement.ts'
import { actAtTerminal } from './terminal/attended.ts'
import { wake } from './terminal/automatic.ts'
import { addTerminal, queueOutcome, setTerminal } from './terminal/settings.ts'
import { voidTransaction } from './void.ts'
import { sendWebhooks } from './webhooks.ts'

/**
 * What a command does to a ledger. Pure: it reads the ledger, the command and the stamp, and changes nothing.
 * Errors: a Refusal when a rule is against it.
 */
export const decide = (ledger: Readonly<Ledger>, command: Command, stamp: Stamp): readonly Event[] =>
  requireTransitions(ledger, apply(ledger, command, stamp))

/** The rule of each command. */
function apply(ledger: Readonly<Ledger>, command: Command, stamp: Stamp): readonly Event[] {
  if ('input' in command) refuseReused(ledger, command)
  switch (command.type) {
    case 'sale':
    case 'auth':
    case 'forced-auth':
      return pay(ledger, command, stamp)
    case 'incremental-auth':
      return incrementalAuth(ledger, command, stamp)
    case 'post-auth':
      return postAuth(ledger, command, stamp)
    case 'refund':
      return refund(ledger, command, stamp)
    case 'void':
      return voidTransaction(ledger, command, stamp)
    case 'abort':
      return abort(ledger, command)
    case 'tip-adjust':
      return tipAdjust(ledger, command)
    case 'create-session':
      return createSession(ledger, command, stamp)
    case 'direct-payment':
      return payDirectly(ledger, command, stamp)
    case 'expire-session':
      return expireSession(ledger, command, stamp)
    case 'online-refund':
      return refundOnline(ledger, command, stamp)
    case 'pay-session':
      return paySession(ledger, command, stamp)
    case 'cancel-session':
      return cancelSession(ledger, command, stamp)
    case 'batch-close':
      return closeBatch(ledger, command)
    case 'wake':
      return wake(ledger, command.transactionId, stamp)
    case 'set-terminal':
      return setTerminal(ledger, command, stamp)
    case 'add-terminal':
      return addTerminal(ledger, command)
    case 'present-card':
    case 'choose-tip':
    case 'enter-pin':
    case 'sign':
    case 'cancel':
      return actAtTerminal(ledger, command, stamp)
    case 'queue-outcome':
      return queueOutcome(ledger, command)
    case 'record-attempt':
      return [{ ...command, type: 'delivery-attempted' }]
    case 'send-again':
      return sendWebhooks(ledger, command)
    default:
      return command satisfies never
  }
}
