import { takesBack } from '../../../contract/statuses.ts'
import type { Outcome } from '../../fixtures.ts'
import type { Stamp } from '../../model/commands.ts'
import type { Event, Events } from '../../model/events.ts'
import { type Ledger, type Terminal, terminalOf } from '../../model/ledger.ts'
import { batchStatusOf } from '../../model/totals.ts'
import type { OutcomeRule, Transaction } from '../../model/transaction.ts'
import { showScreen, verificationMethod } from '../../screen-flow.ts'

/** Asks the host; its answer follows immediately, or after the outcome's delay. */
export function askHost(ledger: Ledger, transaction: Transaction, stamp: Stamp): Events {
  const { outcome, rule } = outcomeFor(ledger, transaction, terminalOf(ledger, transaction))
  const delay = outcome.delay ?? 0
  const hostRequest = {
    type: 'host-asked',
    id: transaction.id,
    outcome: outcome.name,
    rule,
    screen: 'host',
    wakeAt: delay > 0 ? stamp.at + delay : undefined,
  } as const
  return delay > 0 ? [hostRequest] : [hostRequest, hostAnswer(ledger, transaction, outcome.name, stamp)]
}

/** The host's answer; an approval may ask for a signature first. */
export function hostAnswer(ledger: Ledger, transaction: Transaction, name: string, stamp: Stamp): Event {
  const { id } = transaction
  const { outcomeNamed, approval, settledAnswer } = ledger.catalogue
  if (voidsSettled(ledger, transaction)) {
    const { code, message, name: outcome } = settledAnswer
    return { type: 'declined', id, code, message, rule: 'settled', outcome }
  }
  const { code, message, status, delay } = outcomeNamed(name) ?? approval
  if (status === 'FAIL' && mayTryAgain(transaction, delay))
    return { type: 'try-declined', id, code, message, screen: 'waiting', wakeAt: transaction.expiresAt }
  if (status === 'FAIL') return { type: 'declined', id, code, message }
  return !transaction.inCloud && wantsSignature(transaction)
    ? { type: 'signature-asked', ...showScreen(ledger, transaction, stamp.at)('signature') }
    : { type: 'approved', id, authCode: stamp.authCode, code, message }
}

/** The signature was given or skipped: the approval, which stands since the host answered, is final now. */
export function endSignature(
  { catalogue }: Ledger,
  { id, outcome }: Transaction,
  type: 'signed' | 'signature-skipped',
  { authCode }: Stamp,
): Events {
  const { code, message } = catalogue.outcomeNamed(outcome ?? '') ?? catalogue.approval
  return [
    { type, id },
    { type: 'approved', id, authCode, code, message },
  ]
}

/** A settled transaction can no longer be voided, however the host was asked. assumption: batch-close */
function voidsSettled(ledger: Ledger, { type, originalId }: Transaction): boolean {
  const original = type === 'VOID' ? ledger.transactions.get(originalId ?? '') : undefined
  return original !== undefined && batchStatusOf(ledger, original) === 'C'
}

/** Most tries of a shopper on the hosted page. */
export const mostTries = 3

/** True when a declined payment may be tried again; a host that is silent ends it. assumption: checkout */
const mayTryAgain = ({ online }: Transaction, delay = 0): boolean =>
  online?.sessionId != null && delay === 0 && online.tries + 1 < mostTries

const wantsSignature = (transaction: Transaction): boolean =>
  transaction.instructions?.signature === undefined &&
  (verificationMethod(transaction) === 'SIGNATURE' ||
    transaction.order >= (transaction.instructions?.signatureFrom ?? Number.POSITIVE_INFINITY))

/** An outcome and the rule that decided it. */
interface Decision {
  readonly outcome: Outcome
  readonly rule: OutcomeRule
}

/**
 * The outcome by the first rule that applies. Trigger amounts are those of the service's public sandbox, and
 * are compared to orderAmount. They select no outcome of what takes money back: a partial refund must not
 * fail by coincidence. public: trigger-amounts. assumption: outcome-order
 */
export function outcomeFor(
  { catalogue }: Pick<Ledger, 'catalogue'>,
  transaction: Transaction,
  terminal: Terminal | undefined,
): Decision {
  const named = (name: string | undefined, rule: OutcomeRule): Decision | undefined => {
    const outcome = catalogue.outcomeNamed(name ?? '')
    return outcome && { outcome, rule }
  }
  const amount = catalogue.outcomeOfAmount(transaction.order)
  return (
    named(transaction.instructions?.outcome, transaction.instructions?.isInjected ? 'fault' : 'header') ??
    named(terminal?.queue[0]?.outcome, 'queue') ??
    (transaction.rule === 'person' ? named(transaction.outcome ?? undefined, 'person') : undefined) ??
    named(terminal?.profile.outcome, 'terminal') ??
    (amount && !takesBack(transaction.type) ? { outcome: amount, rule: 'amount' } : undefined) ??
    named(catalogue.cardNamed(transaction.card ?? '')?.outcome, 'card') ?? {
      outcome: catalogue.approval,
      rule: 'default',
    }
  )
}
