import { outcomeNamed } from '../../fixtures.ts'
import { cardReadOf } from '../cards.ts'
import type { Stamp } from '../commands.ts'
import type { Event } from '../events.ts'
import type { Ledger, Transaction } from '../ledger.ts'
import { outcomeFor } from '../outcomes.ts'
import { afterScreen } from '../waking.ts'

/** Asks the host; its answer follows at once, or when the outcome's delay is over. */
export function askHost(ledger: Ledger, transaction: Transaction, stamp: Stamp): readonly Event[] {
  const terminal = transaction.inCloud ? undefined : ledger.terminals.get(transaction.terminalSn)
  const { outcome, rule } = outcomeFor(transaction, terminal)
  const delay = outcome.delay ?? 0
  const asked = {
    type: 'host-asked',
    id: transaction.id,
    outcome: outcome.name,
    rule,
    screen: 'host',
    wakeAt: delay > 0 ? stamp.at + delay : undefined,
  } as const
  return delay > 0 ? [asked] : [asked, hostAnswer(ledger, transaction, outcome.name, stamp)]
}

/** What the host answers; an approval may leave a signature to be given. */
export function hostAnswer(ledger: Ledger, transaction: Transaction, name: string, stamp: Stamp): Event {
  const { code, message, status } = outcomeNamed(name) ?? {
    code: '000',
    message: 'Approved',
    status: 'SUCCESS',
  }
  const { id } = transaction
  if (status === 'FAIL') return { type: 'declined', id, code, message }
  const signs = !transaction.inCloud && wantsSignature(transaction)
  const screen = signs ? 'signature' : 'done'
  return {
    type: 'approved',
    id,
    authCode: stamp.authCode,
    code,
    message,
    screen,
    wakeAt: signs ? afterScreen(ledger, transaction, stamp.at) : null,
  }
}

function wantsSignature(transaction: Transaction): boolean {
  if (transaction.originalId !== null) return false
  const from = transaction.wishes?.signatureFrom
  return (
    cardReadOf(transaction)?.authenticationMethod === 'SIGNATURE' ||
    (from !== undefined && transaction.order >= from)
  )
}
