import type { Command, Stamp } from '../model/commands.ts'
import type { Event } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { requireTransitions } from '../status-transitions.ts'
import { abort } from './abort.ts'
import { cancelSession, createSession, expireSession, payDirectly, paySession } from './checkout-sessions.ts'
import { idUsed, refuseReused } from './duplicates.ts'
import { incrementalAuth, postAuth, tipAdjust } from './follow-up.ts'
import { pairTerminal, unpairTerminal } from './pair-terminal.ts'
import { pay } from './payment.ts'
import { refund, refundOnline } from './refund.ts'
import { removeTerminal } from './remove-terminal.ts'
import { resendNotifications } from './resend-notifications.ts'
import { closeBatch, closeOfDay } from './settlement.ts'
import { actAtTerminal } from './terminal/attended.ts'
import { wake } from './terminal/automatic.ts'
import { addTerminal, queueOutcome, setTerminal } from './terminal/set-terminal.ts'
import { voidTransaction } from './void.ts'

type CommandOf<T extends Command['type']> = Extract<Command, { readonly type: T }>

/** Decides what a command does to a ledger. Errors: a Refusal. */
type DecisionRule<T extends Command['type']> = (
  ledger: Readonly<Ledger>,
  command: CommandOf<T>,
  stamp: Stamp,
) => readonly Event[]

/** The rule of each command. */
const rules: { readonly [T in Command['type']]: DecisionRule<T> } = {
  sale: pay,
  auth: pay,
  'forced-auth': pay,
  'incremental-auth': incrementalAuth,
  'post-auth': postAuth,
  refund,
  void: voidTransaction,
  abort,
  'tip-adjust': tipAdjust,
  'create-session': createSession,
  'direct-payment': payDirectly,
  'expire-session': expireSession,
  'online-refund': refundOnline,
  'pay-session': paySession,
  'cancel-session': cancelSession,
  'batch-close': closeBatch,
  wake,
  'close-of-day': closeOfDay,
  'set-terminal': setTerminal,
  'add-terminal': addTerminal,
  'add-merchant': (ledger, { profiles }) =>
    profiles.flatMap((profile) => addTerminal(ledger, { type: 'add-terminal', profile })),
  'remove-terminal': removeTerminal,
  'unpair-terminal': unpairTerminal,
  'pair-terminal': pairTerminal,
  'present-card': actAtTerminal,
  'choose-tip': actAtTerminal,
  'enter-pin': actAtTerminal,
  sign: actAtTerminal,
  cancel: actAtTerminal,
  'queue-outcome': queueOutcome,
  'record-attempts': (_, { results }) => results,
  'send-again': resendNotifications,
}

/**
 * The events of a command. Pure: reads the ledger, the command and the stamp, and changes nothing. Errors: a Refusal
 * when a rule forbids it.
 */
export function decide(ledger: Readonly<Ledger>, command: Command, stamp: Stamp): readonly Event[] {
  if ('input' in command) refuseReused(ledger, command)
  const events = applyRule(command.type, ledger, command, stamp)
  const used = idUsed(ledger, command)
  return requireTransitions(ledger, used.length === 0 ? events : [...events, ...used])
}

const applyRule = <T extends Command['type']>(
  type: T,
  ledger: Readonly<Ledger>,
  command: CommandOf<T>,
  stamp: Stamp,
): readonly Event[] => rules[type](ledger, command, stamp)
